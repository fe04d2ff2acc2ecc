import { expect } from 'chai';
import { sql } from 'kysely';
import { parse } from 'node-html-parser';
import * as users from '../../../db/accounts/users.ts';
import { FormClient, visit } from '../../support/dashboard.ts';
import { useService } from '../../support/service.ts';

describe('the rate limits of the dashboard', () => {
  const service = useService({ RATE_LIMIT_PER_MINUTE: '3' });

  it('count pages and forms of an account together with its API requests', async () => {
    const account = await service.account(0);
    const browser = await visit(service, account);
    const form = () => browser.post('/tokens', { name: 'one' });
    await service.call('/check/bulk', { token: account.token, body: {} });
    expect([(await form()).status, (await form()).status]).to.deep.equal([303, 303]);
    const refused = await form();
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect(refused.text).to.contain('The limit is 3 write requests (POST, PATCH, DELETE) per minute.');
    const api = await service.call('/check/bulk', { token: account.token, body: {} });
    expect(api.status).to.equal(429);

    const pages = [];
    while (pages.length < 30) pages.push(await browser.get('/tokens?page=2'));
    expect([...new Set(pages.map(({ status }) => status))]).to.deep.equal([200, 429]);
    const next = parse(pages.at(-1)?.text ?? '').querySelector('main section.empty a');
    expect(next?.getAttribute('href')).to.equal('/tokens?page=2');
    expect((await new FormClient(service.baseUrl).get('/')).status).to.equal(200);
  });

  it('allow 30 sign-ins of a user in 15 minutes, and do not affect other users', async () => {
    const { accountId } = await service.account(0);
    const passwordHash = await users.hashPassword('right password');
    const emails = ['ada@example.com', 'bob@example.com'];
    for (const email of emails) await users.create(service.db, { accountId, email, passwordHash });
    const enter = async (email: string) =>
      (await new FormClient(service.baseUrl).post('/sign-in', { email, password: 'right password' })).status;
    expect(await enter('ada@example.com')).to.equal(303);
    const { rows } = await sql<{ points: number }>`update sign_in_tries set points = 29 + points
      where key like 'right:%' returning points`.execute(service.db);
    expect(rows).to.deep.equal([{ points: 30 }]);
    expect([await enter('ada@example.com'), await enter('bob@example.com')]).to.deep.equal([429, 303]);
    // Wrong passwords are counted separately.
    const wrong = new FormClient(service.baseUrl).post('/sign-in', {
      email: 'bob@example.com',
      password: 'x',
    });
    expect((await wrong).status).to.equal(401);
    const counted = await sql`select points from sign_in_tries where key like 'right:%' order by 1`.execute(
      service.db,
    );
    expect(counted.rows).to.deep.equal([{ points: 1 }, { points: 30 }]);
  });
});
