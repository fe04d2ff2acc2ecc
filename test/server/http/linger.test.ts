import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { TestService } from '../../support/service.ts';

const eightMebibytes = 8 * 1024 * 1024;

describe('an answer before the body was read', () => {
  let service: TestService;
  const sockets: Socket[] = [];
  const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket);

  before(async () => {
    service = await TestService.start();
    subscribe('http.server.request.start', note);
  });

  after(async () => {
    unsubscribe('http.server.request.start', note);
    await service.stop();
  });

  beforeEach(() => {
    sockets.length = 0;
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
      expect(read).to.be.below(3 * 1024 * 1024);
    });
  }

  it('reaches a caller who first sends all of it', async () => {
    const { said, socket } = await send('/api/v1/http-status/bulk', { isPatient: true });
    expect(said).to.match(/^HTTP\/1.1 401 /);
    expect(sockets[0]?.bytesRead).to.be.above(2 * 1024 * 1024);
    socket.destroy();
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
