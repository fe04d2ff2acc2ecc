import { expect } from 'chai';
import { createAllowance, unitCosts } from '../../accounts/allowance.ts';
import { cancelBatch } from '../../batches/cancel.ts';
import { recordBatchOutcomes } from '../../batches/record.ts';
import * as batches from '../../db/batches/batches.ts';
import * as chunks from '../../db/batches/chunks.ts';
import { createFailedItem } from '../../db/batches/items.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import type { TestAccount } from '../support/accounts.ts';
import { untilWaiting } from '../support/locks.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { useService } from '../support/service.ts';

const basePerHour = 20_000;

describe('the cancellation of a batch', () => {
  const service = useService({ RATE_LIMIT_PER_MINUTE: '600' });

  // Large enough that its cost does not decay before the next request.
  const urls = Array.from({ length: 100 }, (_, page) => `https://example.com/${page}`);
  const credits = 4 * urls.length;
  const submit = async ({ token }: TestAccount) =>
    (await service.call('/check/bulk', { token, body: { urls } })).body.batch_id as string;
  const cancel = ({ token }: TestAccount, batchId: string) =>
    service.call(`/batch/${batchId}/cancel`, { token, method: 'POST' });
  const leave = ({ accountId }: TestAccount, units: number) =>
    service.setAllowanceUsed(accountId, basePerHour - units);
  const used = ({ token }: TestAccount) => service.allowanceUsed(token);

  it('stores nothing in the history', async () => {
    const account = await service.account(credits);
    await cancel(account, await submit(account));
    const kept = await service.db
      .selectFrom('history')
      .selectAll()
      .where('accountId', '=', account.accountId)
      .execute();
    expect(kept).to.deep.equal([]);
    expect(await service.credits(account.accountId)).to.equal(credits);
  });

  it('is refused if the allowance is used up, with the time to wait', async () => {
    const account = await service.account(credits);
    const batchId = await submit(account);
    await leave(account, -100);
    const refused = await cancel(account, batchId);
    expect([refused.status, refused.body.error]).to.deep.equal([429, 'allowance_exhausted']);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect(await service.credits(account.accountId)).to.equal(credits - urls.length);
  });

  it('may exceed the allowance once, and costs nothing if the batch had ended', async () => {
    const account = await service.account(credits);
    const [first, second] = [await submit(account), await submit(account)];
    await leave(account, 100);
    expect((await cancel(account, first)).status).to.equal(200);
    const after = await used(account);
    expect(after).to.be.above(basePerHour);
    expect((await cancel(account, second)).status).to.equal(429);
    await leave(account, 100);
    expect((await cancel(account, first)).status).to.equal(200);
    expect(await used(account)).to.be.at.most(basePerHour - 100);
  });

  it('costs as much allowance for three requests at once as for one', async () => {
    const account = await service.account(1000);
    const urls = Array.from({ length: 1000 }, (_, page) => `https://example.com/${page}`);
    const { body } = await service.call('/http-status/bulk', { token: account.token, body: { urls } });
    const before = await used(account);
    await Promise.all([1, 2, 3].map(() => cancel(account, body.batch_id)));
    const weight = (await used(account)) - before;
    expect(weight).to.be.within(500 * unitCosts.keptRows, 1001 * unitCosts.keptRows);
  });

  itOnOneServer('has no deadlock with the end of another batch', async () => {
    const { token, accountId } = await service.account(10);
    const { db } = service;
    const boss = await service.boss();
    const allowance = createAllowance(db, { isOff: false });
    const accepted = await Promise.all(
      [1, 2].map(() => {
        const body = { urls: urls.slice(0, 2), webhook_url: 'http://127.0.0.1:1/' };
        return service.call('/http-status/bulk', { token, body });
      }),
    );
    const [canceled, ended] = accepted.map(({ body }) => ({ accountId, batchId: body.batch_id as string }));
    if (!canceled || !ended) throw new Error('both were accepted');
    const settleOne = (recordUnbilled = allowance.recordUnbilled) =>
      inTransaction(db, async (trx) => {
        const batch = await batches.find(trx, ended);
        const [open] = batch ? await chunks.listUnsettled(trx, batch) : [];
        if (!open) throw new Error('nothing is open');
        const failed = createFailedItem(open, 'target_not_allowed');
        await recordBatchOutcomes(trx, { boss, allowance: { recordUnbilled } }, ended, [failed]);
      });
    await settleOne();
    const [spent, refunded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const canceling = {
      ...allowance,
      recordUnbilled: async (...work: Parameters<typeof allowance.recordUnbilled>) => {
        await allowance.recordUnbilled(...work);
        spent.resolve();
        await Promise.race([refunded.promise, untilWaiting(db, 1)]);
      },
    };
    const done = await Promise.allSettled([
      inTransaction(db, (trx) => cancelBatch(trx, { boss, allowance: canceling }, canceled)),
      spent.promise.then(() =>
        settleOne(async (...work) => {
          refunded.resolve();
          await allowance.recordUnbilled(...work);
        }),
      ),
    ]);
    expect(done.map(({ status }) => status)).to.deep.equal(['fulfilled', 'fulfilled']);
  });
});
