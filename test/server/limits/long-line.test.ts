import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express, { type Request } from 'express';
import { readInTurns } from '../../../server/http/read-bytes.ts';
import { lineUpLongBodies } from '../../../server/limits/long-line.ts';
import { eventually } from '../../support/eventually.ts';

const mebibyte = 1024 * 1024;

describe('the line of long bodies', () => {
  const accountOf = (req: Request) => Number(req.get('account'));
  const served: Array<{ account: number; res: ServerResponse }> = [];
  const app = express();
  app.use(async (req, _res, next) => {
    await readInTurns(req, { bytesMax: mebibyte, accountId: accountOf(req) });
    next();
  });
  app.use(lineUpLongBodies(accountOf), (req, res) => {
    served.push({ account: accountOf(req), res });
  });
  const server = createServer(app);

  before((done) => {
    server.listen(0, '127.0.0.1', done);
  });

  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const post = (account: number, bytes: number) => {
    const { port } = server.address() as AddressInfo;
    const call = request({ port, method: 'POST', headers: { account, 'Content-Length': bytes } });
    call.on('error', () => {}).end(Buffer.alloc(bytes));
    return call;
  };
  const untilServed = (count: number) => eventually(async () => served.length === count || null);

  it('is served one by one, whoever leaves, and keeps back neither short ones nor other accounts', async () => {
    const first = post(1, mebibyte);
    await untilServed(1);
    post(1, mebibyte);
    post(1, mebibyte);
    post(1, 1000);
    post(2, mebibyte);
    await untilServed(3);
    expect(served.map(({ account }) => account).sort()).to.deep.equal([1, 1, 2]);
    first.destroy();
    await untilServed(4);
    served.at(-1)?.res.end();
    await untilServed(5);
  });
});
