import { expect } from 'chai';
import { sql } from 'kysely';
import * as memberships from '../../db/accounts/memberships.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import { FormClient, visitAs } from '../support/dashboard.ts';
import { useService } from '../support/service.ts';

describe('members and invitations', () => {
  const service = useService();
  let accountId: number;
  let owner: string;
  let ada: number;

  before(async () => {
    accountId = (await service.account()).accountId;
    ada = await users.create(service.db, { accountId, email: 'ada@example.com', passwordHash: null });
    owner = await tokens.issue(service.db, accountId, 'ada’s', { userId: ada });
  });

  const invite = (email: unknown, role: unknown = 'member', token = owner) =>
    service.call('/members', { token, body: { email, role } });
  const toPath = (link: string) => new URL(link).pathname + new URL(link).search;
  const emails = async (of = accountId) => (await memberships.list(service.db, of)).map(({ email }) => email);

  /** Returns a browser with a session of a user of another account. */
  async function visitor(email: string) {
    const home = (await service.account()).accountId;
    const userId = await users.create(service.db, { accountId: home, email, passwordHash: null });
    return { client: await visitAs(service, userId), userId, home };
  }

  it('let a new user join, with a password, once', async () => {
    const { status, body } = await invite('grace@example.com', 'viewer');
    expect([status, body.role, body.invited_by]).to.deep.equal([201, 'viewer', 'ada@example.com']);
    const client = new FormClient(service.baseUrl);
    const from = toPath(body.link);
    const page = await client.get(from);
    expect([page.headers.get('referrer-policy'), page.status]).to.deep.equal(['no-referrer', 200]);
    for (const said of [
      '<h1>Join the account of ada@example.com</h1>',
      'ada@example.com invites <strong>grace@example.com</strong> to join as a viewer',
      'id="password-hint">At least 10 characters, such as four unrelated words. You will sign in with grace@example.com and this password.',
    ])
      expect(page.text).to.contain(said);
    // Opening the link changes nothing: mail programs follow links.
    expect(await emails()).to.deep.equal(['ada@example.com']);
    const key = new URL(body.link).searchParams.get('key') ?? '';
    const short = await client.post('/invitation', { key, password: 'short' }, { from });
    expect(short.status).to.equal(422);
    const joined = await client.post('/invitation', { key, password: 'long enough' }, { from });
    expect([joined.status, joined.location]).to.deep.equal([303, '/']);
    expect(await emails()).to.deep.equal(['ada@example.com', 'grace@example.com']);
    expect((await client.get('/members')).text).to.include('grace@example.com');
    expect((await new FormClient(service.baseUrl).get(from)).status).to.equal(404);
    const { body: list } = await service.call('/activity', { token: owner });
    expect(list.data.map((one: { what: string }) => one.what)).to.deep.equal([
      'member_joined',
      'member_invited',
    ]);
  });

  it('let a known user join while signed in, and switch between accounts', async () => {
    const { client, home, userId } = await visitor('hedy@example.com');
    const { body } = await invite('Hedy@example.com', 'member');
    const from = toPath(body.link);
    const stranger = await new FormClient(service.baseUrl).get(from);
    expect(stranger.text).to.include('This email address already has an account.');
    const key = new URL(body.link).searchParams.get('key') ?? '';
    await client.post('/invitation', { key }, { from });
    expect(await emails()).to.include('hedy@example.com');
    expect((await client.get('/members')).text).to.include('<strong>ada@example.com');
    await client.post('/account', { account: String(home) }, { from: '/settings' });
    expect((await client.get('/members')).text).not.to.include('<strong>ada@example.com');
    const foreign = (await service.account()).accountId;
    const refused = await client.post('/account', { account: String(foreign) }, { from: '/settings' });
    expect(refused.status).to.equal(404);

    const { body: removed } = await service.call(`/members/${userId}`, { token: owner, method: 'DELETE' });
    expect(removed.email).to.equal('hedy@example.com');
    expect((await client.get('/members')).text).not.to.include('<strong>ada@example.com');
  });

  it('are only for the invited address', async () => {
    const { body } = await invite('mine@example.com');
    const { client, userId } = await visitor('thief@example.com');
    const from = toPath(body.link);
    const key = new URL(body.link).searchParams.get('key') ?? '';
    expect((await client.get(from)).text).to.include('You are signed in as thief@example.com');
    const { status } = await client.post('/invitation', { key }, { from: '/settings' });
    expect(status).to.equal(403);
    expect(await memberships.find(service.db, accountId, userId)).to.equal(null);
    expect((await client.get(from)).status, 'still valid').to.equal(200);
  });

  it('are invalid when revoked, expired, replaced or invented, and cannot be revoked by another account', async () => {
    const links = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => (await invite(`${name}@example.com`)).body),
    );
    const client = await visitAs(service, ada);
    const path = `/members/invitations/${links[0].invitation_id}/revoke`;
    await client.post(path, {}, { from: '/members' });
    await sql`update invitations set created_at = now() - interval '8 days', expires_at = now()
      where email = 'b@example.com'`.execute(service.db);
    // A second invitation of the same address invalidates the earlier link.
    await invite('C@example.com');
    const made = [
      ...links.map(({ link }) => toPath(link)),
      '/invitation',
      `/invitation?key=${'x'.repeat(43)}`,
    ];
    for (const bad of made) expect((await client.get(bad)).status, bad).to.equal(404);
    const foreign = await service.account();
    const id = (await invite('d@example.com')).body.invitation_id;
    const other = await users.create(service.db, { ...foreign, email: 'o@example.com', passwordHash: null });
    const thief = await visitAs(service, other);
    await thief.post(`/members/invitations/${id}/revoke`, {}, { from: '/members' });
    const { invitations } = (await service.call('/members', { token: owner })).body;
    expect(invitations.map((one: { invitation_id: number }) => one.invitation_id)).to.include(id);
  });

  it('are rejected for an invalid address or role, oneself, a member, and beyond 20', async () => {
    const bad: Array<[email: unknown, role: unknown]> = [
      ['nobody', 'member'],
      ['role@example.com', 'admin'],
      ['role@example.com', null],
      ['ADA@example.com', 'viewer'],
      ['grace@example.com', 'owner'],
    ];
    for (const [email, role] of bad) expect((await invite(email, role)).status, `${email}`).to.equal(422);
    const all = await Promise.all(Array.from({ length: 25 }, (_, index) => invite(`${index}@many.example`)));
    expect(all.filter(({ status }) => status === 409).length).to.be.greaterThan(4);
    const { invitations } = (await service.call('/members', { token: owner })).body;
    expect(invitations).to.have.length(20);
  });

  it('keep the last owner', async () => {
    const change = (role: string) =>
      service.call(`/members/${ada}`, { token: owner, method: 'PATCH', body: { role } });
    expect((await change('viewer')).body.error).to.equal('last_owner');
    expect((await change('king')).status).to.equal(422);
    const gone = await service.call(`/members/${ada}`, { token: owner, method: 'DELETE' });
    expect([gone.status, gone.body.error]).to.deep.equal([409, 'last_owner']);
    expect((await change('owner')).body.role).to.equal('owner');
  });
});
