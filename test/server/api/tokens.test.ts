import { expect } from 'chai';
import { sql } from 'kysely';
import * as tokens from '../../../db/accounts/tokens.ts';
import * as users from '../../../db/accounts/users.ts';
import { useAccount, useService } from '../../support/service.ts';

describe('tokens', () => {
  const service = useService();
  const account = useAccount(service, 1000);
  let ada: number;
  let bob: number;

  before(async () => {
    const person = { accountId: account.accountId, passwordHash: null };
    ada = await users.create(service.db, { ...person, email: 'ada@example.com' });
    bob = await users.create(service.db, { ...person, email: 'bob@example.com', role: 'member' });
  });

  const issue = (rights: tokens.TokenSettings) =>
    tokens.issue(service.db, account.accountId, 'given', rights);
  const make = async (token: string, body: object) => (await service.call('/tokens', { token, body })).body;

  it('are created by the API with name, scope, expiry and limit, and describe themselves', async () => {
    const token = await issue({ userId: ada });
    const body = {
      name: ' Nightly ',
      scope: 'check',
      expires_at: '2999-01-01T00:00:00+01:00',
      credits_per_month: 5,
    };
    const made = await make(token, body);
    expect(made).to.include({ name: 'Nightly', scope: 'check', made_by: 'ada@example.com', is_test: false });
    const { body: me } = await service.call('/me', { token: made.token });
    expect(me.person).to.deep.equal({ email: 'ada@example.com', role: 'owner' });
    expect(me.token).to.include({
      name: 'Nightly',
      expires_at: '2998-12-31T23:00:00+00:00',
      credits_per_month: 5,
      credits_this_month: 0,
    });
    const { data } = (await service.call('/tokens', { token })).body;
    expect(JSON.stringify(data)).not.to.include(made.token);
    const { body: list } = await service.call('/activity', { token });
    expect(list.data[0]).to.include({ what: 'token_made', about: 'Nightly', email: 'ada@example.com' });
    expect(list.data[0]).to.include({ token_name: 'given', address: '127.0.0.1' });
  });

  it('reject invalid settings', async () => {
    const token = await issue({ userId: ada });
    const bad: Array<[body: object, field: string]> = [
      [{}, 'name'],
      [{ name: ' \t' }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ name: 'x', scope: 'owner' }, 'scope'],
      [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      [{ name: 'x', expires_at: 'tomorrow' }, 'expires_at'],
      [{ name: 'x', credits_per_month: 0 }, 'credits_per_month'],
    ];
    for (const [body, field] of bad) {
      const { status, body: answer } = await service.call('/tokens', { token, body });
      expect([status, Object.keys(answer.errors)], JSON.stringify(body)).to.deep.equal([422, [field]]);
    }
  });

  it('with a limit or an expiry cannot invite, change members or create tokens', async () => {
    const limits = [{ expiresAt: new Date('2999-01-01') }, { creditsPerMonth: 5 }];
    for (const limit of limits) {
      const token = await issue({ userId: ada, ...limit });
      const asked: Array<[method: string, path: string, body: object]> = [
        ['POST', '/members', { email: 'grace@example.com', role: 'owner' }],
        ['PATCH', `/members/${bob}`, { role: 'owner' }],
        ['DELETE', `/members/${bob}`, {}],
        ['POST', '/tokens', { name: 'x' }],
      ];
      for (const [method, path, body] of asked) {
        const { status, body: answer } = await service.call(path, { token, method, body });
        expect([status, answer.error], `${method} ${path}`).to.deep.equal([403, 'insufficient_scope']);
        expect(answer.message).to.include(
          'does not accept tokens with a credit limit or an expiry date. Use another token',
        );
      }
      const { body: list } = await service.call('/members', { token });
      expect(list.invitations).to.deep.equal([]);
      const mine = await issue({ userId: ada });
      const { data } = (await service.call('/tokens', { token: mine })).body;
      const [newest] = data;
      // Revoking needs only the scope.
      const path = `/tokens/${newest.token_id}`;
      expect((await service.call(path, { token, method: 'DELETE' })).status).to.equal(200);
    }
  });

  it('are invalid after their expiry', async () => {
    const token = await issue({ userId: ada, expiresAt: new Date('2999-01-01') });
    expect((await service.call('/credits', { token })).status).to.equal(200);
    await sql`update api_tokens set expires_at = now() where expires_at = '2999-01-01'`.execute(service.db);
    expect((await service.call('/credits', { token })).status).to.equal(401);
  });

  it('of others are hidden from a member; an owner sees and revokes them', async () => {
    const [ofAda, ofBob] = [await issue({ userId: ada }), await issue({ userId: bob })];
    const listed = async (token: string) => (await service.call('/tokens', { token })).body.data;
    expect(new Set((await listed(ofBob)).map((one: { made_by: string }) => one.made_by))).to.deep.equal(
      new Set(['bob@example.com']),
    );
    const { token_id: adas } = (await service.call('/me', { token: ofAda })).body.token;
    const { token_id: bobs } = (await service.call('/me', { token: ofBob })).body.token;
    const revoke = (token: string, id: number) => service.call(`/tokens/${id}`, { token, method: 'DELETE' });
    expect((await revoke(ofBob, adas)).status).to.equal(404);
    expect((await revoke(ofAda, bobs)).body.revoked_at).to.be.a('string');
    expect((await service.call('/me', { token: ofBob })).status).to.equal(401);
  });

  it('are shown again to their creator with the same key and body, and to nobody else', async () => {
    const request = { body: { name: 'secret' }, headers: { 'Idempotency-Key': 'the same' } };
    const ask = async (token: string) => service.call('/tokens', { token, ...request });
    const first = await ask(await issue({ userId: ada }));
    expect(first.status).to.equal(201);
    // Another token of the same person gets the same answer.
    const again = await ask(await issue({ userId: ada }));
    expect([again.text, again.headers.get('idempotent-replayed')]).to.deep.equal([first.text, 'true']);
    for (const rights of [{ userId: bob }, {}, { userId: ada, isTest: true }]) {
      const other = await ask(await issue(rights));
      expect([403, 409], JSON.stringify(rights)).to.include(other.status);
      expect(other.text).not.to.include(first.body.token);
    }
  });

  it('with a monthly limit never charge more, however many requests arrive at once', async () => {
    const token = await issue({ userId: ada, creditsPerMonth: 5 });
    const url = 'https://indexed.example/';
    const [bulk, tooMuch] = [3, 3].map((count) => ({
      urls: Array.from({ length: count }, (_, i) => `${url}${i}`),
    }));
    expect((await service.call('/check/bulk', { token, body: bulk })).status).to.equal(202);
    const before = await service.credits(account.accountId);
    const { status, body } = await service.call('/check/bulk', { token, body: tooMuch });
    expect(body.message).to.match(/You were not charged\. Wait until next month, or use another token\.$/);
    expect([status, body.error, body.credits_needed, body.credits_available]).to.deep.equal([
      402,
      'token_limit',
      3,
      2,
    ]);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => service.call('/check', { token, body: { url } })),
    );
    expect(answers.map((answer) => answer.status).sort()).to.deep.equal([200, 200, 402, 402, 402]);
    expect(before - (await service.credits(account.accountId))).to.equal(2);
    const { body: me } = await service.call('/me', { token });
    expect(me.token.credits_this_month).to.equal(5);
    await sql`update token_spending set month = month - interval '1 month'`.execute(service.db);
    expect((await service.call('/check', { token, body: { url } })).status).to.equal(200);
  });
});
