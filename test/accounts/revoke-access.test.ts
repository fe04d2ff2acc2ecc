import { expect } from 'chai';
import { sql } from 'kysely';
import * as memberships from '../../db/accounts/memberships.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import { findByEmail } from '../../db/accounts/user-emails.ts';
import * as reportLinks from '../../db/batches/report-links.ts';
import { find as findMail } from '../../db/notifications/mails.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { enqueueDigest } from '../../mail/enqueue.ts';
import { FormClient, visitAs } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/service.ts';

describe('a person who is removed from an account, or demoted', () => {
  const service = useService({}, { worker: true, mails: true });

  afterEach(() => sql`truncate sign_in_tries`.execute(service.db));

  let nth = 0;
  /** Creates an account of two owners; the second also has another account. */
  async function twoOwners() {
    nth += 1;
    const { accountId } = await service.account();
    const own = await service.account();
    const boss = await service.confirmedUser(accountId, `boss-${nth}@example.com`);
    const leaver = await service.confirmedUser(own.accountId, `leaver-${nth}@example.com`);
    await inTransaction(service.db, (trx) => memberships.add(trx, accountId, leaver, 'owner'));
    const browser = await visitAs(service, leaver, { accountId });
    const owner = await tokens.issue(service.db, accountId, 'boss', { userId: boss });
    return { accountId, boss, leaver, browser, owner };
  }

  /** Creates in the name of the leaver an invitation, a shared report, two tokens and two webhook URLs. */
  async function setAll({ accountId, leaver, browser }: Awaited<ReturnType<typeof twoOwners>>) {
    const second = `second-${nth}@example.com`;
    expect((await browser.post('/members', { email: second, role: 'owner' })).status).to.equal(303);
    const { text } = await service.mails.mailTo(second);
    const invitation = new URL(/https?:\/\/\S+\?key=\S+/.exec(text)?.[0] ?? '');
    const token = (await tokens.issue(service.db, accountId, 'all', { userId: leaver })) as string;
    const reading = (await tokens.issue(service.db, accountId, 'reads', {
      userId: leaver,
      scope: 'read',
    })) as string;
    const body = { urls: ['https://example.invalid/'] };
    const { batch_id: batchId } = (await service.call('/http-status/bulk', { token, body })).body;
    const link = await browser.post(
      `/batches/${batchId}/share`,
      { days: '30' },
      { from: `/batches/${batchId}` },
    );
    expect(link.status).to.equal(303);
    const monitor = {
      name: 'spy',
      type: 'http',
      urls: body.urls,
      schedule: { every: 'day', at: '09:00' },
      notify: { webhook_url: 'https://leaver.example.com/hook' },
    };
    expect((await service.call('/monitors', { token, body: monitor })).status).to.equal(201);
    const alert = { threshold: 1, webhook_url: 'https://leaver.example.com/low' };
    const changed = await service.call('/credits/alert', { token, method: 'PATCH', body: alert });
    expect(changed.status).to.equal(200);
    return { second, invitation: invitation.pathname + invitation.search, token, reading, batchId };
  }

  const isValid = async (token: string) => (await service.call('/me', { token })).status === 200;

  it('leaves no valid invitation, link or token, and the owner gets a mail with the list', async () => {
    const all = await twoOwners();
    const { accountId, leaver, owner } = all;
    const set = await setAll(all);
    const { status, body } = await service.call(`/members/${leaver}`, { token: owner, method: 'DELETE' });
    expect(status).to.equal(200);
    expect(body.voided).to.deep.equal({
      invitations: [set.second],
      report_links: 1,
      tokens: 2,
      remaining_webhook_urls: 2,
    });
    const browser = new FormClient(service.baseUrl);
    expect((await browser.get(set.invitation)).status).to.equal(404);
    const key = new URLSearchParams(set.invitation.split('?')[1]).get('key') ?? '';
    const joined = await browser.post('/invitation', { key, password: 'long enough' }, { from: '/sign-in' });
    expect(joined.status).to.equal(404);
    expect(await findByEmail(service.db, set.second)).to.equal(null);
    expect(await reportLinks.list(service.db, { accountId, batchId: set.batchId })).to.deep.equal([]);
    expect([await isValid(set.token), await isValid(set.reading)]).to.deep.equal([false, false]);
    const { body: activity } = await service.call('/activity', { token: owner });
    expect(activity.data[0].about).to.equal(
      `leaver-${nth}@example.com. Revoked: the invitation for ${set.second}, 1 link to a report, 2 tokens. Check the account's 2 webhook URLs and rotate the webhook secret.`,
    );
  });

  it('keeps the rights of a member after a demotion', async () => {
    const all = await twoOwners();
    const { accountId, leaver, boss } = all;
    const set = await setAll(all);
    const browser = await visitAs(service, boss, { accountId });
    await browser.post(`/members/${leaver}/role`, { role: 'member' }, { from: '/members' });
    expect((await browser.get('/members')).text).to.contain(
      `now has the role member. Revoked: the invitation for ${set.second}, 1 token.`,
    );
    expect((await new FormClient(service.baseUrl).get(set.invitation)).status).to.equal(404);
    expect(await reportLinks.list(service.db, { accountId, batchId: set.batchId })).to.have.length(1);
    expect([await isValid(set.token), await isValid(set.reading)]).to.deep.equal([false, true]);
    const twice = await service.call(`/members/${leaver}`, {
      token: all.owner,
      method: 'PATCH',
      body: { role: 'viewer' },
    });
    expect(twice.body.voided).to.deep.equal({
      invitations: [],
      report_links: 1,
      tokens: 1,
      remaining_webhook_urls: 2,
    });
  });

  it('gets no pending mail about the account', async () => {
    const all = await twoOwners();
    const post = { boss: await service.boss(), mail: 'smtp' as const };
    const { accountId, leaver } = all;
    const alert = { template: 'credits_low' as const, accountId, userId: leaver };
    await sql`update accounts set alert_threshold = 100000, low_since = now() where account_id = ${accountId}`.execute(
      service.db,
    );
    await sql`update memberships set role = 'viewer' where account_id = ${accountId} and user_id = ${leaver}`.execute(
      service.db,
    );
    const mailId = await inTransaction(service.db, (trx) =>
      enqueueDigest(trx, post, { ...alert, about: 'x' }),
    );
    const ended = await eventually(async () => {
      const mail = await findMail(service.db, mailId ?? '');
      return mail?.state === 'pending' ? null : mail;
    });
    expect(ended?.state).to.equal('dropped');
    expect(service.mails.received.filter(({ to }) => to.includes(`leaver-${nth}@example.com`))).to.deep.equal(
      [],
    );
  });
});
