import type { Request, Response } from 'express';
import type { BatchRow } from '../../../db/batches/batches.ts';
import * as results from '../../../db/batches/results.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import { ApiError } from '../../../process/api-error.ts';
import type { Context } from '../../context.ts';
import { validationError } from '../../http/errors.ts';
import type { Include } from '../parameters.ts';
import { type CsvStyle, toCsv } from './csv.ts';
import {
  type Format,
  fewRowsPerPage,
  ndjson,
  type StreamContext,
  streamPages,
  streamResults,
} from './stream.ts';
import { type Column, competitorColumnsMax, createResultColumns } from './table.ts';
import { toXlsx } from './xlsx.ts';

export type TableFormat = 'csv' | 'xlsx';
export type ExportFormat = TableFormat | 'ndjson';

const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export interface TableChoice extends CsvStyle {
  ending: TableFormat;
}

interface ExportChoice extends CsvStyle {
  ending: ExportFormat;
  include?: Include;
  /** Default: all results. */
  selection?: results.Selection;
}

/** Reads `?locale=`; undefined if missing. Throws a 422 if it is not a language tag. */
export function readLocale(req: Request): string | undefined {
  const { locale } = req.query;
  if (locale === undefined || locale === '') return undefined;
  try {
    const [known] = Intl.NumberFormat.supportedLocalesOf(String(locale));
    if (known) return known;
  } catch {
    // Not a language tag.
  }
  throw validationError({ locale: ['Must be a language such as de or pt-BR.'] });
}

/**
 * Streams the current results of one or more batches of one type as a file. The file is named after the first batch.
 * Throws a 410 if a batch has expired.
 */
export async function sendExport(
  context: Context,
  res: Response,
  batch: BatchRow | BatchRow[],
  { ending, include, selection = {}, ...style }: ExportChoice,
): Promise<void> {
  const all = [batch].flat();
  const [first] = all;
  if (!first || all.some(({ purgedAt }) => purgedAt)) {
    throw new ApiError('results_expired', 'The results of this batch are no longer stored.');
  }
  const competitors = ending === 'ndjson' ? [] : await listCompetitorUrls(context.db, all);
  setFile(res, toFileName(first, selection, ending), ending);
  if (ending === 'ndjson') return streamResults(context, batch, res, ndjson, { include, selection });
  const format = toFormat(createResultColumns(first, { include, competitors }), { ending, ...style });
  await streamResults(context, batch, res, format, { include, selection, rowsPerPage: fewRowsPerPage });
}

/**
 * Lists at most `competitorColumnsMax + 1` competitors. If there is one more than the maximum, a shared column is
 * added.
 */
export async function listCompetitorUrls(db: Db, all: BatchRow[]): Promise<string[]> {
  const found = new Set<string>();
  for (const batch of all.filter(({ type }) => type === 'keyword')) {
    const limit = competitorColumnsMax + 1;
    for (const url of await results.listCompetitorUrls(db, batch, limit)) found.add(url);
    if (found.size >= limit) break;
  }
  return [...found];
}

export async function sendTable<Row>(
  context: Omit<StreamContext, 'db'>,
  res: Response,
  {
    accountId,
    fileName,
    columns,
    pages,
  }: {
    accountId: number;
    /** Without the file extension. */
    fileName: string;
    columns: Column<Row>[];
    pages: AsyncIterable<Row[]>;
  },
  choice: TableChoice,
): Promise<void> {
  setFile(res, `${fileName}.${choice.ending}`, choice.ending);
  await streamPages(context, accountId, res, () => toFormat(columns, choice)(pages));
}

function setFile(res: Response, name: string, ending: ExportFormat): void {
  res.set('Cache-Control', 'private, no-store');
  res.attachment(name).set('Content-Type', mediaTypes[ending]);
}

function toFormat<Row>(columns: Column<Row>[], { ending, ...style }: TableChoice): Format<Row> {
  return ending === 'xlsx' ? toXlsx(columns) : toCsv(columns, style);
}

const slugLengthMax = 60;

/**
 * Returns a file name such as `sonde-october-crawl-2026-11-20.csv`. It consists of the name or type of the batch, the
 * selection and the UTC day of the submission.
 */
export function toFileName(
  { name, reference, type, createdAt }: Pick<BatchRow, 'name' | 'reference' | 'type' | 'createdAt'>,
  { show, search }: results.Selection,
  ending: string,
): string {
  const title = toSlug(name ?? reference ?? '') || type;
  return `${joinFileName([title, show, search], createdAt)}.${ending}`;
}

/** Returns a file name without its extension: letters of any script, digits and hyphens, and the UTC day. */
export function joinFileName(parts: Array<string | undefined>, date: Date): string {
  const slugs = parts.map((part) => toSlug(part ?? '')).filter(Boolean);
  return ['sonde', ...slugs, date.toISOString().slice(0, 10)].join('-');
}

function toSlug(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return [...(words ?? []).join('-')].slice(0, slugLengthMax).join('').replace(/-$/, '');
}
