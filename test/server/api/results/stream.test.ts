import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { expect } from 'chai';
import express, { type Response } from 'express';
import { sql } from 'kysely';
import * as batches from '../../../../db/batches/batches.ts';
import { csvOf } from '../../../../server/api/results/csv.ts';
import {
  type Format,
  fewRowsPerPage,
  ndjson,
  rowsPerPage,
  streamResults,
} from '../../../../server/api/results/stream.ts';
import { compressText } from '../../../../server/http/compress.ts';
import { createReaders } from '../../../../server/limits/readers.ts';
import { noteAsking } from '../../../../server/limits/rest.ts';
import { borrowRecords, type Records } from '../../../support/records.ts';

type Send = (context: Parameters<typeof streamResults>[0], res: Response) => Promise<void>;

const batchId = '00000000-0000-4000-8000-000000000001';
const total = 2_000;
/** The head of a table, its pages, and one that is empty. */
const piecesOfAll = 1 + total / fewRowsPerPage + 1;
/** What is read for one who does not read: two pages for each of the buffers on the way. */
const aheadMax = 8;

describe('results that are sent', () => {
  let records: Records;
  let batch: batches.BatchRow;

  before(async () => {
    records = await borrowRecords();
    const accountId = await records.account();
    await storeLargest(records, accountId);
    batch = (await batches.find(records.db, { accountId, batchId })) as batches.BatchRow;
  });

  after(() => records.giveBack());

  it('take no more memory for 2,000 of the largest outcomes and readers who do not read', async () => {
    const { connectReader, pagesRead } = serve();
    const idle = ['identity', 'br', 'gzip'].map((encoding) => connectReader(encoding));
    // One who reads to the end asks for as many pages as the others would have been sent by then.
    const busy = connectReader('identity');
    const size = await drain(busy);
    expect(size).to.be.above(total * 3_900);
    expect(pagesRead('identity')).to.be.within(piecesOfAll + 1, piecesOfAll + aheadMax);
    for (const encoding of ['br', 'gzip']) expect(pagesRead(encoding)).to.be.within(1, aheadMax);

    for (const reader of idle) expect(await drain(reader)).to.be.above(size / 2);
    expect([pagesRead('br'), pagesRead('gzip')]).to.deep.equal([piecesOfAll, piecesOfAll]);
  });

  it('are read 100 to a page, and 25 where the results of a rank go with each', async () => {
    const include = { results: false, evidence: false };
    const { connectReader, pagesRead } = serve((context, res) => {
      const results = res.req.path === '/results';
      return streamResults(context, batch, res, ndjson, { include: { ...include, results } });
    });
    for (const kind of ['short', 'results'])
      expect(await drain(connectReader(kind))).to.be.above(total * 3_900);
    expect([pagesRead('short'), pagesRead('results')]).to.deep.equal([
      total / rowsPerPage + 1,
      total / fewRowsPerPage + 1,
    ]);
  });

  it('are written a page at a time of their account, which rests from that while others ask', async () => {
    const spinMs = 20;
    const restsMs: number[] = [];
    const slowly: Format = async function* (pages) {
      let writtenMs: number | null = null;
      for await (const page of pages) {
        noteAsking(batch.accountId + 1);
        noteAsking(batch.accountId);
        if (writtenMs !== null) restsMs.push(performance.now() - writtenMs);
        const beganMs = performance.now();
        while (performance.now() < beganMs + spinMs);
        writtenMs = performance.now();
        yield `${page.length}\n`;
      }
    };
    const readers = createReaders(records.db, 0);
    const { connectReader } = serve((context, res) =>
      streamResults({ ...context, readers }, batch, res, slowly),
    );
    await drain(connectReader('identity'));
    expect(restsMs).to.have.length(total / rowsPerPage - 1);
    // A timer may be a millisecond early.
    expect(Math.min(...restsMs)).to.be.at.least(spinMs - 2);
  });

  /** Sends the batch on connections that hold nothing but what is read, and counts the pages read for them. */
  function serve(
    send: Send = (context, res) =>
      streamResults(context, batch, res, csvOf(batch), { rowsPerPage: fewRowsPerPage }),
  ) {
    const pages: Record<string, number> = {};
    const app = express().use(compressText());
    app.get('/:encoding', async ({ params: { encoding } }, res) => {
      const readers = {
        inTurn: <T>(_: number, send: () => Promise<T>) => send(),
        listsInTurn: <T>(_: number, act: () => Promise<T>) => act(),
        pageInTurn: <T>(_: number, read: () => Promise<T>) => {
          pages[encoding] = (pages[encoding] ?? 0) + 1;
          return read();
        },
        sent: async () => {},
      };
      const stopping = new AbortController().signal;
      res.set('Content-Type', 'text/csv');
      await send({ db: records.db, stopping, readers }, res);
    });
    const server = createServer(app);
    return {
      pagesRead: (encoding: string) => pages[encoding],
      connectReader: (encoding: string): Duplex => {
        const [near, far] = duplexPair();
        server.emit('connection', Object.assign(far, { setTimeout: () => far }));
        near.write(
          `GET /${encoding} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
        );
        return near;
      },
    };
  }
});

/** A batch that has ended, of outcomes no two of which are alike, so that a compressor leaves most of them. */
async function storeLargest({ db }: Records, accountId: number): Promise<void> {
  const address = () => `https://a.example/${randomBytes(371).toString('base64url')}`;
  const rows = Array.from({ length: total }, (_, position) => {
    const redirects = Array.from({ length: 7 }, () => ({ url: address(), status: 301 }));
    return { position, input: { url: address() }, outcome: { status: 200, redirects } };
  });
  await sql`
    insert into batches (account_id, batch_id, type, first_request_id, total, successful, failed, status, started_at,
      completed_at)
    values (${accountId}, ${batchId}, 'http', 1, ${total}, ${total}, 0, 'completed', now(), now())`.execute(
    db,
  );
  await sql`
    insert into items (account_id, request_id, batch_id, position, type, state, input, outcome)
    select ${accountId}, 1 + position, ${batchId}, position, 'http', 'success', input, outcome
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (position int, input json, outcome json)`.execute(
    db,
  );
}

async function drain(reader: Duplex): Promise<number> {
  let size = 0;
  for await (const part of reader) size += part.length;
  return size;
}
