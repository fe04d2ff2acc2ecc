import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { sql } from 'kysely';
import { TestService } from '../support/service.ts';
import { serve, type TestSite } from '../support/web.ts';

/** Takes connections on every loopback address and never says a word. */
async function serveSilence(): Promise<{ port: number; server: Server }> {
  const sockets = new Set<import('node:net').Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})));
  server.once('close', () => sockets.clear());
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, server };
}

describe('one account does not delay another', () => {
  let site: TestSite;

  before(async () => {
    site = await serve((_req, res) => res.writeHead(200, { 'Content-Type': 'text/plain' }).end('here'));
  });

  after(() => site.close());

  it('with 20,000 addresses that never answer before it, ten others are done within 3 s', async () => {
    const silence = await serveSilence();
    const service = await TestService.start({}, { worker: true });
    try {
      const greedy = await service.account(20_000);
      const silent = (index: number) =>
        `http://127.0.${index % 50}.${1 + (index % 200)}:${silence.port}/${index}`;
      for (let batch = 0; batch < 10; batch++) {
        const urls = Array.from({ length: 2000 }, (_, index) => silent(batch * 2000 + index));
        await service.call('/http-status/bulk', { token: greedy.token, body: { urls } });
      }
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const { token } = await service.account(100);
      const times: number[] = [];
      for (let round = 0; round < 5; round++) {
        const startedMs = performance.now();
        const urls = Array.from({ length: 10 }, (_, index) => `${site.url}/${round}/${index}`);
        const { body } = await service.call('/http-status/bulk', { token, body: { urls } });
        await service.ended(token, body.batch_id);
        times.push(performance.now() - startedMs);
      }
      expect(Math.max(...times)).to.be.below(3000);
      // Chunks that the worker put back because their account held enough have used up no retry.
      const { rows } = await sql<{ most: number }>`select max(retry_count) as most from pgboss.job`.execute(
        service.db,
      );
      expect(rows[0]?.most).to.equal(0);
    } finally {
      await service.stop();
      silence.server.close();
    }
  });

  it('three greedy accounts share within 10 %', async () => {
    const service = await TestService.start({ CHECK_CONCURRENCY: '12', CHECK_HOST_CONCURRENCY: '12' });
    const paced = await serve((_req, res) => void setTimeout(() => res.end('here'), 20));
    try {
      const accounts = await Promise.all([0, 1, 2].map(() => service.account(6000)));
      const urls = Array.from({ length: 2000 }, (_, index) => `${paced.url}/${index}`);
      const batches: Array<{ token: string; id: string }> = [];
      // The first has all of its work waiting before the others come.
      for (const { token } of accounts) {
        for (let batch = 0; batch < 2; batch++) {
          const { body } = await service.call('/http-status/bulk', { token, body: { urls } });
          batches.push({ token, id: body.batch_id });
        }
      }
      await service.addWorker();
      await new Promise((resolve) => setTimeout(resolve, 6000));
      const done = new Map<string, number>();
      for (const { token, id } of batches) {
        const { body } = await service.call(`/batch/${id}?results=none`, { token });
        done.set(token, (done.get(token) ?? 0) + body.processed);
      }
      const shares = [...done.values()];
      const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
      expect(mean).to.be.greaterThan(200);
      for (const share of shares) expect(share / mean).to.be.within(0.9, 1.1);
    } finally {
      await service.stop();
      await paced.close();
    }
  });
});
