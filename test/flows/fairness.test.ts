import { expect } from 'chai';
import { sql } from 'kysely';
import { afterTest } from '../support/after-test.ts';
import { eventually } from '../support/eventually.ts';
import { serveSockets } from '../support/raw-server.ts';
import { TestService } from '../support/service.ts';
import { serve, useSite } from '../support/web.ts';

describe('one account does not delay another', () => {
  const site = useSite((_req, res) => res.writeHead(200, { 'Content-Type': 'text/plain' }).end('here'));

  it('behind 20,000 URLs that never answer, ten URLs of another account are checked while most of those wait', async () => {
    // Accepts connections on every loopback address, and never answers.
    const silence = await serveSockets(() => {}, '0.0.0.0');
    const service = await TestService.start({}, { worker: true });
    try {
      const greedy = await service.account(20_000);
      const silent = (index: number) =>
        `http://127.0.${index % 50}.${1 + (index % 200)}:${silence.port}/${index}`;
      for (let batch = 0; batch < 10; batch++) {
        const urls = Array.from({ length: 2000 }, (_, index) => silent(batch * 2000 + index));
        await service.call('/http-status/bulk', { token: greedy.token, body: { urls } });
      }
      await eventually(async () => (silence.connections() > 0 ? true : null));
      const { token } = await service.account(100);
      for (let round = 0; round < 5; round++) {
        const urls = Array.from({ length: 10 }, (_, index) => `${site.url}/${round}/${index}`);
        const { body } = await service.call('/http-status/bulk', { token, body: { urls } });
        await service.ended(token, body.batch_id);
      }
      // Each of these checks lasts until its timeout. The checks of the other accounts would end much later if they
      // waited for all of them.
      expect(silence.connections()).to.be.below(10_000);
      // Chunks that the worker returned because of the limit of their account have used no retry.
      const { rows } = await sql<{ most: number }>`select max(retry_count) as most from pgboss.job`.execute(
        service.db,
      );
      expect(rows[0]?.most).to.equal(0);
    } finally {
      // The remaining checks need not finish.
      const stopped = service.stop();
      await silence.close();
      await stopped;
    }
  });

  it('three greedy accounts share the answers of a site in turn', async () => {
    const service = await TestService.start({ CHECK_CONCURRENCY: '12', CHECK_HOST_CONCURRENCY: '12' });
    afterTest(() => service.stop());
    const answered = new Map<string, number>();
    const paced = await serve((req, res) => {
      const [, whose = ''] = (req.url ?? '').split('/');
      answered.set(whose, (answered.get(whose) ?? 0) + 1);
      setTimeout(() => res.end('here'), 20);
    });
    afterTest(() => paced.close());
    const accounts = await Promise.all([0, 1, 2].map(() => service.account(6000)));
    // All work of the first account is queued before the other accounts submit theirs.
    for (const { token, accountId } of accounts) {
      const urls = Array.from({ length: 2000 }, (_, index) => `${paced.url}/${accountId}/${index}`);
      for (let batch = 0; batch < 2; batch++) {
        await service.call('/http-status/bulk', { token, body: { urls } });
      }
    }
    await service.addWorker();
    const shares = await eventually(async () => {
      const counts = accounts.map(({ accountId }) => answered.get(String(accountId)) ?? 0);
      return counts.reduce((sum, count) => sum + count) >= 900 ? counts : null;
    });
    // The first account has an advantage until the chunks of the other accounts have been fetched.
    expect(Math.min(...shares) / Math.max(...shares), shares.join()).to.be.above(0.5);
  });
});
