import { expect } from 'chai';
import { sql } from 'kysely';
import { countWork } from '../../db/queue/job-windows.ts';
import { type JobCount, queueOf } from '../../db/queue/queue.ts';
import { sweepOrphans } from '../../upkeep/sweep.ts';
import { afterTest } from '../support/after-test.ts';
import { replaceLostWorker } from '../support/jobs.ts';
import { startFaulty, startWorkerProcess } from '../support/processes.ts';
import { type Answer, TestService, useService } from '../support/service.ts';
import { serve, type TestSite } from '../support/web.ts';

/** A slow site that counts the requests for each page. */
async function serveSlowly(milliseconds: number): Promise<TestSite & { asked: Map<string, number> }> {
  const asked = new Map<string, number>();
  const site = await serve((req, res) => {
    const path = req.url ?? '';
    asked.set(path, (asked.get(path) ?? 0) + 1);
    setTimeout(() => res.writeHead(200, { 'Content-Type': 'text/plain' }).end('here'), milliseconds);
  });
  return { ...site, asked };
}

async function submit(service: TestService, { url }: TestSite, count: number, path = '/http-status/bulk') {
  const { token, accountId } = await service.account(count);
  const urls = Array.from({ length: count }, (_, index) => `${url}/${index}`);
  const { body } = await service.call(path, { token, body: { urls } });
  return { token, accountId, batchId: body.batch_id as string };
}

function expectAllAnswered(batch: Answer['body'], count: number): void {
  expect(batch).to.include({ status: 'completed', successful: count, failed: 0, credits_refunded: 0 });
  expect(batch.results).to.have.lengthOf(count);
}

/** The fail point at which a worker is killed, the number of the pass, and the endpoint and size of the batch. */
const deaths = [
  { point: 'after_fetch', pass: 1, path: '/http-status/bulk', count: 60 },
  { point: 'while_finishing', pass: 1, path: '/http-status/bulk', count: 60 },
  { point: 'before_completion', pass: 1, path: '/http-status/bulk', count: 60 },
  // 50 chunks, of which 20 have a job at a time.
  { point: 'before_recording', pass: 6, path: '/check/bulk', count: 500 },
] as const;

describe('workers that die', () => {
  let site: TestSite;
  const service = useService();
  let batches: Awaited<ReturnType<typeof submit>>[];
  let leftWork: JobCount[];

  before(async () => {
    site = await serveSlowly(20);
    batches = [];
    // All these workers are killed, one after the other, before another worker takes over.
    for (const { point, pass, path, count } of deaths) {
      batches.push(await submit(service, site, count, path));
      const doomed = await startFaulty('worker', point, pass, service.env);
      expect(await doomed.ended, point).to.equal('SIGKILL');
    }
    leftWork = await countWork(service.db);
    for (const type of ['http', 'index'] as const)
      await replaceLostWorker(service.db, await service.boss(), queueOf(type));
    await service.addWorker();
  });

  after(async () => {
    await site.close();
  });

  deaths.forEach(({ point, pass, count }, index) => {
    it(`at ${point} (${pass}), with ${count} items, cause no second charge`, async () => {
      const { token, accountId, batchId } = batches[index]!;
      expectAllAnswered(await service.ended(token, batchId), count);
      expect(await service.credits(accountId)).to.equal(0);
    });
  });

  it('leave about half of the chunks of a long batch without a job', () => {
    const waiting = leftWork.find(({ queue, state }) => queue === 'index-checks' && state === 'waiting');
    expect(waiting?.jobs).to.be.within(20, 30);
  });

  it('leave right books and no work', async () => {
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
  });
});

describe('processes that die', () => {
  let site: Awaited<ReturnType<typeof serveSlowly>>;

  before(async () => {
    site = await serveSlowly(20);
  });
  after(() => site.close());

  it('web killed between charge and answer: the sweep refunds', async () => {
    const service = await TestService.start();
    afterTest(() => service.stop());
    const swept = async () => sweepOrphans(service.db, await service.boss(), rethrow);
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
    expect((await swept()).singleChecksRefunded).to.equal(0);
    await sql`update chunks set created_at = now() - interval '36 seconds'`.execute(service.db);
    expect((await swept()).singleChecksRefunded).to.equal(1);
    expect(await service.credits(accountId)).to.equal(5);
    // The key is free again, so a retry of the request gets an answer.
    const again = await service.call('/http-status', {
      token,
      body: { url: `${site.url}/single` },
      headers: { 'Idempotency-Key': 'k' },
    });
    expect(again.status).to.equal(200);
    expect(await service.problems()).to.deep.equal([]);
  });

  it('a batch survives a SIGTERM restart of its worker, which exits with 0', async () => {
    const service = await TestService.start();
    afterTest(() => service.stop());
    const { token, batchId } = await submit(service, site, 120);
    const slow = await serveSlowly(150);
    const other = await submit(service, slow, 60);
    const worker = await startWorkerProcess({ ...service.env, CHECK_CONCURRENCY: '4' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    worker.kill('SIGTERM');
    expect(await worker.ended).to.equal(0);
    await service.addWorker();
    expectAllAnswered(await service.ended(token, batchId), 120);
    expectAllAnswered(await service.ended(other.token, other.batchId), 60);
    // No request was repeated because of a restart.
    expect([...slow.asked.values()].filter((times) => times > 1)).to.deep.equal([]);
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
    await slow.close();
  });

  it('every job deleted during a batch: the sweep creates new ones', async () => {
    const service = await TestService.start({ CHECK_CONCURRENCY: '4' }, { worker: true });
    afterTest(() => service.stop());
    const { token, batchId } = await submit(service, site, 300);
    await service.until(token, batchId, (batch) => batch.processed > 20);
    await sql`delete from pgboss.job`.execute(service.db);
    const { chunksReenqueued } = await sweepOrphans(service.db, await service.boss(), rethrow);
    expect(chunksReenqueued).to.be.greaterThan(3);
    expectAllAnswered(await service.ended(token, batchId), 300);
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
  });
});

const rethrow = (error: unknown) => {
  throw error;
};
