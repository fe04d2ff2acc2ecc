import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { TestService } from '../../support/service.ts';

const pieceBytes = 64 * 1024;
const eightMebibytes = 8 * 1024 * 1024;

describe('an answer before the body was read', () => {
  let service: TestService;
  const sockets: Socket[] = [];
  /** How often a piece was taken of what is not read. */
  let taken = 0;
  const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket);

  before(async () => {
    service = await TestService.start();
    subscribe('http.server.request.start', note);
    const { setInterval } = globalThis;
    mock.method(globalThis, 'setInterval', (take: () => void, everyMs: number) => {
      const counted = () => {
        taken += 1;
        take();
      };
      // What is taken is counted and not timed, so it may come sooner.
      return setInterval(counted, everyMs / 5);
    });
  });

  after(async () => {
    mock.restoreAll();
    unsubscribe('http.server.request.start', note);
    await service.stop();
  });

  beforeEach(() => {
    sockets.length = 0;
    taken = 0;
  });

  const head = (path: string, bytes = eightMebibytes) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;

  /** Sends a body of 8 MiB, and answers the connection with what was said when all of that is here. */
  function send(path: string, { isPatient = false } = {}): Promise<{ said: string; socket: Socket }> {
    const { promise, resolve } = Promise.withResolvers<{ said: string; socket: Socket }>();
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    let said = '';
    socket.on('data', (part) => {
      said += String(part);
      resolve({ said, socket });
    });
    socket.on('error', () => resolve({ said, socket }));
    // Who sends all before he reads has not looked at anything yet.
    if (isPatient) socket.pause();
    socket.write(head(path));
    socket.write(Buffer.alloc(eightMebibytes, 'x'), () => socket.resume());
    return promise;
  }

  for (const path of ['/api/v1/http-status/bulk', '/read', '/nowhere']) {
    it(`does not read on as fast as bytes come: ${path}`, async () => {
      const sent = await Promise.all(Array.from({ length: 5 }, () => send(path)));
      for (let turn = 0; turn < 50; turn++) await setImmediate();
      const read = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
      for (const { said, socket } of sent) {
        expect(said).to.match(/^HTTP\/1.1 (?:401|303|404) [\s\S]*\r\nConnection: close\r\n/);
        socket.destroy();
      }
      // Of each connection what fills its buffers, however long the turns were; what is taken of one leaves room for
      // a piece, and for another where that was not a whole one.
      expect(read).to.be.at.most((5 * 4 + 2 * taken) * pieceBytes);
    });
  }

  /** On a busy machine ten seconds may be over before all that is tested has come. */
  function keepLong() {
    const { setTimeout } = globalThis;
    return mock.method(globalThis, 'setTimeout', (close: () => void, ms: number) =>
      setTimeout(close, ms === 10_000 ? 30 * ms : ms),
    );
  }

  it('reaches a caller who first sends all of it', async () => {
    const keep = keepLong();
    const { said, socket } = await send('/api/v1/http-status/bulk', { isPatient: true });
    keep.mock.restore();
    expect(said).to.match(/^HTTP\/1.1 401 /);
    expect(sockets[0]?.bytesRead).to.be.above(2 * 1024 * 1024);
    socket.destroy();
  });

  it('keeps eight connections of an address so, and the oldest goes', async () => {
    const keep = keepLong();
    const callers: Socket[] = [];
    for (let count = 0; count < 10; count++) callers.push((await send('/api/v1/http-status/bulk')).socket);
    const isOpen = await eventually(async () => {
      const open = sockets.map(({ destroyed }) => !destroyed);
      return open.filter((is) => is).length <= 8 ? open : null;
    });
    keep.mock.restore();
    expect(isOpen).to.deep.equal([false, false, ...Array(8).fill(true)]);
    for (const socket of callers) socket.destroy();
  });

  it('leaves a connection open after a short one', async () => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    let said = '';
    socket.on('data', (part) => {
      said += String(part);
    });
    for (let count = 0; count < 2; count++) socket.write(`${head('/api/v1/check', 2)}{}`);
    await eventually(async () => said.split('HTTP/1.1 401').length === 3 || null);
    expect(said).to.not.contain('Connection: close');
    socket.destroy();
  });
});
