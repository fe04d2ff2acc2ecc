import { expect } from 'chai';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import * as factors from '../../../../db/accounts/second-factors.ts';
import * as sessions from '../../../../db/accounts/sessions.ts';
import { createSecretBox } from '../../../../process/secret-box.ts';
import { createTotpSecret } from '../../../../server/dashboard/sign-in/totp.ts';
import { FormClient } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { countWaiting, untilWaiting } from '../../../support/locks.ts';
import { secretKey, useService } from '../../../support/service.ts';
import { pathIn } from '../../../support/smtp.ts';

describe('a sign-in during a password reset', () => {
  const service = useService({}, { worker: true, mails: true });
  let people = 0;

  afterEach(() => sql`truncate sign_in_tries`.execute(service.db));

  const client = () => new FormClient(service.baseUrl);

  async function person() {
    people += 1;
    return service.person(`person-${people}@example.com`, { password: 'old password', isConfirmed: true });
  }

  async function withApp() {
    const { userId, email } = await person();
    const secret = createTotpSecret();
    await factors.beginTotp(service.db, createSecretBox(secretKey), userId, secret);
    await factors.acceptStep(service.db, userId, 1);
    return { userId, email, code: () => new TOTP({ secret: Secret.fromBase32(secret) }).generate() };
  }

  async function mailed(browser: FormClient, path: string, email: string, nth = 1): Promise<string> {
    await browser.post(path, { email });
    return pathIn(await service.mails.mailTo(email, nth));
  }

  /** Starts a sign-in that waits for a table lock, resets the password meanwhile, and waits for both. */
  async function resetDuring<T>(table: string, signIn: () => Promise<T>, reset: string): Promise<T> {
    const { signingIn, resetting } = await service.db.transaction().execute(async (trx) => {
      await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx);
      const signingIn = signIn();
      await untilWaiting(service.db, 1, `%${table}%`);
      let isReset = false;
      const resetting = client().press(reset, { new_password: 'a newer horse' });
      void resetting.then(() => {
        isReset = true;
      });
      await eventually(async () => isReset || (await countWaiting(service.db)) > 1 || null);
      return { signingIn, resetting };
    });
    expect((await resetting).location).to.equal('/sign-in');
    return signingIn;
  }

  const expectOutside = async (browser: FormClient) =>
    expect((await browser.get('/settings')).location).to.match(/^\/sign-in/);

  it('fails by a mailed link', async () => {
    const { email } = await person();
    const link = await mailed(client(), '/sign-in/link', email);
    const reset = await mailed(client(), '/forgot', email, 2);
    const thief = client();
    await resetDuring('passkeys', () => thief.press(link), reset);
    await expectOutside(thief);
  });

  it('fails by a link of the operator', async () => {
    const { userId, email } = await person();
    const key = await sessions.createLink(service.db, userId);
    const reset = await mailed(client(), '/forgot', email);
    const thief = client();
    await resetDuring('passkeys', () => thief.get(`/start?key=${key}`), reset);
    await expectOutside(thief);
  });

  it('fails by the old password and a valid code', async () => {
    const { email, code } = await withApp();
    const reset = await mailed(client(), '/forgot', email);
    const thief = client();
    await resetDuring('passkeys', () => thief.post('/sign-in', { email, password: 'old password' }), reset);
    expect((await thief.post('/sign-in/second', { code: code() })).location).to.not.equal('/');
    await expectOutside(thief);
  });

  it('fails by a valid code that was sent earlier', async () => {
    const { email, code } = await withApp();
    const reset = await mailed(client(), '/forgot', email);
    const thief = client();
    const first = await thief.post('/sign-in', { email, password: 'old password' });
    expect(first.location).to.equal('/sign-in/second');
    const second = () => thief.post('/sign-in/second', { code: code() });
    const answer = await resetDuring('memberships', second, reset);
    expect(answer.location).to.equal('/sign-in');
    await expectOutside(thief);
  });
});
