import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import { handleInOrder, limitConnection } from '../../../server/http/connections.ts';
import { afterTest } from '../../support/after-test.ts';
import { TestService } from '../../support/service.ts';

describe('a connection', () => {
  it('with 1,000 requests at once is closed after at most 10 answers', async () => {
    const service = await TestService.start();
    afterTest(() => service.stop());
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    let text = '';
    const answers = () => text.split('HTTP/1.1 200').length - 1;
    socket.on('data', (data) => {
      text += data;
      if (answers() > 10) socket.destroy();
    });
    socket.on('error', () => {});
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1000));
    await once(socket, 'close');
    expect(answers()).to.be.at.most(10);
  });

  it('that does not read its answer is closed, but one that waits for its answer is kept', async () => {
    const made = Promise.withResolvers<void>();
    const server = createServer(async (req, res) => {
      if (!limitConnection(req, res, 50)) return;
      if (req.url === '/late') await made.promise;
      res.end(req.url === '/late' ? 'late' : Buffer.alloc(64 * 1024 * 1024));
    });
    afterTest(() => server.closeAllConnections());
    afterTest(() => server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const late = fetch(`http://127.0.0.1:${port}/late`);
    const accepted = once(server, 'request');
    await accepted;
    const ended = once(server, 'connection').then(([socket]) => once(socket, 'close'));
    const deaf = connect(port, '127.0.0.1').pause();
    deaf.on('error', () => {});
    deaf.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await ended;
    made.resolve();
    expect(await (await late).text()).to.equal('late');
    deaf.destroy();
  });

  it('handles its requests in order, each once', async () => {
    const begun: string[] = [];
    const first = Promise.withResolvers<void>();
    const server = createServer((req, res) => {
      handleInOrder(req, res, async () => {
        begun.push(req.url ?? '');
        if (req.url === '/1') await first.promise;
        res.end(req.url);
      });
    });
    afterTest(() => server.closeAllConnections());
    afterTest(() => server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    let heard = 0;
    server.on('request', () => heard++);
    socket.write(['/1', '/2', '/3'].map((url) => `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
    while (heard < 3) await new Promise(setImmediate);
    expect(begun).to.deep.equal(['/1']);
    first.resolve();
    while (!text.endsWith('/3')) await new Promise(setImmediate);
    expect(begun).to.deep.equal(['/1', '/2', '/3']);
  });
});
