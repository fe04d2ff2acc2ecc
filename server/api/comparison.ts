import type { Request, RequestHandler } from 'express';
import { batchNotFound, requireComparable } from '../../batches/errors.ts';
import * as batches from '../../db/batches/batches.ts';
import * as comparison from '../../db/batches/comparison.ts';
import type { ApiError } from '../../process/api-error.ts';
import { type Change, changes } from '../../schemas/comparison.ts';
import { itemBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { type FieldErrors, validationError } from '../http/errors.ts';
import { unknownParameterWarnings } from '../http/warnings.ts';
import { closeSignal } from '../limits/slots.ts';
import { getBatchRef } from './batch-ref.ts';
import { readEnum, readId, readNumber } from './lists.ts';

export function comparisonRoutes(context: Pick<Context, 'db' | 'longQueries'>) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const change = readEnum(req, 'change', changes) ?? 'broken';
    const { page, perPage } = readWindow(req);
    const other = readId(req, 'with');
    const now = await batches.find(db, getBatchRef(req));
    if (!now) throw batchNotFound();
    const named = other ? { accountId: now.accountId, batchId: other, isTest: now.isTest } : null;
    const pair = await findComparedBatches(db, now, named, noPreviousBatch);
    const window = { change, limit: perPage, offset: (page - 1) * perPage };
    const { counts, found } = await compareBatches(context, pair, () => window, closeSignal(res));
    res.json({
      success: true,
      batch_id: now.batchId,
      compared_with: pair.before.batchId,
      counts,
      change,
      data: found.rows.map((row) => ({
        now: row.now && itemBody(row.now, now),
        before: row.before && itemBody(row.before, now),
      })),
      current_page: page,
      per_page: perPage,
      total: counts[change],
      last_page: Math.max(1, Math.ceil(counts[change] / perPage)),
      ...unknownParameterWarnings(req),
    });
  };

  return { show };
}

/**
 * Finds the batch to compare with: the named batch, or the previous batch if none is named. Throws the error of
 * `missing` if it does not exist or has another type. Throws ApiError if a batch has not ended or its results have
 * expired.
 */
export async function findComparedBatches(
  db: Context['db'],
  now: batches.BatchRow,
  named: batches.BatchRef | null,
  missing: () => Error,
): Promise<comparison.BatchPair> {
  requireComparable(now);
  const before = named ? await batches.find(db, named) : await comparison.findPrevious(db, now);
  if (before?.type !== now.type) throw missing();
  requireComparable(before);
  return { now, before };
}

type Window = Parameters<typeof comparison.page>[2];

/** Counts the changes between two batches, and lists a page of them. Reads both batches completely. */
export async function compareBatches(
  { db, longQueries }: Pick<Context, 'db' | 'longQueries'>,
  pair: comparison.BatchPair,
  toWindow: (counts: Record<Change, number>) => Window,
  signal: AbortSignal,
) {
  const compare = async () => {
    const counts = await comparison.count(db, pair);
    return { counts, found: await comparison.page(db, pair, toWindow(counts)) };
  };
  return longQueries.run(pair.now.accountId, compare, { signal });
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
