import type { Response } from 'express';
import type { BatchRow } from '../../../db/batches/batches.ts';
import type { Selection } from '../../../db/batches/results.ts';
import { ApiError } from '../../../process/api-error.ts';
import type { Context } from '../../context.ts';
import type { Include } from '../include.ts';
import { csvOf } from './csv.ts';
import { type Format, fewRowsPerPage, ndjson, streamResults } from './stream.ts';
import { xlsxOf } from './xlsx.ts';

export type ExportEnding = 'csv' | 'ndjson' | 'xlsx';

const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const tables = { csv: csvOf, xlsx: xlsxOf };

interface ExportChoice {
  ending: ExportEnding;
  include?: Include;
  /** Some of the results; all of them where nothing is said. */
  selection?: Selection;
  /** For spreadsheets that take a CSV for what their system writes unless it begins with a byte order mark. */
  hasByteOrderMark?: boolean;
}

/**
 * Sends what is settled of a batch as a file, page by page; of several of one type as one file that is called after the
 * first. Throws a 410 when any of it is no longer kept.
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
    throw new ApiError('results_expired', 'The results of this batch are no longer kept.');
  }
  res.set('Cache-Control', 'private, no-store');
  res.attachment(fileNameOf(first, selection, ending)).set('Content-Type', mediaTypes[ending]);
  if (ending === 'ndjson') return streamResults(context, batch, res, ndjson, { include, selection });
  const format = tables[ending](first, include);
  const isMarked = hasByteOrderMark && ending === 'csv';
  await streamResults(context, batch, res, isMarked ? marked(format) : format, {
    include,
    selection,
    rowsPerPage: fewRowsPerPage,
  });
}

function marked(format: Format): Format {
  return async function* (pages) {
    yield '\ufeff';
    yield* format(pages);
  };
}

const wordsMax = 60;

/**
 * What a file of a batch's results is called, such as `sonde-october-crawl-2026-11-20.csv`: after the batch's
 * name, else its type, what of it is in there, and the day it was submitted (UTC). Letters of any script,
 * digits and hyphens.
 */
export function fileNameOf(
  { name, reference, type, createdAt }: Pick<BatchRow, 'name' | 'reference' | 'type' | 'createdAt'>,
  { show, search }: Selection,
  ending: string,
): string {
  const called = hyphenated(name ?? reference ?? '') || type;
  const parts = ['sonde', called, hyphenated(show ?? ''), hyphenated(search ?? ''), dayOf(createdAt)];
  return `${parts.filter(Boolean).join('-')}.${ending}`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function hyphenated(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return [...(words ?? []).join('-')].slice(0, wordsMax).join('').replace(/-$/, '');
}
