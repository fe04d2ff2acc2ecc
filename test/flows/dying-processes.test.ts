import { expect } from 'chai';
import { sql } from 'kysely';
import { createBoss } from '../../db/queue.ts';
import { sweepOrphans } from '../../upkeep/sweep.ts';
import { startFaulty, startWorkerProcess } from '../support/processes.ts';
import { type Answer, TestService } from '../support/service.ts';
import { serve, type TestSite } from '../support/web.ts';

/** A site that counts how often each page was asked for, and takes its time. */
async function serveSlowly(milliseconds: number): Promise<TestSite & { asked: Map<string, number> }> {
  const asked = new Map<string, number>();
  const site = await serve((req, res) => {
    const path = req.url ?? '';
    asked.set(path, (asked.get(path) ?? 0) + 1);
    setTimeout(() => res.writeHead(200, { 'Content-Type': 'text/plain' }).end('here'), milliseconds);
  });
  return { ...site, asked };
}

async function submit(service: TestService, site: TestSite, count: number) {
  const { token, accountId } = await service.account(count);
  const urls = Array.from({ length: count }, (_, index) => `${site.url}/${index}`);
  const { body } = await service.call('/http-status/bulk', { token, body: { urls } });
  return { token, accountId, batchId: body.batch_id as string };
}

function expectAllAnswered(batch: Answer['body'], count: number): void {
  expect(batch).to.include({ status: 'completed', successful: count, failed: 0, credits_refunded: 0 });
  expect(batch.results).to.have.lengthOf(count);
}

describe('processes that die', () => {
  let site: Awaited<ReturnType<typeof serveSlowly>>;
  const points = ['after_fetch', 'before_recording', 'while_finishing', 'before_completion'] as const;
  const stories = new Map<string, Promise<void>>();

  before(async () => {
    site = await serveSlowly(20);
    // Each waits for heartbeats to run out, so they run side by side.
    for (const point of points) stories.set(point, workerDiesAt(point));
    stories.set('while most waits', workerDiesAt('before_recording', { count: 500, pass: 6 }));
    for (const story of stories.values()) story.catch(() => {});
  });

  after(async () => {
    await Promise.allSettled(stories.values());
    await site.close();
  });

  async function workerDiesAt(point: (typeof points)[number], { count = 120, pass = 1 } = {}): Promise<void> {
    const service = await TestService.start();
    try {
      const { token, accountId, batchId } = await submit(service, site, count);
      const doomed = await startFaulty('worker', point, pass, service.env);
      expect(await doomed.ended).to.equal('SIGKILL');
      await service.addWorker();
      const batch = await service.ended(token, batchId);
      expectAllAnswered(batch, count);
      expect(await service.credits(accountId)).to.equal(0);
      await service.quiet();
      expect(await service.problems()).to.deep.equal([]);
    } finally {
      await service.stop();
    }
  }

  for (const point of points) {
    it(`a worker killed at ${point} costs nobody anything`, () => stories.get(point));
  }

  it('nor does one that is killed while most chunks of a batch wait for their jobs', () =>
    stories.get('while most waits'));

  it('web killed between charge and answer: the sweep refunds', async () => {
    const service = await TestService.start();
    const boss = createBoss({ url: service.config.database.url, backend: 'postgres', max: 1, role: 'web' });
    await boss.start();
    try {
      const { token, accountId } = await service.account(5);
      const doomed = await startFaulty('web', 'after_charge', 1, { ...service.env, PORT: '0' });
      const call = fetch(`http://127.0.0.1:${doomed.said}/api/v1/http-status`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': 'k',
        },
        body: JSON.stringify({ url: `${site.url}/single` }),
      });
      await call.then(
        () => expect.fail('it answered'),
        () => {},
      );
      expect(await doomed.ended).to.equal('SIGKILL');
      expect(await service.credits(accountId)).to.equal(4);
      expect((await sweepOrphans(service.db, boss, rethrow)).singleChecksRefunded).to.equal(0);
      await sql`update chunks set created_at = now() - interval '36 seconds'`.execute(service.db);
      expect((await sweepOrphans(service.db, boss, rethrow)).singleChecksRefunded).to.equal(1);
      expect(await service.credits(accountId)).to.equal(5);
      // The key is free again, so a client that repeats its request gets an answer after all.
      const again = await service.call('/http-status', {
        token,
        body: { url: `${site.url}/single` },
        headers: { 'Idempotency-Key': 'k' },
      });
      expect(again.status).to.equal(200);
      expect(await service.problems()).to.deep.equal([]);
    } finally {
      await boss.stop({ graceful: false });
      await service.stop();
    }
  });

  it('a batch lives through three SIGTERM restarts of its worker, each of which exits with 0', async () => {
    const service = await TestService.start();
    try {
      const { token, batchId } = await submit(service, site, 300);
      const slow = await serveSlowly(150);
      const other = await submit(service, slow, 150);
      for (let restart = 0; restart < 3; restart++) {
        const worker = await startWorkerProcess({ ...service.env, CHECK_CONCURRENCY: '4' });
        await new Promise((resolve) => setTimeout(resolve, 300));
        worker.kill('SIGTERM');
        expect(await worker.ended).to.equal(0);
      }
      await service.addWorker();
      expectAllAnswered(await service.ended(token, batchId), 300);
      expectAllAnswered(await service.ended(other.token, other.batchId), 150);
      // Nothing was asked for again because of a restart.
      expect([...slow.asked.values()].filter((times) => times > 1)).to.deep.equal([]);
      await service.quiet();
      expect(await service.problems()).to.deep.equal([]);
      await slow.close();
    } finally {
      await service.stop();
    }
  });

  it('every job deleted in mid-batch: the sweep makes new ones', async () => {
    const service = await TestService.start({ CHECK_CONCURRENCY: '4' }, { worker: true });
    const boss = createBoss({ url: service.config.database.url, backend: 'postgres', max: 1, role: 'web' });
    await boss.start();
    try {
      const { token, batchId } = await submit(service, site, 400);
      await service.until(token, batchId, (batch) => batch.processed > 20);
      await sql`delete from pgboss.job`.execute(service.db);
      const { chunksReenqueued } = await sweepOrphans(service.db, boss, rethrow);
      expect(chunksReenqueued).to.be.greaterThan(3);
      expectAllAnswered(await service.ended(token, batchId), 400);
      await service.quiet();
      expect(await service.problems()).to.deep.equal([]);
    } finally {
      await boss.stop({ graceful: false });
      await service.stop();
    }
  });
});

const rethrow = (error: unknown) => {
  throw error;
};
