import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import express, { type Response } from 'express';
import * as batches from '../../../../db/batches/batches.ts';
import { FairLimit } from '../../../../process/fair-limit.ts';
import { toCsv } from '../../../../server/api/results/csv.ts';
import {
  fewRowsPerPage,
  ndjson,
  type ResultBody,
  rowsPerPage,
  sendText,
  streamResults,
} from '../../../../server/api/results/stream.ts';
import { createResultColumns } from '../../../../server/api/results/table.ts';
import { compressText } from '../../../../server/http/compress.ts';
import { storeBatch } from '../../../support/ended-batch.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Records, useRecords } from '../../../support/records.ts';
import { serve as serveSite } from '../../../support/web.ts';

type Send = (
  context: Parameters<typeof streamResults>[0],
  res: Response,
  onPage: () => void,
) => Promise<void>;

const total = 1_000;
const pagesOfAll = total / fewRowsPerPage;
/** Maximum of pages that are read for an idle reader: two for each buffer. */
const aheadMax = 8;

describe('streaming results', () => {
  const records = useRecords();
  let batch: batches.BatchRow;

  before(async () => {
    const accountId = await records.account();
    const batchId = await storeLargest(records, accountId);
    batch = (await batches.find(records.db, { accountId, batchId })) as batches.BatchRow;
  });

  it('limits memory for 1,000 of the largest outcomes and idle readers', async () => {
    const { connectReader, pagesRead } = serve();
    const idle = ['identity', 'br', 'gzip'].map((encoding) => connectReader(encoding));
    // This reader receives everything. Meanwhile the others could request just as many pages.
    const busy = connectReader('identity');
    const size = await drain(busy);
    expect(size).to.be.above(total * 3_900);
    expect(pagesRead('identity')).to.be.within(pagesOfAll + 1, pagesOfAll + aheadMax);
    for (const encoding of ['br', 'gzip']) expect(pagesRead(encoding)).to.be.within(1, aheadMax);

    for (const reader of idle) expect(await drain(reader)).to.be.above(size / 2);
    expect([pagesRead('br'), pagesRead('gzip')]).to.deep.equal([pagesOfAll, pagesOfAll]);
  });

  it('reads 100 results per page, or 25 with the results of a rank', async () => {
    const include = { results: false, overview: false, evidence: false };
    const { connectReader, pagesRead } = serve((context, res, onPage) => {
      const results = res.req.path === '/results';
      const format = (pages: AsyncIterable<ResultBody[]>) => ndjson(noted(pages, onPage));
      return streamResults(context, batch, res, format, { include: { ...include, results } });
    });
    for (const kind of ['short', 'results'])
      expect(await drain(connectReader(kind))).to.be.above(total * 3_900);
    expect([pagesRead('short'), pagesRead('results')]).to.deep.equal([
      total / rowsPerPage,
      total / fewRowsPerPage,
    ]);
  });

  it('serves four readers of an account at once; the fifth waits, other accounts do not', async () => {
    const exports = new FairLimit({ total: 128, perAccount: 4 });
    const begun: string[] = [];
    const csv = toCsv(createResultColumns(batch));
    const { connectReader } = serve((context, res) => {
      const { path } = res.req;
      const one = path === '/other' ? { ...batch, accountId: -1, completedAt: null } : batch;
      return streamResults({ ...context, exports }, one, res, (pages) => {
        begun.push(path);
        return csv(pages);
      });
    });
    const readers = ['1', '2', '3', '4', '5'].map((nth) => connectReader(nth));
    await drain(connectReader('other'));
    expect(begun).to.have.members(['/1', '/2', '/3', '/4', '/other']);
    await Promise.all(readers.map(drain));
    expect(begun).to.have.length(6);
  });

  it('frees the slot of a reader that leaves while it waits', async () => {
    const exports = new FairLimit({ total: 128, perAccount: 1 });
    const first = exports.tryAcquire(batch.accountId);
    let ended = 0;
    const app = express().get('/', async (_req, res) => {
      const context = { db: records.db, stopping: new AbortController().signal, exports };
      const sent = streamResults(
        { ...context, exportPages: exports },
        batch,
        res,
        toCsv(createResultColumns(batch)),
      );
      await sent.catch((error) => expect(error).to.include({ status: 400 }));
      ended += 1;
    });
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const call = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).on(
      'error',
      () => {},
    );
    await once(server, 'request');
    call.destroy();
    await eventually(async () => ended === 1 || null);
    server.close();
    expect(exports.inUse).to.equal(1);
    first?.release();
    expect(exports.inUse).to.equal(0);
  });

  it('formats one page at a time per account', async () => {
    const exportPages = new FairLimit({ total: 4, perAccount: 1 });
    let [atOnce, mostAtOnce] = [0, 0];
    const { connectReader } = serve((context, res) =>
      streamResults({ ...context, exportPages }, batch, res, async function* (pages) {
        for await (const page of pages) {
          mostAtOnce = Math.max(mostAtOnce, ++atOnce);
          await nextTurn();
          atOnce -= 1;
          yield `${page.length}\n`;
        }
      }),
    );
    await Promise.all(['1', '2', '3'].map((nth) => drain(connectReader(nth))));
    expect(mostAtOnce).to.equal(1);
  });

  /** Sends the batch on connections without buffers, and counts the pages read for them. */
  function serve(
    send: Send = (context, res, onPage) => {
      const csv = toCsv(createResultColumns(batch));
      const format = (pages: AsyncIterable<ResultBody[]>) => csv(noted(pages, onPage));
      return streamResults(context, batch, res, format, { rowsPerPage: fewRowsPerPage });
    },
  ) {
    const pages: Record<string, number> = {};
    const app = express().use(compressText());
    const exports = new FairLimit({ total: 128 });
    const exportPages = new FairLimit({ total: 128 });
    app.get('/:encoding', async ({ params: { encoding } }, res) => {
      const stopping = new AbortController().signal;
      res.set('Content-Type', 'text/csv');
      await send({ db: records.db, stopping, exports, exportPages }, res, () => {
        pages[encoding] = (pages[encoding] ?? 0) + 1;
      });
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

describe('a long response', () => {
  it('ends at its deadline, even while it is read', async () => {
    const { promise: sent, resolve, reject } = Promise.withResolvers<void>();
    const endless = async function* () {
      for (;;) {
        await nextTurn();
        yield 'x';
      }
    };
    const site = await serveSite((_, res) => {
      const { signal } = new AbortController();
      sendText(res as never, endless(), signal, { forMs: 50 }).then(resolve, reject);
    });
    const read = await fetch(site.url)
      .then((response) => response.text())
      .catch((error: unknown) => error);
    await sent;
    // The connection breaks, so that the text does not look complete.
    expect(read).to.be.instanceOf(Error);
    await site.close();
  });
});

/** Stores an ended batch of distinct outcomes, which compress badly. */
function storeLargest(records: Records, accountId: number): Promise<string> {
  const address = () => `https://a.example/${randomBytes(371).toString('base64url')}`;
  const entries = Array.from({ length: total }, (): [object, object] => {
    const redirects = Array.from({ length: 7 }, () => ({ url: address(), status: 301 }));
    return [{ url: address() }, { status: 200, redirects }];
  });
  return storeBatch(records, { accountId, type: 'http', entries });
}

async function* noted<T>(pages: AsyncIterable<T>, onPage: () => void): AsyncGenerator<T> {
  for await (const page of pages) {
    onPage();
    yield page;
  }
}

async function drain(reader: Duplex): Promise<number> {
  let size = 0;
  for await (const part of reader) size += part.length;
  return size;
}
