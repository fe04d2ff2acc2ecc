import { expect } from 'chai';
import { sql } from 'kysely';
import { afterTest } from '../support/after-test.ts';
import { startGoogle } from '../support/google.ts';
import { TestService } from '../support/service.ts';

describe('a batch of 200 queries for 40 searches', () => {
  it('requests each page once, with two workers', async () => {
    const google = await startGoogle({ delayMs: 30 });
    afterTest(() => google.close());
    const service = await TestService.start({ ...google.env('serper'), SERP_REUSE_SECONDS: '0' });
    afterTest(() => service.stop());
    for (const _ of [1, 2]) await service.addWorker();
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
  });
});
