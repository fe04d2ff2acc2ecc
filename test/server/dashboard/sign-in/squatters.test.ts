import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { confirmEmail } from '../../../../accounts/confirm-email.ts';
import { exists } from '../../../../db/accounts/accounts.ts';
import * as memberships from '../../../../db/accounts/memberships.ts';
import * as passkeys from '../../../../db/accounts/passkeys.ts';
import * as factors from '../../../../db/accounts/second-factors.ts';
import * as tokens from '../../../../db/accounts/tokens.ts';
import * as addresses from '../../../../db/accounts/user-emails.ts';
import * as users from '../../../../db/accounts/users.ts';
import * as reportLinks from '../../../../db/batches/report-links.ts';
import * as alerts from '../../../../db/ledger/credit-alerts.ts';
import { inTransaction } from '../../../../db/postgres/connect.ts';
import { createSecretBox } from '../../../../process/secret-box.ts';
import { FormClient, visitAs } from '../../../support/dashboard.ts';
import { untilWaiting } from '../../../support/locks.ts';
import { useService } from '../../../support/service.ts';
import { pathIn } from '../../../support/smtp.ts';

const password = 'of the squatter';

describe('a user who signed up with an address of somebody else', () => {
  const service = useService({ SIGNUP: 'open', SIGNUP_CREDITS: '100' }, { worker: true, mails: true });

  // All requests come from one network. The limits have their own tests.
  afterEach(async () => {
    await sql`truncate sign_in_tries`.execute(service.db);
    await sql`update sign_up_credits set network_key = null`.execute(service.db);
  });

  const client = () => new FormClient(service.baseUrl);

  /** Signs up and signs in. The first mail to the address confirms it. */
  async function squat(email: string) {
    const browser = client();
    await browser.post('/sign-up', { email, password });
    const confirmation = pathIn(await service.mails.mailTo(email));
    expect((await browser.post('/sign-in', { email, password })).location).to.equal('/');
    const { userId, accountId } = (await addresses.findByEmail(service.db, email)) ?? {
      userId: 0,
      accountId: 0,
    };
    return { browser, confirmation, email, userId, accountId };
  }

  /** Creates everything else that an account may have without a confirmed address. */
  async function createEverything({ userId, accountId }: { userId: number; accountId: number }) {
    const { db } = service;
    const token = await tokens.issue(db, accountId, 'for later', { userId });
    const batchId = (await sql<{ id: string }>`select gen_random_uuid() as id`.execute(db)).rows[0]?.id ?? '';
    const report = (await reportLinks.create(db, { accountId, batchId }, 30)) ?? '';
    const body = {
      ...{ name: 'theirs', type: 'http', urls: ['https://example.com/'] },
      schedule: { every: 'day', at: '09:00' },
      notify: { webhook_url: 'https://example.com/hook' },
    };
    const made = await service.call('/monitors', { token, body });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    await inTransaction(db, async (trx) => {
      await factors.setRecoveryCodes(trx, userId, ['AAAA-BBBB-CCCC-DDDD']);
      const passkey = { credentialId: randomBytes(16), publicKey: randomBytes(32), counter: 0, name: 'x' };
      await passkeys.add(trx, { ...passkey, userId });
      await alerts.change(trx, accountId, { threshold: 5, url: 'https://example.com/low' });
    });
    const { rows } = await sql<{ webhookSecret: Buffer }>`
      select webhook_secret from accounts where account_id = ${accountId}`.execute(db);
    return { token, report, secret: rows[0]?.webhookSecret.toString('hex') };
  }

  async function expectVoid(
    squatter: Awaited<ReturnType<typeof squat>>,
    { token, secret }: Awaited<ReturnType<typeof createEverything>>,
  ): Promise<void> {
    const { browser, email, userId, accountId } = squatter;
    expect((await browser.get('/settings')).status, 'session').to.equal(303);
    expect((await client().post('/sign-in', { email, password })).status, 'password').to.equal(401);
    expect((await service.call('/me', { token })).status, 'token').to.equal(401);
    expect(await factors.find(service.db, userId)).to.deep.include({ passkeys: [], recoveryCodes: 0 });
    const { rows } = await sql<Record<string, unknown>>`
      select encode(webhook_secret, 'hex') = ${secret} as same_secret, previous_webhook_secret, alert_url
      from accounts where account_id = ${accountId}`.execute(service.db);
    expect(rows).to.deep.equal([{ sameSecret: false, previousWebhookSecret: null, alertUrl: null }]);
    const links = await sql`select from report_links where account_id = ${accountId}`.execute(service.db);
    expect(links.rows).to.deep.equal([]);
    const monitors = await sql`
      select status, paused_reason, next_run_at, notify->'webhook_url' as url from monitors
      where account_id = ${accountId}`.execute(service.db);
    expect(monitors.rows).to.deep.equal([
      { status: 'paused', pausedReason: 'by_hand', nextRunAt: null, url: null },
    ]);
  }

  async function organisation(owner: string) {
    const { accountId } = await service.account(0);
    return { accountId, browser: await visitAs(service, await service.confirmedUser(accountId, owner)) };
  }

  async function invited(organisation: { browser: FormClient }, email: string, nth: number): Promise<string> {
    await organisation.browser.post('/members', { email, role: 'owner' });
    const { text } = await service.mails.mailTo(email, nth);
    const { pathname, search } = new URL(/https?:\/\/\S+\?key=\S+/.exec(text)?.[0] ?? '');
    return pathname + search;
  }

  const keyIn = (path: string) => new URLSearchParams(path.split('?')[1]).get('key') ?? '';

  it('is in no account that the holder of the address joins by a mailed link', async () => {
    const squatter = await squat('holder@example.com');
    const set = await createEverything(squatter);
    const org = await organisation('boss@example.com');
    const invitation = await invited(org, squatter.email, 2);
    const holder = client();
    await holder.post('/sign-in/link', { email: squatter.email });
    const followed = await holder.press(pathIn(await service.mails.mailTo(squatter.email, 3)));
    expect([followed.status, followed.location]).to.deep.equal([303, '/']);
    await expectVoid(squatter, set);
    await holder.post('/invitation', { key: keyIn(invitation) }, { from: invitation });
    expect((await memberships.find(service.db, org.accountId, squatter.userId))?.role).to.equal('owner');
    expect((await holder.get('/members')).text).to.contain('boss@example.com');
    expect((await squatter.browser.get('/members')).status).to.equal(303);
    expect((await client().press(squatter.confirmation, { password })).status).to.equal(403);
  });

  it('loses access when the holder accepts an invitation in a session', async () => {
    const squatter = await squat('joiner@example.com');
    const set = await createEverything(squatter);
    const org = await organisation('chief@example.com');
    const invitation = await invited(org, squatter.email, 2);
    // A session of this user. The address is still unconfirmed.
    const holder = await visitAs(service, squatter.userId);
    const joined = await holder.post('/invitation', { key: keyIn(invitation) }, { from: invitation });
    expect([joined.status, joined.location]).to.deep.equal([303, '/']);
    expect((await holder.get('/members')).text).to.contain('chief@example.com');
    await expectVoid(squatter, set);
  });

  it('loses access when the holder sets a new password', async () => {
    const squatter = await squat('resetter@example.com');
    const set = await createEverything(squatter);
    await client().post('/forgot', { email: squatter.email });
    const reset = pathIn(await service.mails.mailTo(squatter.email, 2));
    expect((await client().press(reset, { new_password: 'of the holder' })).location).to.equal('/sign-in');
    await expectVoid(squatter, set);
    const signedIn = await client().post('/sign-in', { email: squatter.email, password: 'of the holder' });
    expect(signedIn.location).to.equal('/');
  });

  it('loses access when the address is confirmed in another browser, with the password', async () => {
    const squatter = await squat('typist@example.com');
    const set = await createEverything(squatter);
    expect((await client().press(squatter.confirmation, { password })).location).to.equal('/');
    expect((await squatter.browser.get('/settings')).status, 'session').to.equal(303);
    expect((await service.call('/me', { token: set.token })).status, 'token').to.equal(401);
    expect(await factors.isRequired(service.db, squatter.userId)).to.equal(false);
  });

  it('cannot finish a sign-in whose password was valid before the confirmation', async () => {
    const squatter = await squat('racer@example.com');
    await squatter.browser.post('/sign-out');
    const { db } = service;
    const signingIn = await inTransaction(db, async (trx) => {
      await users.lock(trx, squatter.userId);
      const answer = squatter.browser.post('/sign-in', { email: squatter.email, password });
      // At this point, the password has been compared.
      await untilWaiting(db, 1, '%"users"%for update%');
      await confirmEmail(
        trx,
        { secretBox: createSecretBox(service.config.secretKey, null) },
        squatter.userId,
      );
      return { answer };
    });
    expect((await signingIn.answer).status).to.equal(401);
    const { rows } = await sql`select from sessions where user_id = ${squatter.userId}`.execute(db);
    expect(rows).to.deep.equal([]);
  });

  it('keeps everything as the holder, who confirms in the same session with the password', async () => {
    const holder = await squat('honest@example.com');
    const set = await createEverything(holder);
    const other = await visitAs(service, holder.userId);
    expect((await holder.browser.press(holder.confirmation, { password })).location).to.equal('/');
    expect((await holder.browser.get('/')).text).to.match(/<strong>100<\/strong> <span>credits/);
    expect((await other.get('/settings')).status).to.equal(200);
    expect((await service.call('/me', { token: set.token })).status).to.equal(200);
    expect(await users.matchPassword(service.db, holder.userId, password)).to.be.a('string');
  });

  it('gets the sign-up credits once per address, also after deletion of the account', async () => {
    const first = await squat('again@example.com');
    await first.browser.press(first.confirmation, { password });
    expect(await service.credits(first.accountId)).to.equal(100);
    await first.browser.post('/settings/delete', { password });
    expect(await addresses.findByEmail(service.db, first.email)).to.equal(null);
    const browser = client();
    await browser.post('/sign-up', { email: 'Again@example.com', password });
    // The other spelling tells this mail from those to the deleted account.
    const confirmation = pathIn(await service.mails.mailTo('Again@example.com'));
    await browser.post('/sign-in', { email: first.email, password });
    expect((await browser.press(confirmation, { password })).location).to.equal('/');
    expect((await browser.get('/')).text).to.match(/<strong>0<\/strong> <span>credits/);
  });

  it('cannot make the holder confirm the address for another account', async () => {
    const squatter = await squat('own@example.com');
    await squatter.browser.press(squatter.confirmation, { password });
    const email = 'target@example.com';
    await squatter.browser.post('/settings/password', { email, password });
    const path = pathIn(await service.mails.mailTo(email));
    const refused = await client().press(path);
    expect([
      refused.status,
      refused.text.includes('Sign in with your current email address first'),
    ]).to.deep.equal([403, true]);
    expect(await addresses.findByEmail(service.db, email)).to.equal(null);
    // The link is valid in the browser that requested it.
    expect((await squatter.browser.press(path)).location).to.equal('/settings');
    expect((await addresses.findByEmail(service.db, email))?.userId).to.equal(squatter.userId);
  });

  it('keeps all sessions on an invitation when the address is confirmed', async () => {
    const { accountId } = await service.account(0);
    const email = 'confirmed@example.com';
    const passwordHash = await users.hashPassword(password);
    const userId = await users.create(service.db, { accountId, email, passwordHash });
    await inTransaction(service.db, (trx) => addresses.confirm(trx, userId));
    const token = await tokens.issue(service.db, accountId, 'theirs', { userId });
    const [here, there] = [await visitAs(service, userId), await visitAs(service, userId)];
    const org = await organisation('lead@example.com');
    const invitation = await invited(org, email, 1);
    await here.post('/invitation', { key: keyIn(invitation) }, { from: invitation });
    expect((await here.get('/members')).text).to.contain('lead@example.com');
    expect((await there.get('/settings')).status).to.equal(200);
    expect((await service.call('/me', { token })).status).to.equal(200);
    expect((await client().post('/sign-in', { email, password })).location).to.equal('/');
    expect(await exists(service.db, accountId)).to.equal(true);
  });
});
