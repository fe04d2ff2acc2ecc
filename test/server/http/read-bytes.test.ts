import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { expect } from 'chai';
import express from 'express';
import { giveBack, readInTurns } from '../../../server/http/read-bytes.ts';

const mebibyte = 1024 * 1024;

describe('reading the bytes of a body', () => {
  let server: Server;
  let given: number[] = [];

  before(async () => {
    const app = express();
    const read = (onPiece?: () => void) =>
      (async (req, res) => {
        const bytes = await readInTurns(req, { bytesMax: 8 * mebibyte, accountId: 1, onPiece });
        res.json({ length: bytes.length, isWhole: bytes.equals(Buffer.alloc(bytes.length, 0x20)) });
      }) satisfies express.RequestHandler;
    app.post('/whole', read());
    app.post(
      '/refused',
      read(() => {
        throw Object.assign(new Error('refused'), { status: 413 });
      }),
    );
    app.use(((error, _req, res, _next) => {
      res.status(error.status).json({});
    }) satisfies express.ErrorRequestHandler);
    server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
  });

  after(() => {
    server.closeAllConnections();
    server.close();
  });

  beforeEach(() => {
    given = [];
    const allocate = Buffer.allocUnsafeSlow;
    mock.method(Buffer, 'allocUnsafeSlow', (bytes: number) => {
      given.push(bytes);
      return allocate(bytes);
    });
  });

  afterEach(() => mock.restoreAll());

  /** Sends a body in pieces; without saying how long it is, unless told. Answers with the status and what was read. */
  function post(path: string, pieces: Buffer[], length?: number): Promise<[status: number, body: string]> {
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const headers = length === undefined ? {} : { 'Content-Length': length };
      const call = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false });
      call.once('error', reject).once('response', (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          body += text;
        });
        response.once('end', () => resolve([response.statusCode ?? 0, body]));
      });
      for (const piece of pieces) call.write(piece);
      if (path !== '/refused') call.end();
    });
  }

  const spaces = (bytes: number) => Buffer.alloc(bytes, 0x20);

  const givenInAll = () => given.reduce((sum, bytes) => sum + bytes, 0);

  it('gives no memory to one that is refused by its first bytes', async () => {
    const [status] = await post('/refused', [spaces(100)], 8 * mebibyte);
    expect(status).to.equal(413);
    expect(given).to.deep.equal([]);
  });

  it('gives one that is read little more than its length in all', async () => {
    for (const length of [1, 20_000, 250 * 1024, 8 * mebibyte]) {
      given = [];
      const [, body] = await post('/whole', [spaces(length)], length);
      expect(JSON.parse(body)).to.deep.equal({ length, isWhole: true });
      expect(givenInAll()).to.be.at.most(Math.max(4 * length, length + mebibyte));
    }
  });

  it('reads one whose length is not said', async () => {
    const [, body] = await post('/whole', Array(20).fill(spaces(50_000)));
    expect(JSON.parse(body)).to.deep.equal({ length: 1_000_000, isWhole: true });
  });

  it('is given back when it is long; a short one is of memory that others have too', () => {
    const [long, short] = [Buffer.allocUnsafeSlow(mebibyte), Buffer.from('short')];
    const part = long.subarray(0, 300 * 1024);
    const before = process.memoryUsage().arrayBuffers;
    for (const bytes of [part, short]) giveBack(bytes);
    expect(before - process.memoryUsage().arrayBuffers).to.be.at.least(mebibyte);
    expect([long.length, part.length]).to.deep.equal([0, 0]);
    expect(String(short)).to.equal('short');
  });
});
