import { expect } from 'chai';
import { weights } from '../../accounts/allowance.ts';
import * as activity from '../../db/accounts/activity.ts';
import * as memberships from '../../db/accounts/memberships.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { visitAs } from '../support/dashboard.ts';
import { TestService } from '../support/service.ts';

const basePerHour = 20_000;

/** What is noted of an act is kept for 400 days, and what was made and revoked stays for a while too. */
describe('acts that leave rows and cost no credit', () => {
  let service: TestService;
  let accountId: number;
  let token: string;
  let ada: number;
  let member: number;

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '600' });
  });
  after(() => service.stop());
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

  const call = (path: string, method: string, body?: object) => service.call(path, { token, method, body });
  const makeToken = () => call('/tokens', 'POST', { name: 'x', scope: 'read' });
  const invite = () => call('/members', 'POST', { email: 'new@example.com', role: 'viewer' });
  const setRole = (role: string) => call(`/members/${member}`, 'PATCH', { role });
  const making: [title: string, make: () => ReturnType<typeof call>, rows: number][] = [
    ['a token', makeToken, 3],
    ['an invitation', invite, 3],
    ['a new webhook secret', () => call('/webhooks/secret/rotate', 'POST'), 1],
    ['another credit alert', () => call('/credits/alert', 'PATCH', { threshold: 5 }), 1],
    ['a role that may more', () => setRole('member'), 2],
  ];
  const weight = async () => {
    const query = service.db.selectFrom('allowances').select('weight').where('accountId', '=', accountId);
    return (await query.executeTakeFirst())?.weight ?? 0;
  };
  const useUp = () =>
    service.db
      .insertInto('allowances')
      .values({ accountId, weight: 2 * basePerHour })
      .onConflict((on) =>
        on.column('accountId').doUpdateSet({ weight: 2 * basePerHour, changedAt: new Date() }),
      )
      .execute();
  const noted = () => activity.count(service.db, accountId, 100);

  for (const [title, make, rows] of making) {
    it(`weigh what is kept of ${title}, and leave nothing once the allowance is used up`, async () => {
      expect((await make()).status).to.be.within(200, 201);
      expect(await weight()).to.equal(rows * weights.keptRows);
      await inTransaction(service.db, (trx) => memberships.setRole(trx, accountId, member, 'viewer'));
      await useUp();
      const before = await noted();
      const { status, body } = await make();
      expect([status, body.error]).to.deep.equal([429, 'allowance_exhausted']);
      expect(await noted()).to.equal(before);
    });
  }

  it('take away what may be done, used up or not', async () => {
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

  it('are refused in the dashboard in words', async () => {
    const browser = await visitAs(service, ada);
    await useUp();
    const before = await noted();
    await browser.post('/webhooks/rotate', {}, { from: '/webhooks' });
    expect((await browser.get('/webhooks')).text).to.include('too much work that nobody pays for');
    expect(await noted()).to.equal(before);
  });
});
