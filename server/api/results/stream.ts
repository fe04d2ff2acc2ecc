import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import * as batches from '../../../db/batches/batches.ts';
import type { ItemRow } from '../../../db/batches/items.ts';
import * as resultPages from '../../../db/batches/result-pages.ts';
import * as results from '../../../db/batches/results.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import type { FairLimit } from '../../../process/fair-limit.ts';
import { itemBody } from '../../../wire/bodies.ts';
import type { Context } from '../../context.ts';
import { closeSignal } from '../../limits/slots.ts';
import type { Include } from '../include.ts';

/** One result as every format shows it. */
export type ResultBody = ReturnType<typeof itemBody>;

/** Turns results, page by page in the order of submission, into the text or the bytes of a format. */
export type Format = (pages: AsyncIterable<ResultBody[]>) => AsyncIterable<string | Uint8Array>;

/** What of the results, and what of each. */
export interface Shown {
  include?: Include;
  /** All where nothing is said. */
  selection?: results.Selection;
  rowsPerPage?: number;
}

export const rowsPerPage = 100;
/** For results of up to 16 KiB each, and for formats that take long to write. */
export const fewRowsPerPage = 25;

/**
 * Sends the results of a batch, or of several of one account and type, in some format, page by page as the
 * caller reads them: memory grows neither with the batch nor with a slow reader. A caller that reads nothing for a
 * minute is disconnected.
 */
export async function streamResults(
  { db, stopping, exports, exportPages }: Pick<Context, 'db' | 'stopping' | 'exports' | 'exportPages'>,
  batch: batches.BatchRow | batches.BatchRow[],
  res: Response,
  format: Format,
  {
    include = { results: false, evidence: false },
    selection = {},
    rowsPerPage: limit = include.results ? fewRowsPerPage : rowsPerPage,
  }: Shown = {},
): Promise<void> {
  const all = [batch].flat();
  const bodies = async function* () {
    for (const one of all) {
      for await (const rows of pagesOf(db, one, selection, limit)) {
        const page = await bodiesOf(db, one, rows, include);
        // Of several batches each result says which one it is of.
        yield all.length > 1 ? page.map((body) => ({ ...body, reference: one.reference })) : page;
      }
    }
  };
  const accountId = all[0]?.accountId ?? 0;
  const send = () => sendText(res, onePerAccount(exportPages, accountId, format(bodies())), stopping);
  await exports.run(accountId, send, { signal: closeSignal(res) });
}

/** Makes the pieces of an answer one at a time per account. A page of a workbook takes several milliseconds. */
async function* onePerAccount<T>(
  limit: FairLimit,
  accountId: number,
  answer: AsyncIterable<T>,
): AsyncGenerator<T> {
  const pieces = answer[Symbol.asyncIterator]();
  try {
    for (;;) {
      const piece = await limit.run(accountId, () => pieces.next());
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    await pieces.return?.();
  }
}

/**
 * Sends a long text as it is written and read, for `forMs` at most. It is no error when the caller reads nothing for a
 * minute, is not done in time, or has left.
 */
export async function sendText(
  res: Response,
  text: AsyncIterable<string | Uint8Array>,
  stopping: AbortSignal,
  { forMs }: { forMs?: number } = {},
): Promise<void> {
  // The caller may have left while it waited for the batch.
  if (res.closed) return;
  const signal = forMs === undefined ? stopping : AbortSignal.any([stopping, AbortSignal.timeout(forMs)]);
  try {
    await pipeline(Readable.from(text), res, { signal });
  } catch (error) {
    // The caller may ask again.
    if (signal.aborted || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    throw error;
  }
}

/** One JSON object: `head` with its `results`. */
export function jsonOf(head: object): Format {
  return async function* (pages) {
    let separator = '';
    yield `${JSON.stringify(head).slice(0, -1)},"results":[`;
    for await (const page of pages) {
      yield separator + page.map((body) => JSON.stringify(body)).join(',');
      separator = ',';
    }
    yield ']}';
  };
}

/** A JSON object to the line (ndjson). */
export const ndjson: Format = async function* (pages) {
  for await (const page of pages) yield page.map((body) => `${JSON.stringify(body)}\n`).join('');
};

async function* pagesOf(
  db: Db,
  batch: batches.BatchRow,
  selection: results.Selection,
  limit: number,
): AsyncGenerator<ItemRow[]> {
  let afterPosition = -1;
  let sent = 0;
  while (true) {
    const page = await results.after(db, batch, { ...selection, afterPosition, limit });
    const last = page.at(-1);
    if (!last) break;
    // Other requests run between two pages.
    await setImmediate();
    yield page;
    sent += page.length;
    if (page.length < limit) break;
    afterPosition = last.position ?? afterPosition;
  }
  // A body that breaks off is known to be short; one that ends well would pass for whole.
  const isWhole = Object.keys(selection).length === 0;
  if (batch.completedAt && (isWhole ? sent < batch.total : await isPurged(db, batch))) {
    throw new Error('results were purged while they were sent');
  }
}

async function isPurged(db: Db, batch: batches.BatchRow): Promise<boolean> {
  return (await batches.find(db, batch))?.purgedAt !== null;
}

/** Items as bodies, with what was asked to be shown of them. */
export async function bodiesOf(
  db: Db,
  { accountId, isTest }: Pick<batches.BatchRow, 'accountId' | 'isTest'>,
  rows: ItemRow[],
  { evidence, results }: Include,
): Promise<ResultBody[]> {
  const ids = rows.map(({ requestId }) => requestId);
  const found = results ? await resultPages.find(db, accountId, ids) : null;
  return rows.map((row) => itemBody(row, { evidence, results: found?.get(row.requestId), isTest }));
}
