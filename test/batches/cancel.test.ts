import { expect } from 'chai';
import type { TestAccount } from '../support/accounts.ts';
import { FormClient, signedIn } from '../support/dashboard.ts';
import { useService } from '../support/service.ts';

const basePerHour = 20_000;

describe('a canceled batch', () => {
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

  it('is also refused in the dashboard if the allowance is used up, with an explanation', async () => {
    const account = await service.account(credits);
    const batchId = await submit(account);
    await leave(account, -100);
    const browser = new FormClient(service.baseUrl);
    browser.cookies.set('sonde_session', await signedIn(service, account));
    const { status, text } = await browser.post(
      `/batches/${batchId}/cancel`,
      {},
      { from: `/batches/${batchId}` },
    );
    expect(status).to.equal(429);
    expect(text).to.match(
      /Too many unbilled operations .* You were not charged\. Try again in \d+ seconds?\./,
    );
    const { body } = await service.call(`/batch/${batchId}`, { token: account.token });
    expect(body.canceled_at).to.equal(null);
  });
});
