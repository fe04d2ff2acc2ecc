import { expect } from 'chai';
import { sql } from 'kysely';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { TestService } from '../support/service.ts';

/** Some acts may be asked for again and again for nothing, and under each Idempotency-Key the answer is kept. */
describe('answers that are kept of acts without a price', () => {
  let service: TestService;
  let accountId: number;
  let token: string;
  let keys = 0;

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '600' });
    accountId = (await service.account(0)).accountId;
    const email = 'ada@example.com';
    const userId = await users.create(service.db, { accountId, email, passwordHash: null });
    token = await tokens.issue(service.db, accountId, 'ada’s', { userId });
  });
  after(() => service.stop());

  const call = (path: string, method: string, body?: object, headers = {}) =>
    service.call(path, { token, method, body, headers });
  const used = (weight: number) =>
    sql`insert into allowances (account_id, weight) values (${accountId}, ${weight})
      on conflict (account_id) do update set weight = excluded.weight, changed_at = excluded.changed_at`.execute(
      service.db,
    );
  const urls = ['https://example.com/'];
  const monitor = { name: 'M', type: 'http', urls, schedule: { every: 'day' } };

  it('are weighed, and not kept once nothing is left; without a key the act is done', async () => {
    const { monitor_id: monitorId } = (await call('/monitors', 'POST', monitor)).body.monitor;
    const list = { urls: ['no address'], on_invalid: 'skip' };
    const { batch_id: batchId } = (await call('/http-status/bulk', 'POST', list)).body;
    const member = await users.create(service.db, {
      ...{ accountId, email: 'grace@example.com', passwordHash: null },
      role: 'viewer',
    });
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
    const underKey = (path: string, method: string, body?: object) => {
      keys += 1;
      return call(path, method, body, { 'Idempotency-Key': `k${keys}` });
    };
    for (const [path, method, body] of acts.slice(0, -1)) {
      await used(0);
      const done = await underKey(path, method, body);
      expect(done.status, `${method} ${path}`).to.be.oneOf([200, 201]);
      const { rows } = await sql<{ weight: number }>`select weight from allowances
        where account_id = ${accountId}`.execute(service.db);
      expect(rows[0]?.weight, `${method} ${path}`).to.equal(4);
    }
    await used(40_000);
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
    for (const [path, method, body] of acts.filter(([path]) => !path.startsWith('/members')))
      expect((await call(path, method, body)).status, `${method} ${path}`).to.be.oneOf([200, 201]);
  });

  it('are none where a run cannot be paid: its list is not even read', async () => {
    await used(0);
    const { monitor_id: monitorId } = (await call('/monitors', 'POST', monitor)).body.monitor;
    await inTransaction(service.db, async (trx) => {
      await sql`lock table subjects in access exclusive mode`.execute(trx);
      expect((await call(`/monitors/${monitorId}/run`, 'POST')).status).to.equal(402);
    });
  });
});
