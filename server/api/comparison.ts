import type { Request, RequestHandler, Response } from 'express';
import { batchNotFound, requireComparable } from '../../batches/errors.ts';
import * as batches from '../../db/batches/batches.ts';
import * as comparison from '../../db/batches/comparison.ts';
import type { ItemRow } from '../../db/batches/items.ts';
import type { ApiError } from '../../process/api-error.ts';
import { type CheckType, getCheckType } from '../../schemas/check-types.ts';
import { changes } from '../../schemas/comparison.ts';
import { itemBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { type FieldErrors, validationError } from '../http/errors.ts';
import { unknownParameterWarnings } from '../http/warnings.ts';
import { closeSignal } from '../limits/slots.ts';
import { getBatchRef } from './batch-ref.ts';
import { readEnum, readId, readNumber, readSearch } from './parameters.ts';
import {
  joinFileName,
  listCompetitorUrls,
  readLocale,
  sendTable,
  type TableChoice,
  type TableFormat,
} from './results/export.ts';
import {
  appendToName,
  type Column,
  createColumn,
  createColumns,
  createCompetitorColumns,
  createRankColumn,
  listCompetitorRanks,
  mapColumns,
} from './results/table.ts';

export function comparisonRoutes(context: Context) {
  const { db } = context;

  const compareBatch: RequestHandler = async (req, res) => {
    const change = readEnum(req, 'change', changes) ?? 'broken';
    const { page, perPage } = readWindow(req);
    const { now, before } = await findPair(req);
    const pair = { now: [now], before: [before] };
    const window = { change, limit: perPage, offset: (page - 1) * perPage };
    const { counts, found } = await compareBatches(context, pair, () => window, closeSignal(res));
    res.json({
      success: true,
      batch_id: now.batchId,
      compared_with: before.batchId,
      counts: counts.changes,
      change,
      data: found.rows.map((row) => ({
        now: row.now && itemBody(row.now, now),
        before: row.before && itemBody(row.before, now),
      })),
      current_page: page,
      per_page: perPage,
      total: counts.changes[change],
      last_page: Math.max(1, Math.ceil(counts.changes[change] / perPage)),
      ...unknownParameterWarnings(req),
    });
  };

  const exportAs =
    (ending: TableFormat): RequestHandler =>
    async (req, res) => {
      const selection = readComparisonSelection(req);
      const locale = readLocale(req);
      const { now, before } = await findPair(req);
      const pair = { now: [now], before: [before] };
      await sendComparison(context, res, pair, { selection, ending, locale });
    };

  async function findPair(req: Request): Promise<{ now: batches.BatchRow; before: batches.BatchRow }> {
    const other = readId(req, 'with');
    const now = await batches.find(db, getBatchRef(req));
    if (!now) throw batchNotFound();
    const named = other ? { accountId: now.accountId, batchId: other, isTest: now.isTest } : null;
    return { now, before: await findComparedBatch(db, now, named, noPreviousBatch) };
  }

  return { compareBatch, compareBatchCsv: exportAs('csv'), compareBatchXlsx: exportAs('xlsx') };
}

/**
 * Finds the batch to compare with: the named batch, or the previous batch if no batch is named. Throws the error of
 * `missing` if this batch does not exist or has another type. Throws ApiError if one of the two batches has not ended,
 * or if its results have expired.
 */
export async function findComparedBatch(
  db: Context['db'],
  now: batches.BatchRow,
  named: batches.BatchRef | null,
  missing: () => Error,
): Promise<batches.BatchRow> {
  requireComparable(now);
  const before = named ? await batches.find(db, named) : await comparison.findPrevious(db, now);
  if (before?.type !== now.type) throw missing();
  requireComparable(before);
  return before;
}

type ComparisonSelection = ReturnType<typeof readComparisonSelection>;

/** Reads `?change=` and `?q=`, which select compared inputs. Throws a 422. */
export function readComparisonSelection(req: Request) {
  return { change: readEnum(req, 'change', changes), search: readSearch(req) };
}

export async function sendComparison(
  context: Context,
  res: Response,
  pair: comparison.ComparedBatches,
  { selection, ...choice }: TableChoice & { selection: ComparisonSelection },
): Promise<void> {
  const [first] = pair.now as [batches.BatchRow];
  const fileName = joinFileName([first.name ?? first.reference ?? '', 'comparison'], first.createdAt);
  const { accountId, type } = first;
  const pages = comparison.readAll(context.db, pair, selection);
  const competitors = await listCompetitorUrls(context.db, [...pair.now, ...pair.before]);
  const columns = comparedColumns(type, competitors);
  await sendTable(context, res, { accountId, fileName, columns, pages }, choice);
}

const comparedFields: Record<CheckType, string[]> = {
  http: ['status', 'is_soft404', 'final_url', 'noindex', 'response_time_ms'],
  index: ['is_indexed', 'match', 'matched_url'],
  keyword: ['rank', 'ranked_url'],
};

function comparedColumns(type: CheckType, competitors: string[]): Column<comparison.ComparedInput>[] {
  const { input } = getCheckType(type);
  const asked = Object.keys(input.properties).filter(
    (name) => !['competitor_urls', 'include'].includes(name),
  );
  const fields = comparedFields[type].map((name) =>
    name === 'rank' ? createRankColumn<object>() : createColumn<object>(name),
  );
  const answered = [
    ...fields,
    ...createCompetitorColumns<object>(competitors, listCompetitorRanks),
    ...createColumns<object>('error', 'checked_at'),
  ];
  const toBody = (row: ItemRow | null) => row && itemBody(row);
  return [
    { name: 'change', toCell: ({ change }) => change },
    ...mapColumns(
      createColumns<object>(...asked),
      ({ now, before }: comparison.ComparedInput) => (now ?? before)?.input as object,
    ),
    ...(type === 'keyword' ? [{ name: 'places_gained', toCell: countPlacesGained }] : []),
    ...answered.flatMap((column) =>
      (['before', 'now'] as const).flatMap((side) =>
        mapColumns([column], (row: comparison.ComparedInput) => toBody(row[side]), appendToName(side)),
      ),
    ),
  ];
}

/**
 * Returns the number of places that a query moved up; negative if the query moved down. Returns null if the query has
 * no rank in one of the batches.
 */
function countPlacesGained({ now, before }: comparison.ComparedInput): number | null {
  const [rankNow, rankBefore] = [now, before].map((row) =>
    row?.type === 'keyword' ? row.outcome?.rank : null,
  );
  return rankNow && rankBefore ? rankBefore - rankNow : null;
}

type Window = Parameters<typeof comparison.page>[2];

/** Counts the changes between two batches, and lists a page of them. Reads both batches completely. */
export async function compareBatches(
  { db, longQueries }: Pick<Context, 'db' | 'longQueries'>,
  pair: comparison.ComparedBatches,
  toWindow: (counts: comparison.ComparedCounts) => Window,
  signal: AbortSignal,
) {
  const compare = async () => {
    const counts = await comparison.count(db, pair);
    return { counts, found: await comparison.page(db, pair, toWindow(counts)) };
  };
  return longQueries.run(pair.now[0]?.accountId ?? 0, compare, { signal });
}

function readWindow(req: Request): { page: number; perPage: number } {
  const errors: FieldErrors = {};
  const perPage = readNumber(req, 'per_page', { fallback: 20, max: 100 }, errors);
  const page = readNumber(req, 'page', { fallback: 1, max: 100_000 }, errors);
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return { page, perPage };
}

function noPreviousBatch(): ApiError {
  return validationError({ with: ['Must be the id of a batch of this type in your account.'] });
}
