import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { sql } from 'kysely';
import { uncountedAllowance } from '../../accounts/allowance.ts';
import { type AlertDeps, notifyLowCredits } from '../../accounts/credit-alert.ts';
import * as accounts from '../../db/accounts/accounts.ts';
import * as users from '../../db/accounts/users.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { createLinkTokens } from '../../mail/tokens.ts';
import { CreditsLowPayload } from '../../schemas/credits.ts';
import type { TestAccount } from '../support/accounts.ts';
import { runChores } from '../support/chores.ts';
import { visit } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { useReceiver, verifySignature } from '../support/receiver.ts';
import { secretKey, useService } from '../support/service.ts';

describe('the alert for low credits', () => {
  const receiver = useReceiver();
  const service = useService({}, { mails: true });
  let teller: AlertDeps;

  before(async () => {
    teller = {
      boss: await service.boss(),
      mail: 'smtp',
      allowance: uncountedAllowance,
      baseUrl: service.baseUrl,
    };
  });

  const alert = (account: TestAccount, body?: object) =>
    service.call('/credits/alert', { token: account.token, ...(body ? { method: 'PATCH', body } : {}) });
  const move = ({ accountId }: TestAccount, amount: number) =>
    inTransaction(service.db, (trx) => ledger.adjust(trx, accountId, amount, 'a test'));
  const tell = ({ accountId }: TestAccount) =>
    inTransaction(service.db, (trx) => notifyLowCredits(trx, teller, accountId));
  /** Counts the events and mails about low credits, sent by this test or by the chore of the service. */
  const told = async ({ accountId }: TestAccount) => {
    const count = async (of: string) => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.raw(of)}
        and account_id = ${accountId}`.execute(service.db);
      return rows[0]?.count;
    };
    return [
      await count(`events where event = 'credits.low'`),
      await count(`mails where template = 'credits_low'`),
    ];
  };
  const owner = ({ accountId }: TestAccount, email: string, isConfirmed = true) =>
    isConfirmed
      ? service.confirmedUser(accountId, email)
      : users.create(service.db, { accountId, email, passwordHash: null });

  it('is set and read by PATCH and GET: missing fields stay, null clears', async () => {
    const account = await service.account(100);
    const shown = async () => {
      const { threshold, webhook_url } = (await alert(account)).body;
      return [threshold, webhook_url];
    };
    expect(await shown()).to.deep.equal([null, null]);
    await alert(account, { threshold: 50, webhook_url: receiver.url });
    expect(await shown()).to.deep.equal([50, receiver.url]);
    await alert(account, { threshold: 60 });
    expect(await shown()).to.deep.equal([60, receiver.url]);
    await alert(account, { webhook_url: null });
    expect(await shown()).to.deep.equal([60, null]);
    expect((await alert(account, { treshold: 1 })).body.warnings).to.have.length(1);
    await alert(account, { threshold: null });
    expect(await shown()).to.deep.equal([null, null]);
    const { data } = (await service.call('/activity', { token: account.token })).body;
    const about = data.map((one: { what: string; about: string }) => [one.what, one.about]);
    expect(about[0]).to.deep.equal(['credit_alert_changed', 'off']);
    expect(about).to.deep.include(['credit_alert_changed', 'below 60']);
  });

  it('rejects an invalid threshold, and an address that is never contacted', async () => {
    const account = await service.account(100);
    for (const threshold of [0, -1, 1.5, '50', 1e13, true]) {
      const { status, body } = await alert(account, { threshold });
      expect([status, Object.keys(body.errors)], `${threshold}`).to.deep.equal([422, ['threshold']]);
    }
    const urls = ['', 'nowhere', 'ftp://example.com/', 'http://10.0.0.1/', 'http://user:pass@example.com/'];
    for (const webhook_url of urls) {
      const { status, body } = await alert(account, { threshold: 0, webhook_url });
      expect([status, Object.keys(body.errors).sort()]).to.deep.equal([422, ['threshold', 'webhook_url']]);
    }
    expect((await alert(account)).body.threshold).to.equal(null);
  });

  it('is sent once per crossing under concurrent charges and checks, and again after the balance had risen', async () => {
    const account = await service.account(100);
    await owner(account, 'crossing@example.com');
    await owner(account, 'unproved@example.com', false);
    await alert(account, { threshold: 50, webhook_url: receiver.url });
    await move(account, -50);
    await tell(account);
    expect(await told(account), 'at the threshold').to.deep.equal([0, 0]);
    const charges = Array.from({ length: 20 }, () => move(account, -1));
    await Promise.all([...charges, ...Array.from({ length: 5 }, () => tell(account))]);
    await Promise.all(Array.from({ length: 5 }, () => tell(account)));
    expect(await told(account)).to.deep.equal([1, 1]);
    await move(account, 19);
    await tell(account);
    expect(await told(account), 'still below').to.deep.equal([1, 1]);
    const { body: low } = await alert(account);
    expect([low.low_since, low.told_at].every((at) => typeof at === 'string')).to.equal(true);
    await move(account, 1);
    expect((await alert(account)).body).to.include({ low_since: null, told_at: null });
    await move(account, -1);
    await tell(account);
    expect(await told(account)).to.deep.equal([2, 2]);
  });

  it('is also sent if credits are low when the threshold is set, but not for closed accounts', async () => {
    const [poor, closed] = [await service.account(10), await service.account(10)];
    await accounts.disable(service.db, closed.accountId);
    for (const { accountId } of [poor, closed])
      await sql`update accounts set alert_threshold = 11, alert_url = ${receiver.url}
        where account_id = ${accountId}`.execute(service.db);
    await Promise.all([tell(poor), tell(closed)]);
    expect([(await told(poor))[0], (await told(closed))[0]]).to.deep.equal([1, 0]);
  });

  it('is sent by the next transaction if one does not commit', async () => {
    const account = await service.account(10);
    await alert(account, { threshold: 5, webhook_url: receiver.url });
    const dying = inTransaction(service.db, async (trx) => {
      await ledger.adjust(trx, account.accountId, -6, 'a test');
      await notifyLowCredits(trx, teller, account.accountId);
      throw new Error('dies');
    });
    expect(await dying.catch(({ message }) => message)).to.equal('dies');
    expect(await told(account)).to.deep.equal([0, 0]);
    await move(account, -6);
    await tell(account);
    expect((await told(account))[0]).to.equal(1);
  });

  it('is sent by a chore, as a signed webhook and as a mail to the owner, who can unsubscribe', async () => {
    const account = await service.account(60);
    const userId = await owner(account, 'low@example.com');
    const browser = await visit(service, account);
    const path = `/for-${account.accountId}`;
    const fields = { threshold: '1,050', webhook_url: `${receiver.url}${path}` };
    expect((await browser.post('/credits/alert', fields, { from: '/credits' })).location).to.equal(
      '/credits',
    );
    await sql`delete from chores`.execute(service.db);
    const { boss, mail: mode, baseUrl } = teller;
    await runChores(service.db, boss, { mail: mode, baseUrl });
    await eventually(async () => ((await told(account)).every((count) => count === 1) ? true : null));
    const worker = await service.addWorker();
    const mail = await service.mails.mailTo('low@example.com');
    expect(mail.text).to.contain('Credits left: 60').and.to.contain('Alert below: 1,050');
    expect(mail.headers.get('list-unsubscribe-post')).to.equal('List-Unsubscribe=One-Click');
    const sent = await eventually(async () => receiver.received.find(({ url }) => url === path) ?? null);
    verifySignature(sent, account.webhookSecret);
    const fits = new Ajv2020({ strict: false, formats: { 'date-time': true } }).compile(
      CreditsLowPayload as AnySchema,
    );
    expect(fits(sent.body), JSON.stringify(fits.errors)).to.equal(true);
    expect(sent.body).to.include({ event: 'credits.low', credits: 60, threshold: 1050 });
    const { body: list } = await service.call('/webhooks/deliveries', { token: account.token });
    expect(list.data[0]).to.include({ event: 'credits.low', batch_id: null });
    await worker.stop();

    const optOut = { userId, accountId: account.accountId, list: 'credits' };
    const token = createLinkTokens(secretKey, null).createOptOutToken(optOut);
    expect(mail.headers.get('list-unsubscribe')).to.contain(token);
    await fetch(`${service.baseUrl}/unsubscribe?token=${token}`, {
      method: 'POST',
      body: new URLSearchParams(),
    });
    const crossAgain = async () => {
      await move(account, 2000);
      await move(account, -2000);
      await tell(account);
    };
    await crossAgain();
    expect(await told(account), 'no more mails').to.deep.equal([2, 1]);
    expect((await browser.get('/credits')).text).to.contain('You have unsubscribed from these emails');
    await browser.post('/credits/alert', fields, { from: '/credits' });
    await crossAgain();
    expect(await told(account), 'wanted again').to.deep.equal([3, 2]);
  });
});
