import { expect } from 'chai';
import { sql } from 'kysely';
import * as memberships from '../../db/accounts/memberships.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import { confirm, findByEmail, isConfirmed } from '../../db/accounts/user-emails.ts';
import * as users from '../../db/accounts/users.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { FormClient, visitAs } from '../support/dashboard.ts';
import { useService } from '../support/service.ts';

describe('invitations by mail', () => {
  const service = useService({}, { worker: true, mails: true });
  let accountId: number;
  let ada: number;
  let owner: string;

  before(async () => {
    accountId = (await service.account()).accountId;
    ada = await users.create(service.db, { accountId, email: 'ada@example.com', passwordHash: null });
    owner = await tokens.issue(service.db, accountId, 'ada’s', { userId: ada });
  });

  const invite = (email: string, role = 'member') =>
    service.call('/members', { token: owner, body: { email, role } });
  /** Returns path and key of the link in the nth mail to an address. */
  const linkTo = async (address: string, nth = 1) => {
    const { text } = await service.mails.mailTo(address, nth);
    const url = new URL(/https?:\/\/\S+\?key=\S+/.exec(text)?.[0] ?? '');
    return { path: url.pathname + url.search, key: url.searchParams.get('key') ?? '' };
  };
  const open = async () =>
    (await service.call('/members', { token: owner })).body.invitations.map(
      (one: { email: string }) => one.email,
    );

  it('need an owner with a confirmed address', async () => {
    const refused = await invite('early@example.com');
    expect([refused.status, refused.body.message]).to.deep.equal([
      403,
      'Confirm your email address under Settings first, then invite others.',
    ]);
    const client = await visitAs(service, ada);
    expect((await client.get('/members')).text)
      .to.contain('confirm your email address')
      .and.not.contain('Send invitation');
    const { status } = await client.post('/members', { email: 'early@example.com', role: 'member' });
    expect(status).to.equal(403);
    expect(await open()).to.deep.equal([]);
    await inTransaction(service.db, (trx) => confirm(trx, ada));
    expect((await client.get('/members')).text).to.contain('Send invitation');
  });

  it('show the link only to its recipient, whose address is then confirmed', async () => {
    const { status, body } = await invite('grace@example.com', 'viewer');
    expect([status, body.link]).to.deep.equal([201, null]);
    const mail = await service.mails.mailTo('grace@example.com');
    expect(mail.text).to.contain('as a viewer with read-only access').and.to.match(/^ada/);
    const { path, key } = await linkTo('grace@example.com');
    const client = new FormClient(service.baseUrl);
    const joined = await client.post('/invitation', { key, password: 'long enough' }, { from: path });
    expect([joined.status, joined.location]).to.deep.equal([303, '/']);
    const grace = (await findByEmail(service.db, 'grace@example.com'))?.userId ?? 0;
    expect((await memberships.find(service.db, accountId, grace))?.role).to.equal('viewer');
    expect(await isConfirmed(service.db, grace)).to.equal(true);
    expect((await new FormClient(service.baseUrl).get(path)).status, 'used').to.equal(404);
  });

  it('that are repeated have a new link, and invalidate the earlier one', async () => {
    await invite('again@example.com');
    const first = await linkTo('again@example.com');
    const client = await visitAs(service, ada);
    const form = { email: 'Again@example.com', role: 'owner' };
    expect((await client.post('/members', form)).location).to.equal('/members');
    expect((await client.get('/members')).text).to.contain('We sent an invitation to Again@example.com');
    const { path } = await linkTo('Again@example.com');
    const stranger = new FormClient(service.baseUrl);
    expect((await stranger.get(first.path)).status).to.equal(404);
    expect((await stranger.get(path)).text).to.contain('as an owner');
  });

  it('that are revoked are not sent any more, or have an invalid link', async () => {
    const { body } = await invite('never@example.com');
    const { rows } = await sql<{ mailId: string }>`
      select mail_id from mails where ids->>'invitation_id' = ${String(body.invitation_id)}`.execute(
      service.db,
    );
    expect(rows).to.have.length(1);
    const client = await visitAs(service, ada);
    await client.post(`/members/invitations/${body.invitation_id}/revoke`, {}, { from: '/members' });
    const sent = service.mails.received.find(({ to }) => to.includes('never@example.com'));
    const link = sent && /\/invitation\?key=\S+/.exec(sent.text)?.[0];
    // The worker may have sent the mail before, but the link of that mail is invalid.
    if (link) expect((await new FormClient(service.baseUrl).get(link)).status).to.equal(404);
    expect(await open()).to.not.include('never@example.com');
  });

  it('are limited to five per day and address, and rejected for an address that bounced', async () => {
    for (let nth = 1; nth <= 5; nth++) {
      expect((await invite('often@example.com')).status).to.equal(201);
      // The next invitation replaces an unsent mail, and a replaced mail does not count.
      await service.mails.mailTo('often@example.com', nth);
    }
    const sixth = await invite('often@example.com');
    expect([sixth.status, sixth.body.error]).to.deep.equal([429, 'rate_limited']);
    expect(Number(sixth.headers.get('retry-after'))).to.equal(24 * 3600);
    await sql`insert into dead_addresses (address_key, error) select sha256('dead@example.com'), '550'`.execute(
      service.db,
    );
    const dead = await invite('dead@example.com');
    expect([dead.status, dead.body.errors?.email?.[0]]).to.deep.equal([
      422,
      'The mail server rejects this email address permanently. Check its spelling.',
    ]);
  });

  it('are limited to 50 per day and account, including revoked ones', async () => {
    await sql`
      insert into mails (mail_id, template, account_id, address_key, is_unasked, state, ended_at)
      select gen_random_uuid(), 'invitation', ${accountId}, sha256(number::text::bytea), true, 'sent', now()
      from generate_series(1, 50) as number`.execute(service.db);
    const { status, body } = await invite('fifty-first@example.com');
    expect([status, body.message]).to.deep.equal([
      429,
      'You have reached the limit of 50 emailed invitations per day. Try again tomorrow.',
    ]);
    expect(await open()).to.not.include('fifty-first@example.com');
  });
});
