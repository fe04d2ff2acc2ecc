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
import type { Include } from '../parameters.ts';

export type ResultBody = ReturnType<typeof itemBody>;

/** Converts pages of rows to the text or bytes of a format. */
export type Format<Row> = (pages: AsyncIterable<Row[]>) => AsyncIterable<string | Uint8Array>;
type ResultFormat = Format<ResultBody>;

export type StreamContext = Pick<Context, 'db' | 'stopping' | 'exports' | 'exportPages'>;

interface StreamOptions {
  include?: Include;
  /** Default: all results. */
  selection?: results.Selection;
  rowsPerPage?: number;
}

export const rowsPerPage = 100;
/** For slow formats, and for long rows. A row can have results of 16 KiB and an overview of 64 KiB. */
export const fewRowsPerPage = 25;

/** Streams the results of a batch, or of several batches of one account and type. */
export async function streamResults(
  context: StreamContext,
  batch: batches.BatchRow | batches.BatchRow[],
  res: Response,
  format: ResultFormat,
  {
    include = { results: false, overview: false, evidence: false },
    selection = {},
    rowsPerPage: limit = include.results || include.overview ? fewRowsPerPage : rowsPerPage,
  }: StreamOptions = {},
): Promise<void> {
  const all = [batch].flat();
  const bodies = async function* () {
    for (const one of all) {
      for await (const rows of readPages(context.db, one, selection, limit)) {
        const page = await toBodies(context.db, one, rows, include);
        // In a file of several batches, each result has the reference of its batch.
        yield all.length > 1 ? page.map((body) => ({ ...body, reference: one.reference })) : page;
      }
    }
  };
  await streamPages(context, all[0]?.accountId ?? 0, res, () => format(bodies()));
}

/**
 * Streams a file piece by piece as the client reads it, in constant memory. A client that reads nothing for a minute is
 * disconnected.
 */
export async function streamPages(
  { stopping, exports, exportPages }: Omit<StreamContext, 'db'>,
  accountId: number,
  res: Response,
  createPieces: () => AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const send = () => sendText(res, onePerAccount(exportPages, accountId, createPieces()), stopping);
  await exports.run(accountId, send, { signal: closeSignal(res) });
}

/** Produces one piece at a time per account. A page of a workbook takes several milliseconds. */
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
 * Streams a long text for at most `forMs`. It is not an error if the client reads nothing for a minute, is too slow or
 * disconnects.
 */
export async function sendText(
  res: Response,
  text: AsyncIterable<string | Uint8Array>,
  stopping: AbortSignal,
  { forMs }: { forMs?: number } = {},
): Promise<void> {
  // The client may have disconnected while the request waited for a slot.
  if (res.closed) return;
  const signal = forMs === undefined ? stopping : AbortSignal.any([stopping, AbortSignal.timeout(forMs)]);
  try {
    await pipeline(Readable.from(text), res, { signal });
  } catch (error) {
    if (signal.aborted || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    throw error;
  }
}

/** Writes a JSON object with the fields of `head` and the field `results`. */
export function toJson(head: object): ResultFormat {
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

export const ndjson: ResultFormat = async function* (pages) {
  for await (const page of pages) yield page.map((body) => `${JSON.stringify(body)}\n`).join('');
};

async function* readPages(
  db: Db,
  batch: batches.BatchRow,
  selection: results.Selection,
  limit: number,
): AsyncGenerator<ItemRow[]> {
  let afterPosition = -1;
  let sent = 0;
  while (true) {
    const page = await results.pageAfter(db, batch, { ...selection, afterPosition, limit });
    const last = page.at(-1);
    if (!last) break;
    // Other requests run between two pages.
    await setImmediate();
    yield page;
    sent += page.length;
    if (page.length < limit) break;
    afterPosition = last.position ?? afterPosition;
  }
  // An interrupted response tells the client that results are missing.
  const isUnfiltered = Object.keys(selection).length === 0;
  if (batch.completedAt && (isUnfiltered ? sent < batch.total : await isPurged(db, batch))) {
    throw new Error('results were purged while they were sent');
  }
}

async function isPurged(db: Db, batch: batches.BatchRow): Promise<boolean> {
  return (await batches.find(db, batch))?.purgedAt !== null;
}

export async function toBodies(
  db: Db,
  { accountId, isTest }: Pick<batches.BatchRow, 'accountId' | 'isTest'>,
  rows: ItemRow[],
  { evidence, results, overview }: Include,
): Promise<ResultBody[]> {
  const ids = rows.map(({ requestId }) => requestId);
  const found = results || overview ? await resultPages.find(db, accountId, ids) : null;
  return rows.map((row) => {
    const page = found?.get(row.requestId) ?? {};
    const parts = {
      ...(results ? { results: page.results } : {}),
      ...(overview ? { overview: page.overview } : {}),
    };
    return itemBody(row, { evidence, isTest, ...parts });
  });
}
