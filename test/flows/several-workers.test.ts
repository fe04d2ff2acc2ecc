import { expect } from 'chai';
import { sql } from 'kysely';
import { chunkQueues } from '../../db/queue/queue.ts';
import { startGoogle } from '../support/google.ts';
import { replaceLostWorker } from '../support/jobs.ts';
import { startFaulty, startWorkerProcess } from '../support/processes.ts';
import { TestService } from '../support/service.ts';
import { serve } from '../support/web.ts';

describe('a batch of 200 queries for 40 searches', () => {
  it('requests each page once, with two workers', async () => {
    const google = await startGoogle({ delayMs: 30 });
    const service = await TestService.start({ ...google.env('serper'), SERP_REUSE_SECONDS: '0' });
    const workers = [1, 2].map(() => startWorkerProcess(service.env));
    try {
      await Promise.all(workers);
      const { token } = await service.account(200);
      // Five targets on the third page for each of forty keywords, in random order.
      const queries = Array.from({ length: 200 }, (_, index) => ({
        keyword: `keyword number ${index % 40}`,
        url: `rank-${21 + Math.floor(index / 40)}.example`,
        end_page: 4,
      }));
      const { body } = await service.call('/keyword-track', { token, body: { queries } });
      expect(body.snapshot_id).to.equal(body.batch_id);
      const batch = await service.ended(token, body.batch_id);
      expect(batch).to.include({ status: 'completed', successful: 200, type: 'keyword' });
      expect(batch.results.map((item: { rank: number }) => item.rank)).to.deep.equal(
        queries.map(({ url }) => Number(/\d+/.exec(url)?.[0])),
      );
      const pages = google.serper.seen.map(({ body: asked }) => asked);
      expect(new Set(pages).size).to.equal(120);
      await service.quiet();
      // On a busy machine a second job may get a chunk, which searches again: at most ten searches of three pages.
      const { rows } = await sql<{ again: number }>`
        select (sum(1 + retry_count) - count(distinct data ->> 'chunk_id'))::integer as again
        from pgboss.job where name = 'rank-checks'`.execute(service.db);
      const again = rows[0]?.again ?? 0;
      expect(pages.length).to.be.within(120, 120 + 30 * again);
      expect(await service.problems()).to.deep.equal([]);
    } finally {
      for (const worker of await Promise.all(workers)) worker.kill('SIGTERM');
      await Promise.all((await Promise.all(workers)).map(({ ended }) => ended));
      await service.stop();
      await google.close();
    }
  });
});

describe('all three types of batches together', function () {
  this.timeout(20 * 60_000);

  it('end 300 items each although workers are killed meanwhile, twice', async () => {
    const google = await startGoogle({ delayMs: 5 });
    const site = await serve(
      (_req, res) => void setTimeout(() => res.writeHead(200, { 'Content-Type': 'text/plain' }).end('x'), 5),
    );
    const service = await TestService.start({
      ...google.env(),
      PROVIDER_CONCURRENCY: '60',
      CHECK_HOST_CONCURRENCY: '50',
    });
    try {
      const { token, accountId } = await service.account(900);
      const submit = async (path: string, body: object) =>
        (await service.call(path, { token, body })).body.batch_id;
      const numbers = Array.from({ length: 300 }, (_, index) => index);
      const ids = [
        await submit('/http-status/bulk', { urls: numbers.map((index) => `${site.url}/${index}`) }),
        await submit('/check/bulk', {
          urls: numbers.map((index) => `https://${index % 2 ? 'indexed' : 'absent'}.example/${index}`),
        }),
        await submit('/keyword-track', {
          queries: numbers.map((index) => ({
            keyword: `words ${index % 120}`,
            url: `rank-${1 + (index % 20)}.example`,
            end_page: 3,
          })),
        }),
      ];
      for (let death = 0; death < 2; death++) {
        const doomed = await startFaulty('worker', 'after_fetch', 80, service.env);
        expect(await doomed.ended).to.equal('SIGKILL');
        for (const queue of chunkQueues) await replaceLostWorker(service.db, await service.boss(), queue);
      }
      await service.addWorker();
      const [http, index, keyword] = await Promise.all(ids.map((id) => service.ended(token, id, 900_000)));
      for (const batch of [http, index, keyword]) {
        expect(batch).to.include({ status: 'completed', successful: 300, failed: 0 });
        expect(batch.results).to.have.lengthOf(300);
      }
      expect(http.summary).to.include({ status_2xx: 300 });
      expect(index.summary).to.deep.equal({ indexed: 150, not_indexed: 150, canceled: 0, skipped: 0 });
      expect(
        index.results.every(
          (item: { is_indexed: boolean }, at: number) => item.is_indexed === (at % 2 === 1),
        ),
      ).to.equal(true);
      expect(
        keyword.results.every((item: { rank: number }, at: number) => item.rank === 1 + (at % 20)),
      ).to.equal(true);
      expect(await service.credits(accountId)).to.equal(0);
      await service.quiet();
      expect(await service.problems()).to.deep.equal([]);
    } finally {
      await service.stop();
      await google.close();
      await site.close();
    }
  });
});
