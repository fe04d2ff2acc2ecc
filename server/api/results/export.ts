import type { Response } from 'express';
import type { BatchRow } from '../../../db/batches/batches.ts';
import type { Selection } from '../../../db/batches/results.ts';
import { ApiError } from '../../../process/api-error.ts';
import type { Context } from '../../context.ts';
import type { Include } from '../include.ts';
import { toCsv } from './csv.ts';
import { fewRowsPerPage, ndjson, type ResultFormat, streamResults } from './stream.ts';
import { toXlsx } from './xlsx.ts';

export type ExportFormat = 'csv' | 'ndjson' | 'xlsx';

const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const tables = { csv: toCsv, xlsx: toXlsx };

interface ExportChoice {
  ending: ExportFormat;
  include?: Include;
  /** Default: all results. */
  selection?: Selection;
  /** For spreadsheets that do not recognize UTF-8 in a CSV without a byte order mark. */
  hasByteOrderMark?: boolean;
}

/**
 * Streams the current results of a batch as a file, or of several batches of one type as one file, which is named after
 * the first. Throws a 410 if any of them has expired.
 */
export async function sendExport(
  context: Context,
  res: Response,
  batch: BatchRow | BatchRow[],
  { ending, include, selection = {}, hasByteOrderMark = false }: ExportChoice,
): Promise<void> {
  const all = [batch].flat();
  const [first] = all;
  if (!first || all.some(({ purgedAt }) => purgedAt)) {
    throw new ApiError('results_expired', 'The results of this batch are no longer stored.');
  }
  res.set('Cache-Control', 'private, no-store');
  res.attachment(toFileName(first, selection, ending)).set('Content-Type', mediaTypes[ending]);
  if (ending === 'ndjson') return streamResults(context, batch, res, ndjson, { include, selection });
  const format = tables[ending](first, include);
  const hasMark = hasByteOrderMark && ending === 'csv';
  await streamResults(context, batch, res, hasMark ? withByteOrderMark(format) : format, {
    include,
    selection,
    rowsPerPage: fewRowsPerPage,
  });
}

function withByteOrderMark(format: ResultFormat): ResultFormat {
  return async function* (pages) {
    yield '\ufeff';
    yield* format(pages);
  };
}

const slugLengthMax = 60;

/**
 * Returns a file name such as `sonde-october-crawl-2026-11-20.csv`, from the name or type of the batch, the selection
 * and the UTC day of its submission. It consists of letters of any script, digits and hyphens.
 */
export function toFileName(
  { name, reference, type, createdAt }: Pick<BatchRow, 'name' | 'reference' | 'type' | 'createdAt'>,
  { show, search }: Selection,
  ending: string,
): string {
  const title = toSlug(name ?? reference ?? '') || type;
  const parts = ['sonde', title, toSlug(show ?? ''), toSlug(search ?? ''), toDay(createdAt)];
  return `${parts.filter(Boolean).join('-')}.${ending}`;
}

function toDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function toSlug(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return [...(words ?? []).join('-')].slice(0, slugLengthMax).join('').replace(/-$/, '');
}
