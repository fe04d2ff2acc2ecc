import { expect } from 'chai';
import { sql } from 'kysely';
import { inTransaction } from '../../db/postgres/connect.ts';
import { untilWaiting } from '../support/locks.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { useService } from '../support/service.ts';
import { useSite } from '../support/web.ts';

describe('many concurrent requests of one account', () => {
  const service = useService({ CHECK_HOST_CONCURRENCY: '50' }, { worker: true });
  const site = useSite((_req, res) => {
    setTimeout(() => res.writeHead(200, { 'Content-Type': 'text/plain' }).end('here'), 5);
  });

  const urls = (count: number) => Array.from({ length: count }, (_, index) => `${site.url}/${index}`);

  it('8 batches canceled while they run: the sums are right and nothing waits forever', async () => {
    const { token, accountId } = await service.account(8 * 60);
    for (let round = 0; round < 8; round++) {
      const { body } = await service.call('/http-status/bulk', { token, body: { urls: urls(60) } });
      await new Promise((resolve) => setTimeout(resolve, (round * 17) % 60));
      const canceled = await service.call(`/batch/${body.batch_id}/cancel`, { token, method: 'POST' });
      expect(canceled.status).to.equal(200);
      expect(canceled.body.processed).to.equal(60);
      expect(canceled.body.credits_charged - canceled.body.credits_refunded).to.equal(
        canceled.body.successful,
      );
      if (canceled.body.failed > 0) expect(canceled.body.canceled_at).to.be.a('string');
    }
    const { body: list } = await service.call('/batches?per_page=100', { token });
    const paid = list.data.reduce((sum: number, batch: { successful: number }) => sum + batch.successful, 0);
    expect(await service.credits(accountId)).to.equal(8 * 60 - paid);
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
  });

  itOnOneServer('60 posters wait for the lock of their account: another is served first', async () => {
    const [many, other] = [await service.account(60), await service.account(1)];
    const post = (token: string) => service.call('/http-status/bulk', { token, body: { urls: urls(1) } });
    let answered = 0;
    const posts: Promise<unknown>[] = [];
    const another = await inTransaction(service.db, async (trx) => {
      await sql`select from accounts where account_id = ${many.accountId} for update`.execute(trx);
      for (let count = 0; count < 60; count++) posts.push(post(many.token).then(() => answered++));
      await untilWaiting(service.db, 2);
      const begun = post(other.token);
      // When these are answered, the other account is waiting.
      for (let count = 0; count < 3; count++) await service.call('/credits', { token: other.token });
      return { begun };
    });
    expect((await another.begun).status).to.equal(202);
    expect(answered).to.be.below(30);
    await Promise.all(posts);
  });

  it('30 posters with credits for 12 of them: 12 are accepted, and the balance never goes below zero', async () => {
    const { token, accountId } = await service.account(38);
    const post = () => service.call('/http-status/bulk', { token, body: { urls: urls(3) } });
    const posting = Promise.all(Array.from({ length: 30 }, post));
    let isPosting = true;
    void posting.finally(() => {
      isPosting = false;
    });
    while (isPosting) expect(await service.credits(accountId)).to.be.at.least(0);
    const answers = await posting;
    const accepted = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status === 402);
    expect([accepted.length, refused.length]).to.deep.equal([12, 18]);
    for (const { body } of accepted) expect(body.credits_remaining).to.be.within(2, 35);
    for (const { body } of refused) expect(body).to.include({ credits_needed: 3 });
    expect(await service.credits(accountId)).to.equal(2);
    const { body: list } = await service.call('/batches?per_page=100', { token });
    expect(list.total).to.equal(12);
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
  });
});
