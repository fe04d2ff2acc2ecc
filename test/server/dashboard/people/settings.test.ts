import { expect } from 'chai';
import { sql } from 'kysely';
import * as users from '../../../../db/accounts/users.ts';
import { verify } from '../../../../db/ledger/verification.ts';
import { authenticate } from '../../../support/accounts.ts';
import { visit, visitAs } from '../../../support/dashboard.ts';
import { useService } from '../../../support/service.ts';

describe('the settings of the dashboard', () => {
  const service = useService();

  it('change the password, end all sessions, and delete the account', async () => {
    const account = await service.account(50);
    await service.call('/check/bulk', { token: account.token, body: { urls: ['https://indexed.example/'] } });
    const [one, two] = [await visit(service, account), await visit(service, account)];
    const fields = { email: 'new@example.com', new_password: 'correct horse' };
    await one.post('/settings/password', fields);
    expect((await one.get('/settings')).text).to.contain('Saved. All your other sessions were ended.');
    expect((await two.get('/settings')).status).to.equal(303);

    const guessed = await one.post('/settings/delete', { password: 'wrong' });
    expect(guessed.text).to.contain('The current password is wrong.');
    await one.post('/settings/sessions');
    expect((await one.get('/settings')).status).to.equal(303);

    await two.post('/sign-in', { email: 'new@example.com', password: 'correct horse' });
    await two.post('/settings/delete', { password: 'correct horse' });
    expect((await two.get('/settings')).status).to.equal(303);
    expect((await service.call('/credits', { token: account.token })).status).to.equal(401);
    const again = await two.post('/sign-in', { email: 'new@example.com', password: 'correct horse' });
    expect(again.status).to.equal(401);
    expect(await service.credits(account.accountId)).to.equal(50);
    expect((await verify(service.db)).ok).to.equal(true);
  });

  it('change email and password of one user, both or neither, and end the sessions', async () => {
    const { accountId } = await service.account(0);
    const enter = async (email: string) =>
      visitAs(service, await users.create(service.db, { accountId, email, passwordHash: null }));
    const [ada, eve] = [await enter('ada@example.com'), await enter('eve@example.com')];
    const change = (email: string) =>
      ada.post('/settings/password', { email, new_password: 'correct horse' });
    expect((await change('EVE@example.com')).text).to.contain('This email address already has an account.');
    expect(await authenticate(service.db, 'ada@example.com', 'correct horse')).to.equal(null);
    await sql`update users set email_confirmed_at = now() where account_id = ${accountId}`.execute(
      service.db,
    );
    await change('lovelace@example.com');
    // The new address is not confirmed. The address of the other user still is.
    const { rows } = await sql<{ email: string }>`
      select email from users where account_id = ${accountId} and email_confirmed_at is not null`.execute(
      service.db,
    );
    expect(rows).to.deep.equal([{ email: 'eve@example.com' }]);
    expect((await ada.get('/settings')).text).to.contain('Saved.');
    expect(await authenticate(service.db, 'lovelace@example.com', 'correct horse')).to.be.a('number');
    expect((await eve.get('/settings')).status).to.equal(200);
    expect(await authenticate(service.db, 'eve@example.com', 'correct horse')).to.equal(null);
  });

  it('reveal at most five times a day whether an email address is taken', async () => {
    await sql`truncate sign_in_tries`.execute(service.db);
    const { accountId } = await service.account(0);
    const make = (email: string) => users.create(service.db, { accountId, email, passwordHash: null });
    await make('known@example.com');
    const browser = await visitAs(service, await make('asks@example.com'));
    const alerts: string[] = [];
    for (let asked = 0; asked < 7; asked++) {
      const fields = { email: 'known@example.com', new_password: 'correct horse' };
      const { text } = await browser.post('/settings/password', fields);
      alerts.push(/already has an account|Too many attempts/.exec(text)?.[0] ?? '');
    }
    expect(alerts).to.deep.equal([
      ...Array(5).fill('already has an account'),
      ...Array(2).fill('Too many attempts'),
    ]);
  });
});
