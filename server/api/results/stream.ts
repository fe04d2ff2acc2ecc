import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import * as batches from '../../../db/batches/batches.ts';
import type { ItemRow } from '../../../db/batches/items.ts';
import * as resultPages from '../../../db/batches/result-pages.ts';
import * as results from '../../../db/batches/results.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import { itemBody } from '../../../wire/bodies.ts';
import { itemText } from '../../../wire/item-text.ts';
import type { Context } from '../../context.ts';
import { nextTurn } from '../../http/loop-turns.ts';
import { inPieces } from '../../limits/readers.ts';
import type { Include } from '../include.ts';

/** One result as every format shows it. */
export type ResultBody = ReturnType<typeof itemBody>;

/** Results page by page, in the order of submission, to the text or the bytes of a format. */
export type Format = (pages: AsyncIterable<ResultBody[]>) => AsyncIterable<string | Uint8Array>;

/** The same of results that are JSON text already, with what separates those of a page. */
export interface JsonFormat {
  separator: string;
  format(pages: AsyncIterable<string>): AsyncIterable<string>;
}

/** What of the results, and what of each. */
export interface Shown {
  include?: Include;
  /** All where nothing is said. */
  selection?: results.Selection;
}

// As objects they take more room than as text, and in a workbook more of a turn, which others wait for; with the
// results of a rank each is long.
const [bodiesPerPage, textsPerPage, longTextsPerPage] = [25, 200, 50];
const stalledAfterMs = 60_000;

type StreamContext = Pick<Context, 'db' | 'stopping' | 'readers'>;

/**
 * Sends the results of a batch, or of several of one account and type, in some format, page by page as the
 * caller reads them: memory grows neither with the batch nor with a slow reader. Few are sent to an account at
 * once, and the rows count as requests. One who reads nothing for a minute is hung up on.
 */
export function streamResults(
  context: StreamContext,
  batch: batches.BatchRow | batches.BatchRow[],
  res: Response,
  format: Format,
  { include = nothingMore, selection = {} }: Shown = {},
): Promise<void> {
  const all = [batch].flat();
  const { db } = context;
  const read = async (one: batches.BatchRow, window: Window): Promise<Page<ResultBody[]>> => {
    const rows = await results.after(db, one, window);
    const bodies = await bodiesOf(db, one, rows, include);
    return {
      items: rows.length,
      lastPosition: rows.at(-1)?.position ?? window.afterPosition,
      // Of several each result says which it is of.
      shown: all.length > 1 ? bodies.map((body) => ({ ...body, reference: one.reference })) : bodies,
    };
  };
  return streamPages(context, all, res, format, { selection, read, pageSize: bodiesPerPage });
}

/** The same as JSON, which web passes on as Postgres writes it. */
export function streamJson(
  context: StreamContext,
  batch: batches.BatchRow | batches.BatchRow[],
  res: Response,
  { separator, format }: JsonFormat,
  { include = nothingMore, selection = {} }: Shown = {},
): Promise<void> {
  const all = [batch].flat();
  const read = async (one: batches.BatchRow, window: Window): Promise<Page<string>> => {
    const { type, isTest } = one;
    const reference = all.length > 1 ? one.reference : undefined;
    const text = itemText({ type, isTest, ...include, reference });
    const page = await results.textAfter(context.db, one, window, text, separator);
    return { ...page, shown: page.text ?? '' };
  };
  const pageSize = include.results ? longTextsPerPage : textsPerPage;
  return streamPages(context, all, res, format, { selection, read, pageSize });
}

const nothingMore: Include = { results: false, evidence: false };

interface Page<Results> {
  items: number;
  lastPosition: number;
  shown: Results;
}

type Window = results.Selection & { afterPosition: number; limit: number };

interface Reading<Results> {
  selection: results.Selection;
  pageSize: number;
  read(batch: batches.BatchRow, window: Window): Promise<Page<Results>>;
}

async function streamPages<Results>(
  { db, stopping, readers }: StreamContext,
  all: batches.BatchRow[],
  res: Response,
  format: (pages: AsyncIterable<Results>) => AsyncIterable<string | Uint8Array>,
  reading: Reading<Results>,
): Promise<void> {
  const accountId = all[0]?.accountId ?? 0;
  let rows = 0;
  const counted = async function* () {
    for (const one of all) {
      for await (const { items, shown } of pagesOf(db, one, reading)) {
        rows += items;
        yield shown;
      }
    }
  };
  try {
    // What a page takes to be written, as into a workbook, is as much as what it takes to be read.
    const pieces = inPieces(readers, accountId, format(counted()));
    await readers.inTurn(accountId, () => sendText(res, pieces, stopping));
  } finally {
    await readers.sent(accountId, rows).catch(() => {});
  }
}

/**
 * Sends a long text as it is written and read, for so long where that is said. Who reads nothing for a minute, is not
 * done in time, or has hung up, is no error.
 */
export async function sendText(
  res: Response,
  text: AsyncIterable<string | Uint8Array>,
  stopping: AbortSignal,
  { forMs }: { forMs?: number } = {},
): Promise<void> {
  // Hung up before there was anything to send, as one who waited for the batch may have.
  if (res.closed) return;
  res.setTimeout(stalledAfterMs, () => res.destroy());
  const signal = forMs === undefined ? stopping : AbortSignal.any([stopping, AbortSignal.timeout(forMs)]);
  try {
    await pipeline(Readable.from(text), res, { signal });
  } catch (error) {
    // A caller who hangs up in the middle has all he wanted, and one we must leave can ask again.
    if (signal.aborted || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    throw error;
  }
}

/** One JSON object: `head` with its `results`. */
export function jsonOf(head: object): JsonFormat {
  const format: JsonFormat['format'] = async function* (pages) {
    let separator = '';
    yield `${JSON.stringify(head).slice(0, -1)},"results":[`;
    for await (const page of pages) {
      yield separator + page;
      separator = ',';
    }
    yield ']}';
  };
  return { separator: ',', format };
}

/** A JSON object to the line (ndjson). */
export const ndjson: JsonFormat = {
  separator: '\n',
  format: async function* (pages) {
    for await (const page of pages) yield `${page}\n`;
  },
};

async function* pagesOf<Results>(
  db: Db,
  batch: batches.BatchRow,
  { selection, pageSize, read }: Reading<Results>,
): AsyncGenerator<Page<Results>> {
  let afterPosition = -1;
  let sent = 0;
  while (true) {
    const window = { ...selection, afterPosition, limit: pageSize };
    const page = await read(batch, window);
    if (page.items === 0) break;
    // Of all that are being sent one page is written to a turn, so that whoever else asks is served between.
    await nextTurn(batch.accountId);
    yield page;
    sent += page.items;
    if (page.items < pageSize) break;
    afterPosition = page.lastPosition;
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
