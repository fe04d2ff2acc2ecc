import { expect } from 'chai';
import { sql } from 'kysely';
import { unitCosts } from '../../accounts/allowance.ts';
import * as activity from '../../db/accounts/activity.ts';
import * as memberships from '../../db/accounts/memberships.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { visitAs } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/service.ts';

/** Audit entries stay for 400 days. Created and revoked rows, and answers to each Idempotency-Key, stay for a while. */
describe('requests that cost no credits and leave rows', () => {
  const service = useService({ RATE_LIMIT_PER_MINUTE: '600' });
  let accountId: number;
  let token: string;
  let ada: number;
  let member: number;

  beforeEach(async () => {
    accountId = (await service.account(0)).accountId;
    const email = (name: string) => `${name}-${accountId}@example.com`;
    ada = await users.create(service.db, { accountId, email: email('ada'), passwordHash: null });
    member = await users.create(service.db, {
      accountId,
      email: email('grace'),
      passwordHash: null,
      role: 'viewer',
    });
    token = await tokens.issue(service.db, accountId, 'ada’s', { userId: ada });
  });

  const call = (path: string, method: string, body?: object, headers = {}) =>
    service.call(path, { token, method, body, headers });
  const makeToken = () => call('/tokens', 'POST', { name: 'x', scope: 'read' });
  const invite = () => call('/members', 'POST', { email: 'new@example.com', role: 'viewer' });
  const setRole = (role: string) => call(`/members/${member}`, 'PATCH', { role });
  const making: [title: string, make: () => ReturnType<typeof call>, rows: number][] = [
    ['a token', makeToken, 3],
    ['an invitation', invite, 3],
    ['a new webhook secret', () => call('/webhooks/secret/rotate', 'POST'), 1],
    ['another credit alert', () => call('/credits/alert', 'PATCH', { threshold: 5 }), 1],
    ['a role with more rights', () => setRole('member'), 1],
  ];
  const weight = async () => {
    const query = service.db.selectFrom('allowances').select('weight').where('accountId', '=', accountId);
    return (await query.executeTakeFirst())?.weight ?? 0;
  };
  const useUp = () => service.setAllowanceUsed(accountId, 40_000);
  const noted = () => activity.count(service.db, accountId, 100);

  for (const [title, make, rows] of making) {
    it(`cost allowance for ${title}, and store nothing when it is used up`, async () => {
      expect((await make()).status).to.be.within(200, 201);
      // The rows are counted after the answer was sent.
      await eventually(async () => (await weight()) || null);
      expect(await weight()).to.equal(rows * unitCosts.keptRows);
      await inTransaction(service.db, (trx) => memberships.setRole(trx, accountId, member, 'viewer'));
      await useUp();
      const before = await noted();
      const { status, body } = await make();
      expect([status, body.error]).to.deep.equal([429, 'allowance_exhausted']);
      expect(await noted()).to.equal(before);
    });
  }

  it('may revoke rights even when the allowance is used up', async () => {
    const made = (await makeToken()).body;
    const invited = (await invite()).body;
    await setRole('owner');
    await useUp();
    const undone = [
      await call(`/tokens/${made.token_id}`, 'DELETE'),
      await setRole('member'),
      await setRole('viewer'),
      await call(`/members/${member}`, 'DELETE'),
    ];
    expect(undone.map(({ status }) => status)).to.deep.equal(Array(4).fill(200));
    const browser = await visitAs(service, ada);
    await browser.post(`/members/invitations/${invited.invitation_id}/revoke`, {}, { from: '/members' });
    expect((await call('/members', 'GET')).body.invitations).to.deep.equal([]);
  });

  it('are refused in the dashboard with an explanation', async () => {
    const browser = await visitAs(service, ada);
    await useUp();
    const before = await noted();
    const { status, text } = await browser.post('/webhooks/rotate', {}, { from: '/webhooks' });
    expect(status).to.equal(429);
    expect(text).to.include('Too many unbilled operations');
    expect(await noted()).to.equal(before);
  });

  const urls = ['https://example.com/'];
  const monitor = { name: 'M', type: 'http', urls, schedule: { every: 'day' } };

  it('cost allowance for an answer under a key, and are rejected when it is used up, except deletions and pauses without a key', async () => {
    const { monitor_id: monitorId } = (await call('/monitors', 'POST', monitor)).body.monitor;
    const list = { urls: ['no address'], on_invalid: 'skip' };
    const { batch_id: batchId } = (await call('/http-status/bulk', 'POST', list)).body;
    const revoked = (await call('/tokens', 'POST', { name: 'x', scope: 'read' })).body.token_id;
    await call(`/tokens/${revoked}`, 'DELETE');
    const note = { text: 'moved' };
    const acts: [string, string, object?][] = [
      [`/monitors/${monitorId}/pause`, 'POST'],
      [`/monitors/${monitorId}/resume`, 'POST'],
      [`/monitors/${monitorId}`, 'PATCH', { name: 'N' }],
      [`/monitors/${monitorId}/annotations`, 'POST', note],
      [`/batch/${batchId}/rename`, 'POST', { name: 'of mine' }],
      [`/batch/${batchId}/cancel`, 'POST'],
      [`/members/${member}`, 'PATCH', { role: 'viewer' }],
      [`/tokens/${revoked}`, 'DELETE'],
      [`/monitors/${monitorId}`, 'DELETE'],
    ];
    let keys = 0;
    const underKey = (path: string, method: string, body?: object) => {
      keys += 1;
      return call(path, method, body, { 'Idempotency-Key': `k${keys}` });
    };
    for (const [path, method, body] of acts.slice(0, -1)) {
      await service.setAllowanceUsed(accountId, 0);
      const done = await underKey(path, method, body);
      expect(done.status, `${method} ${path}`).to.be.oneOf([200, 201]);
      const used = await eventually(async () => (await weight()) || null);
      expect(used, `${method} ${path}`).to.equal(path.startsWith('/members') ? 6 : 4);
    }
    await useUp();
    const kept = sql<{ count: number }>`select count(*)::int as count from idempotency_keys`;
    const before = (await kept.execute(service.db)).rows[0]?.count;
    for (const [path, method, body] of acts) {
      const refused = await underKey(path, method, body);
      expect([refused.status, refused.body.error], `${method} ${path}`).to.deep.equal([
        429,
        'allowance_exhausted',
      ]);
    }
    expect((await kept.execute(service.db)).rows[0]?.count).to.equal(before);
    for (const [path, method, body] of acts.filter(([path]) => !path.startsWith('/members'))) {
      const isExempt = method === 'DELETE' || path.endsWith('/pause');
      expect((await call(path, method, body)).status, `${method} ${path}`).to.equal(isExempt ? 200 : 429);
    }
  });

  it('do not include a run that cannot be paid: its list is not even read', async () => {
    const { monitor_id: monitorId } = (await call('/monitors', 'POST', monitor)).body.monitor;
    await inTransaction(service.db, async (trx) => {
      await sql`lock table subjects in access exclusive mode`.execute(trx);
      expect((await call(`/monitors/${monitorId}/run`, 'POST')).status).to.equal(402);
    });
  });
});
