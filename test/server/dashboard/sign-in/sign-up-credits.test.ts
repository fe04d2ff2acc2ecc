import { expect } from 'chai';
import { sql } from 'kysely';
import * as addresses from '../../../../db/accounts/user-emails.ts';
import { FormClient } from '../../../support/dashboard.ts';
import { useService } from '../../../support/service.ts';
import { pathIn } from '../../../support/smtp.ts';

const password = 'quiet harbour lantern';

describe('the credits for signing up', () => {
  const env = { SIGNUP: 'open', SIGNUP_CREDITS: '100', TRUST_PROXY: '1' };
  const service = useService(env, { worker: true, mails: true });

  /** Signs up from a network address, confirms, and returns the credits of the new account. */
  async function signUpForCredits(email: string, address: string): Promise<number> {
    const browser = new FormClient(service.baseUrl);
    const headers = { 'X-Forwarded-For': address };
    await browser.post('/sign-up', { email, password }, { headers });
    await browser.press(pathIn(await service.mails.mailTo(email)), { password });
    const user = await addresses.findByEmail(service.db, email);
    expect(user?.emailConfirmedAt).to.be.a('date');
    return service.credits(user?.accountId ?? 0);
  }

  const aDayLater = () => sql`update sign_up_credits set granted_on = granted_on - 1`.execute(service.db);

  it('are granted once per day and network, however many addresses of a mailbox sign up', async () => {
    expect(await signUpForCredits('a+1@example.com', '198.51.100.7')).to.equal(100);
    expect(await signUpForCredits('a+2@example.com', '198.51.100.7')).to.equal(0);
    expect(await signUpForCredits('b@example.com', '198.51.100.8')).to.equal(100);
    await aDayLater();
    expect(await signUpForCredits('a+3@example.com', '198.51.100.7')).to.equal(100);
  });

  it('treat an IPv6 /56 as one network, and store no network address', async () => {
    expect(await signUpForCredits('c+1@example.com', '2001:db8:0:ff01::1')).to.equal(100);
    expect(await signUpForCredits('c+2@example.com', '2001:db8:0:ff02::2')).to.equal(0);
    expect(await signUpForCredits('d@example.com', '2001:db8:0:fe01::1')).to.equal(100);
    const { rows } = await sql<{ length: number }>`
      select distinct length(network_key) as length from sign_up_credits`.execute(service.db);
    expect(rows).to.deep.equal([{ length: 32 }]);
    const kept = await sql`select from users where network_key is not null`.execute(service.db);
    expect(kept.rows).to.deep.equal([]);
  });
});
