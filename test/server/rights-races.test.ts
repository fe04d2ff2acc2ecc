import { expect } from 'chai';
import { sql } from 'kysely';
import * as memberships from '../../db/accounts/memberships.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import type { Role } from '../../schemas/members.ts';
import { fieldIn, visitAs } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { holdBack } from '../support/held-request.ts';
import { collide, countWaiting, untilWaiting } from '../support/locks.ts';
import { runAdmin } from '../support/operator.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { useService } from '../support/service.ts';

const urls = ['https://indexed.example/'];

describe('rights that are revoked during their use', () => {
  const service = useService({ DATABASE_POOL_MAX: '20' });
  let people = 0;

  /** Creates an account of several owners, each with a token. */
  async function owners(count: number, role: Role = 'owner') {
    const { accountId, token: operators } = await service.account(1000);
    const all = [];
    for (let nth = 0; nth < count; nth++) {
      people += 1;
      const email = `owner-${people}@example.com`;
      const userId = await users.create(service.db, { accountId, email, passwordHash: null, role });
      const token = await tokens.issue(service.db, accountId, email, { userId });
      const tokenId = (await tokens.findCaller(service.db, token))?.tokenId ?? 0;
      all.push({ userId, email, token, tokenId });
    }
    const [one, two] = all;
    if (!one) throw new Error('count must be at least 1');
    return { accountId, operators, all, one, two: two ?? one };
  }

  const findRole = async (accountId: number, userId: number) =>
    (await memberships.find(service.db, accountId, userId))?.role;
  const change = (token: string, userId: number, role: Role) =>
    service.call(`/members/${userId}`, { token, method: 'PATCH', body: { role } });
  const remove = (token: string, userId: number) =>
    service.call(`/members/${userId}`, { token, method: 'DELETE' });
  const revoke = (token: string, tokenId: number) =>
    service.call(`/tokens/${tokenId}`, { token, method: 'DELETE' });

  /** Sends the headers of a request and waits until it is authenticated. Returns a function that sends the body. */
  async function sendHeaders(
    method: string,
    path: string,
    { token, tokenId, body, key }: { token: string; tokenId: number; body: object; key?: string },
  ) {
    await sql`update api_tokens set last_used_at = null where token_id = ${tokenId}`.execute(service.db);
    const send = holdBack({
      method,
      url: `${service.baseUrl}/api/v1${path}`,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        ...(key ? { 'Idempotency-Key': key } : {}),
      },
      body: JSON.stringify(body),
    });
    await eventually(async () => {
      const { rows } = await sql`select from api_tokens
        where token_id = ${tokenId} and last_used_at is not null`.execute(service.db);
      return rows.length > 0 || null;
    });
    return send;
  }

  it('are not locked by a caller who guesses ids of another account', async () => {
    const { one } = await owners(1);
    const { one: victim } = await owners(1);
    const tokenId = (await tokens.findCaller(service.db, victim.token))?.tokenId;
    const requests = [
      ['DELETE', `/members/${victim.userId}`],
      ['PATCH', `/members/${victim.userId}`],
      ['DELETE', `/tokens/${tokenId}`],
    ] as const;
    for (const [method, path] of requests) {
      const body = method === 'PATCH' ? { role: 'viewer' } : undefined;
      const answer = await service.db.transaction().execute(async (trx) => {
        // Locks as a request of the victim does.
        await sql`select pg_advisory_xact_lock_shared(hashtextextended(of, 0))
          from unnest(array[${`rights of user ${victim.userId}`}, ${`rights of token ${tokenId}`}]) as of`.execute(
          trx,
        );
        let isAnswered = false;
        const asked = service.call(path, { token: one.token, method, body });
        void asked.then(() => {
          isAnswered = true;
        });
        await eventually(async () => isAnswered || (await countWaiting(service.db)) > 0 || null);
        return isAnswered ? asked : null;
      });
      expect(answer?.status, `${method} ${path}`).to.equal(404);
    }
  });

  it('of a removed owner show no secret again', async () => {
    const { one, two } = await owners(2);
    const key = 'rotated';
    const headers = { 'Idempotency-Key': key };
    const path = '/webhooks/secret/rotate';
    const first = await service.call(path, { token: one.token, body: {}, headers });
    expect(first.body.secret).to.match(/^whsec_/);
    const again = await sendHeaders('POST', path, { ...one, body: {}, key });
    expect((await remove(two.token, one.userId)).status).to.equal(200);
    const { status, text } = await again();
    expect([status, JSON.parse(text).error]).to.deep.equal([401, 'unauthorized']);
  });

  /** Creates a signed-in user with a password, and holds back the form that closes the account. */
  async function holdCloseForm(password: string) {
    const { accountId, operators, one } = await owners(1);
    people += 1;
    const email = `closes-${people}@example.com`;
    const passwordHash = await users.hashPassword('correct horse');
    const userId = await users.create(service.db, { accountId, email, passwordHash });
    const browser = await visitAs(service, userId);
    const page = await browser.get('/settings');
    const formToken = fieldIn(page.text, 'form_token');
    await sql`update sessions set last_used_at = now() - interval '10 minutes'
      where user_id = ${userId}`.execute(service.db);
    const send = holdBack({
      method: 'POST',
      url: `${service.baseUrl}/settings/delete`,
      headers: {
        Cookie: `sonde_session=${browser.cookies.get('sonde_session')}`,
        'Sec-Fetch-Site': 'same-origin',
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ form_token: formToken, password }).toString(),
    });
    await eventually(async () => {
      const { rows } = await sql`select from sessions
        where user_id = ${userId} and last_used_at > now() - interval '1 minute'`.execute(service.db);
      return rows.length > 0 || null;
    });
    return { accountId, operators, userId, one, send };
  }

  it('do not let a removed or demoted owner close the account, with any password', async () => {
    for (const password of ['wrong', 'correct horse']) {
      const removed = await holdCloseForm(password);
      expect((await remove(removed.operators, removed.userId)).status).to.equal(200);
      const { status, location } = await removed.send();
      expect([status, location]).to.deep.equal([303, '/sign-in']);
      expect((await service.call('/credits', { token: removed.one.token })).status).to.equal(200);
      const demoted = await holdCloseForm(password);
      expect((await change(demoted.operators, demoted.userId, 'member')).status).to.equal(200);
      expect((await demoted.send()).status).to.equal(403);
      expect((await service.call('/credits', { token: demoted.one.token })).status).to.equal(200);
    }
  });

  it('need the present password to close the account', async () => {
    const { one, userId, send } = await holdCloseForm('correct horse');
    const hash = await users.hashPassword('another one');
    await sql`update users set password_hash = ${hash} where user_id = ${userId}`.execute(service.db);
    expect((await send()).status).to.equal(403);
    expect((await service.call('/credits', { token: one.token })).status).to.equal(200);
  });

  itOnOneServer('are revoked after requests that use them, and before later requests', async () => {
    const { accountId, one, two } = await owners(2);
    const ask = () => service.call('/check/bulk', { token: one.token, body: { urls } });
    const { first, removed, second } = await service.db.transaction().execute(async (trx) => {
      await sql`lock table chunks in exclusive mode`.execute(trx);
      const first = ask();
      await untilWaiting(service.db, 1);
      const removed = remove(two.token, one.userId);
      await untilWaiting(service.db, 2);
      expect(await findRole(accountId, one.userId), 'not revoked yet').to.equal('owner');
      const second = ask();
      await untilWaiting(service.db, 3);
      return { first, removed, second };
    });
    const statuses = (await Promise.all([first, removed, second])).map(({ status }) => status);
    expect(statuses).to.deep.equal([202, 200, 401]);
    expect(await service.credits(accountId)).to.equal(999);
  });

  itOnOneServer('of a token are revoked by owner and operator at once without a deadlock', async () => {
    const { one, two } = await owners(2);
    const [operator, owner] = await collide(
      service.db,
      sql`select from api_tokens where token_id = ${one.tokenId} for update`,
      () => runAdmin(service, ['token', 'revoke', '--token', String(one.tokenId)]),
      () => revoke(two.token, one.tokenId),
    );
    expect([operator.code, owner.status]).to.deep.equal([0, 200]);
  });

  it('end for a token that is in constant use', async () => {
    const { accountId, one, two } = await owners(2);
    const statuses = new Set<number>();
    const send = async () => {
      let status = 0;
      while (status !== 401) {
        ({ status } = await service.call('/check/bulk', { token: one.token, body: { urls } }));
        statuses.add(status);
      }
    };
    const senders = Array.from({ length: 8 }, send);
    await eventually(async () => statuses.has(202) || null);
    expect((await revoke(two.token, one.tokenId)).status).to.equal(200);
    const left = await service.credits(accountId);
    await Promise.all(senders);
    expect(await service.credits(accountId), 'no later charge').to.equal(left);
    expect([...statuses]).to.deep.equal([202, 401]);
  });

  it('are changed by many at once without a deadlock', async () => {
    const { accountId, all } = await owners(4);
    const roles = all.map((one, nth) =>
      change(one.token, all[(nth + 1) % all.length]?.userId ?? 0, 'member'),
    );
    const changed = (await Promise.all(roles)).map(({ status }) => status);
    expect(
      changed.every((status) => [200, 401, 403].includes(status)),
      changed.join(),
    ).to.equal(true);
    const left = await memberships.listOwners(service.db, accountId);
    expect(left).to.have.length(changed.filter((status) => status !== 200).length);

    const { all: others } = await owners(4);
    const revoked = others.flatMap((one, nth) => [
      revoke(one.token, others[(nth + 1) % others.length]?.tokenId ?? 0),
      revoke(one.token, one.tokenId),
    ]);
    const answers = (await Promise.all(revoked)).map(({ status }) => status);
    expect(
      answers.every((status) => status === 200 || status === 401),
      answers.join(),
    ).to.equal(true);
  });

  it('end in all sessions when two sessions ask for it at once', async () => {
    const { one } = await owners(1);
    const browsers = await Promise.all(
      [1, 2].map(async () => {
        const browser = await visitAs(service, one.userId);
        await browser.get('/settings');
        return browser;
      }),
    );
    const answers = await Promise.all(
      browsers.map((browser) => browser.post('/settings/sessions', {}, { from: '/settings' })),
    );
    expect(answers.map(({ status, location }) => `${status} ${location}`)).to.deep.equal([
      '303 /sign-in',
      '303 /sign-in',
    ]);
    const { rows } = await sql`select from sessions where user_id = ${one.userId}`.execute(service.db);
    expect(rows).to.have.length(0);
  });
});
