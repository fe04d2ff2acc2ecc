import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { sql } from 'kysely';
import { toUnits, unitCosts } from '../../accounts/allowance.ts';
import type { TestAccount } from '../support/accounts.ts';
import { visit } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { useReceiver } from '../support/receiver.ts';
import { useAccount, useService } from '../support/service.ts';
import { serve } from '../support/web.ts';

const basePerHour = 20_000;

describe('the allowance for work that nobody pays for', () => {
  const service = useService({ RATE_LIMIT_PER_MINUTE: '600' });
  const receiver = useReceiver();

  /** Uses the allowance of an account that has paid for nothing, until `units` are left. */
  const leave = ({ accountId }: TestAccount, units: number) =>
    service.setAllowanceUsed(accountId, basePerHour - units);
  const used = ({ token }: TestAccount) => service.allowanceUsed(token);
  const endedBatch = async ({ token }: TestAccount) => {
    const body = { urls: ['nonsense'], on_invalid: 'skip', webhook_url: receiver.url };
    return (await service.call('/http-status/bulk', { token, body })).body.batch_id as string;
  };
  const words = ({ body }: { body: { error?: string } }) => body.error;

  it('rejects checks when nothing is left, because they may be refunded', async () => {
    const account = await service.account(10);
    const body = { url: 'http://private.test.localhost:1/' };
    expect((await service.call('/http-status', { token: account.token, body })).status).to.equal(200);
    await leave(account, -1000);
    for (const path of ['/http-status', '/http-status/bulk']) {
      const request = path.endsWith('bulk') ? { urls: [body.url] } : body;
      const answer = await service.call(path, { token: account.token, body: request });
      expect([answer.status, words(answer)]).to.deep.equal([429, 'allowance_exhausted']);
    }
    expect(await service.credits(account.accountId)).to.equal(9);
  });

  it('lets running single checks end when it is used up, and refuses the next one', async () => {
    const held: ServerResponse[] = [];
    const site = await serve((_req, res) => void held.push(res));
    const account = await service.account(10);
    const { token } = account;
    const check = () => service.call('/http-status', { token, body: { url: `${site.url}/` } });
    const inFlight = [check(), check(), check()];
    await eventually(async () => (held.length === 3 ? true : null));
    await leave(account, -1000);
    for (const res of held) res.end();
    expect((await Promise.all(inFlight)).map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    const refused = await check();
    expect([refused.status, words(refused)]).to.deep.equal([429, 'allowance_exhausted']);
    expect(await service.credits(account.accountId)).to.equal(7);
    await site.close();
  });

  it('is shown with its limit, its use and the weights', async () => {
    const account = await service.account(0);
    const { body } = await service.call('/credits/allowance', { token: account.token });
    expect(body).to.deep.include({ per_hour: basePerHour, used: 0, remaining: basePerHour, paid_credits: 0 });
    expect(body.weights).to.include({
      webhook_tests: unitCosts.webhookTests,
      kept_rows: unitCosts.keptRows,
    });
  });

  it('counts webhook tests, of one event type or of all', async () => {
    const account = await service.account(0);
    const body = { webhook_url: receiver.url };
    await leave(account, 10);
    expect((await service.call('/webhooks/test', { token: account.token, body })).status).to.equal(200);
    const refused = await service.call('/webhooks/test', { token: account.token, body });
    expect([refused.status, words(refused)]).to.deep.equal([429, 'allowance_exhausted']);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 3600);
    expect(await used(account)).to.be.within(basePerHour + 450, basePerHour + toUnits({ webhookTests: 3 }));
    await leave(account, toUnits({ webhookTests: 1 }) + 100);
    const one = { ...body, type: 'http' };
    expect((await service.call('/webhooks/test', { token: account.token, body: one })).status).to.equal(200);
    expect((await service.call('/webhooks/test', { token: account.token, body: one })).status).to.equal(200);
    const other = await service.account(0);
    expect((await service.call('/webhooks/test', { token: other.token, body })).status).to.equal(200);
  });

  it('is shared by the API and the pages: webhook tests, resent deliveries, sitemaps', async () => {
    const account = await service.account(0);
    const batchId = await endedBatch(account);
    await leave(account, basePerHour);
    const browser = await visit(service, account);
    await browser.post('/webhooks/test', { url: receiver.url }, { from: '/webhooks' });
    const afterTest = await used(account);
    expect(afterTest).to.be.within(unitCosts.webhookTests / 2, unitCosts.webhookTests + 10);
    await browser.post(`/webhooks/${batchId}/resend`, {}, { from: `/webhooks/${batchId}` });
    expect(await used(account)).to.be.within(
      afterTest + unitCosts.deliveries / 2,
      afterTest + unitCosts.deliveries,
    );
    await leave(account, -1000);
    const resend = { token: account.token, method: 'POST' };
    expect(words(await service.call(`/webhooks/deliveries/${batchId}/resend`, resend))).to.equal(
      'allowance_exhausted',
    );
    const again = await browser.post(`/webhooks/${batchId}/resend`, {}, { from: `/webhooks/${batchId}` });
    expect([again.status, again.text.includes('Too many unbilled operations')]).to.deep.equal([429, true]);
    const sitemap = { check: 'sitemap', sitemap: `${receiver.url}/sitemap.xml` };
    expect((await browser.post('/', sitemap)).status).to.equal(429);
  });

  it('counts invalid entries, of which 256 characters each are stored', async () => {
    const account = await service.account(0);
    const { token } = account;
    const body = { urls: Array(2000).fill('x'.repeat(2000)), on_invalid: 'skip' };
    const first = await service.call('/http-status/bulk', { token, body });
    expect(first.status).to.equal(202);
    const { body: batch } = await service.call(`/batch/${first.body.batch_id}`, { token });
    expect(batch.results[0].url).to.equal('x'.repeat(256));
    await leave(account, 100);
    expect((await service.call('/http-status/bulk', { token, body })).status).to.equal(202);
    expect(words(await service.call('/http-status/bulk', { token, body }))).to.equal('allowance_exhausted');
  });

  it('counts the stored part of an invalid query by its bytes', async () => {
    const account = await service.account(0);
    const long = 'é'.repeat(300);
    const misfit = { url: long, keyword: long, country: long, language: long, tag: long };
    const body = { queries: [misfit, misfit], on_invalid: 'skip' };
    expect((await service.call('/keyword-track', { token: account.token, body })).status).to.equal(202);
    const { rows } = await sql<{ bytes: number }>`
      select sum(octet_length(input::text)) as bytes from items where account_id = ${account.accountId}`.execute(
      service.db,
    );
    const keptKiB = Number(rows[0]?.bytes) / 1024;
    expect(await used(account)).to.be.at.least(Math.floor(keptKiB * 2 * unitCosts.keptRows) - 1);
  });

  it('counts the stored part of a canceled batch at every retry, and its delivery', async () => {
    const account = await service.account(20);
    const { token } = account;
    const urls = Array.from({ length: 20 }, (_, n) => `https://a.example/${n}/${'x'.repeat(1900)}`);
    const { body } = await service.call('/http-status/bulk', { token, body: { urls } });
    const cancel = (id: string) => service.call(`/batch/${id}/cancel`, { token, method: 'POST' });
    await cancel(body.batch_id);
    const once = toUnits({ keptRows: 1 + 20 * 4 });
    expect(await used(account)).to.be.within(once / 2, once);
    const { body: retried } = await service.call(`/batch/${body.batch_id}/retry`, { token, method: 'POST' });
    await cancel(retried.batch_id);
    await cancel(retried.batch_id);
    expect(await used(account)).to.be.within(1.5 * once, 2 * once);
    const told = { urls: ['https://a.example/'], webhook_url: receiver.url };
    const { body: last } = await service.call('/http-status/bulk', { token, body: told });
    await cancel(last.batch_id);
    const all = 2 * once + toUnits({ keptRows: 2, deliveries: 1 });
    expect(await used(account)).to.be.within(all - 80, all);
    expect(await service.credits(account.accountId)).to.equal(20);
  });

  it('counts the delivery of a batch with only invalid entries', async () => {
    const account = await service.account(0);
    await endedBatch(account);
    const weight = toUnits({ keptRows: 2, deliveries: 1 });
    expect(await used(account)).to.be.within(weight / 2, weight);
  });

  it('counts each of several batches that are sent at once, and rejects the next one', async () => {
    const account = await service.account(10);
    const { token } = account;
    // The cost of these entries takes twenty minutes to decay.
    const skipped = Array.from({ length: 1999 }, () => 'nonsense '.repeat(70));
    const urls = ['http://127.0.0.1:1/', ...skipped];
    const body = { urls, on_invalid: 'skip' };
    await leave(account, 100);
    const submit = () => service.call('/http-status/bulk', { token, body });
    const answers = await Promise.all(Array.from({ length: 5 }, submit));
    const accepted = answers.filter(({ status }) => status === 202).length;
    expect(accepted).to.be.at.least(1);
    expect(await used(account)).to.be.at.least(basePerHour + accepted * toUnits({ keptRows: 1999 }) - 1000);
    const refused = await submit();
    expect([refused.status, words(refused)]).to.deep.equal([429, 'allowance_exhausted']);
    expect(await service.credits(account.accountId)).to.equal(10 - accepted);
  });

  it('is not charged for a repeated answer', async () => {
    const account = await service.account(0);
    const request = {
      token: account.token,
      headers: { 'Idempotency-Key': 'one test' },
      body: { webhook_url: receiver.url, type: 'http' },
    };
    await service.call('/webhooks/test', request);
    await leave(account, 10);
    const again = await service.call('/webhooks/test', request);
    expect([again.status, again.headers.get('idempotent-replayed')]).to.deep.equal([200, 'true']);
  });

  it('decays with time, and grows with paid answers but not with granted credits', async () => {
    const account = await service.account(1000);
    await leave(account, 0);
    await sql`update allowances set changed_at = now() - interval '30 minutes'
      where account_id = ${account.accountId}`.execute(service.db);
    expect(await used(account)).to.be.within(basePerHour / 2 - 10, basePerHour / 2);
    const customer = await service.account(1000);
    const body = { url: 'https://indexed.example/' };
    for (let n = 0; n < 3; n++) await service.call('/check', { token: customer.token, body });
    const { body: allowance } = await service.call('/credits/allowance', { token: customer.token });
    expect(allowance).to.include({ paid_credits: 3, per_hour: basePerHour + 3 * 50 });
  });

  it('counts credits of pending checks as unpaid', async () => {
    const account = await service.account(1000);
    const urls = Array.from({ length: 500 }, (_, n) => `https://a.example/${n}`);
    await service.call('/check/bulk', { token: account.token, body: { urls } });
    const { body } = await service.call('/credits/allowance', { token: account.token });
    expect(body.paid_credits).to.equal(0);
  });

  describe('with lists of monitors', () => {
    const account = useAccount(service, 0, { isForEach: true });

    const call = (path: string, options = {}) => service.call(path, { token: account.token, ...options });
    const createUrls = (entries: number, length: number, nth = 0) =>
      Array.from({ length: entries }, (_, index) => `https://a${nth}-${index}.example/`.padEnd(length, 'x'));
    const create = (urls: string[]) =>
      call('/monitors', { body: { name: 'M', type: 'http', urls, schedule: { every: 'day' } } });
    const used = () => service.allowanceUsed(account.token);

    it('is used by each list that is created, even if it is deleted', async () => {
      const statuses: number[] = [];
      for (let nth = 0; nth < 5; nth++) {
        const { status, body } = await create(createUrls(2000, 600, nth));
        statuses.push(status);
        if (status !== 201) expect(body.error).to.equal('allowance_exhausted');
        else await call(`/monitors/${body.monitor.monitor_id}`, { method: 'DELETE' });
      }
      // Each list has 1.2 MB and costs 6,000 of 20,000 units. The last list costs more than what is left.
      expect(statuses).to.deep.equal([201, 201, 201, 201, 429]);
    });

    it('is used by the size of a list when it is replaced, and not when it stays', async () => {
      const { monitor } = (await create(createUrls(100, 100))).body;
      const before = await used();
      const change = (body: object) => call(`/monitors/${monitor.monitor_id}`, { method: 'PATCH', body });
      expect((await change({ name: 'N' })).status).to.equal(200);
      expect(await used()).to.be.at.most(before);
      expect((await change({ urls: createUrls(2000, 600) })).status).to.equal(200);
      expect(await used()).to.be.within(before + 5000, before + 7000);
      await service.setAllowanceUsed(account.accountId, 21_000);
      const refused = await change({ urls: createUrls(2000, 600, 1) });
      expect([refused.status, refused.body.error]).to.deep.equal([429, 'allowance_exhausted']);
    });

    it('allows an account without credits one list of the maximum length', async () => {
      expect((await create(createUrls(2000, 2048))).status).to.equal(201);
    });
  });
});
