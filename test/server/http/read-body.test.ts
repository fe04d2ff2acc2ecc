import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { mock } from 'node:test';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { useService } from '../../support/service.ts';

const mebibyte = 1024 * 1024;

describe('a large body', () => {
  const service = useService();
  const requests: IncomingMessage[] = [];
  const note = (message: unknown) => requests.push((message as { request: IncomingMessage }).request);

  before(() => subscribe('http.server.request.start', note));
  after(() => void unsubscribe('http.server.request.start', note));

  const list = (bytes: number, more = {}) =>
    JSON.stringify({ urls: ['nonsense'], on_invalid: 'skip', ...more }).padEnd(bytes);

  /** Announces 8 MiB and sends the first byte. */
  function begin(token: string) {
    const call = request(`${service.baseUrl}/api/v1/http-status/bulk`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Content-Length': 8 * mebibyte,
      },
    });
    call.on('error', () => {});
    call.write('{');
    return call;
  }

  const beingRead = () => requests.filter((one) => one.readableFlowing && !one.destroyed).length;

  it('is one of four that are read at once per account; the next waits', async () => {
    const [greedy, other] = [await service.account(), await service.account()];
    requests.length = 0;
    const calls = Array.from({ length: 6 }, () => begin(greedy.token));
    await eventually(async () => (requests.length === 6 && beingRead() === 4) || null);
    const answer = await service.call('/http-status/bulk', { token: other.token, raw: list(mebibyte) });
    expect(answer.status).to.equal(202);
    expect(beingRead()).to.equal(4);
    const isRead = requests.findIndex((one) => one.readableFlowing);
    requests[isRead]?.socket.destroy();
    await eventually(async () => requests.filter((one) => one.readableFlowing).length === 6 || null);
    expect(beingRead()).to.equal(4);
    for (const call of calls) call.destroy();
  });

  it('does not delay a small body of unknown length', async () => {
    const { token } = await service.account();
    const calls = Array.from({ length: 4 }, () => begin(token));
    await eventually(async () => beingRead() === 4 || null);
    const answer = await fetch(`${service.baseUrl}/api/v1/http-status`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: new Blob(['{"url": "nonsense"}']).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).to.equal(422);
    for (const call of calls) call.destroy();
  });

  it('is not parsed on the main thread', async () => {
    const { token } = await service.account();
    const parse = mock.method(JSON, 'parse');
    const answer = await service.call('/http-status/bulk', { token, raw: list(300 * 1024) });
    const longest = Math.max(...parse.mock.calls.map(({ arguments: [text] }) => String(text).length));
    parse.mock.restore();
    expect(answer.status).to.equal(202);
    expect(longest).to.be.below(256 * 1024);
  });

  it('is compared byte by byte for an Idempotency-Key', async () => {
    const { token } = await service.account();
    const headers = { 'Idempotency-Key': 'large' };
    const post = (raw: string) => service.call('/http-status/bulk', { token, raw, headers });
    const first = await post(list(mebibyte));
    const again = await post(list(mebibyte));
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(again.text).to.equal(first.text);
    expect((await post(list(mebibyte, { reference: 'other' }))).status).to.equal(409);
  });

  it('that is not UTF-8 or not JSON gets the same error as a small one', async () => {
    const { token } = await service.account();
    const post = async (raw: string | Uint8Array) => {
      const { status, body } = await service.call('/http-status/bulk', { token, raw });
      return [status, body.error];
    };
    expect(await post(new Uint8Array(300 * 1024).fill(0xff))).to.deep.equal([400, 'invalid_json']);
    expect(
      await post(
        list(8 * mebibyte)
          .slice(0, -1)
          .concat('}'),
      ),
    ).to.deep.equal([400, 'invalid_json']);
    const deep = `{"urls":${'['.repeat(50)}"${'x'.repeat(mebibyte)}"${']'.repeat(50)}}`;
    expect(await post(deep)).to.deep.equal([422, 'validation_failed']);
  });

  /** Sends the head of a request, and the rest when the answer begins. Returns all that was received. */
  function answerTo(path: string, head: string, rest: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
      let said = '';
      socket.on('data', (part) => {
        if (said === '') socket.write(rest);
        said += String(part);
        if (said.includes('"alive"')) socket.end();
      });
      socket.on('close', () => resolve(said));
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\n${head}Content-Type: application/json\r\nContent-Length: 9000000\r\n\r\n`,
      );
    });
  }

  it('is rejected before it is sent, and the connection serves the next request', async () => {
    const { token } = await service.account();
    const rest = `${'x'.repeat(9_000_000)}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`;
    const cases: Array<[path: string, head: string, status: number]> = [
      ['/api/v1/http-status/bulk', '', 401],
      ['/api/v1/http-status/bulk', `Authorization: Bearer ${token}\r\n`, 413],
      ['/api/v1/check', `Authorization: Bearer ${token}\r\n`, 413],
      ['/read', '', 303],
      ['/nowhere', '', 404],
    ];
    for (const [path, head, status] of cases) {
      const said = await answerTo(path, head, rest);
      expect(said, path).to.match(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*HTTP/1.1 200 [\\s\\S]*"alive"`));
    }
  });

  it('without a declared length gets its answer after everything was sent', async () => {
    const { token } = await service.account();
    const call = request(`${service.baseUrl}/api/v1/http-status/bulk`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    });
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    call.on('response', ({ statusCode }) => resolve(statusCode));
    for (let count = 0; count < 12; count++) call.write(Buffer.alloc(mebibyte, ' '));
    call.end();
    expect(await promise).to.equal(413);
  });
});
