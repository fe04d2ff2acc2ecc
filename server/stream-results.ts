import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { BatchRef } from '../db/batches.ts';
import { itemBody } from '../db/bodies.ts';
import type { Db } from '../db/connect.ts';
import * as items from '../db/items.ts';

const pageSize = 200;

/** Sends `head` with its `results` as one JSON object, page by page, so that memory does not grow with the batch. */
export async function streamResults(db: Db, ref: BatchRef, head: object, res: Response): Promise<void> {
  res.type('application/json');
  try {
    await pipeline(Readable.from(textOf(db, ref, head)), res);
  } catch (error) {
    // A caller who hangs up in the middle has all he wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* textOf(db: Db, ref: BatchRef, head: object): AsyncGenerator<string> {
  let separator = '';
  yield `${JSON.stringify(head).slice(0, -1)},"results":[`;
  for await (const page of pagesOf(db, ref)) {
    yield separator + page.map((item) => JSON.stringify(itemBody(item))).join(',');
    separator = ',';
  }
  yield ']}';
}

async function* pagesOf(db: Db, ref: BatchRef): AsyncGenerator<items.ItemRow[]> {
  let afterPosition = -1;
  while (true) {
    const page = await items.page(db, ref, { afterPosition, limit: pageSize });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    if (page.length < pageSize) return;
    afterPosition = last.position ?? afterPosition;
  }
}
