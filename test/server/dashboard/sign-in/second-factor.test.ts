import { expect } from 'chai';
import { sql } from 'kysely';
import { Secret, TOTP, URI } from 'otpauth';
import * as memberships from '../../../../db/accounts/memberships.ts';
import * as factors from '../../../../db/accounts/second-factors.ts';
import * as sessions from '../../../../db/accounts/sessions.ts';
import { inTransaction } from '../../../../db/postgres/connect.ts';
import { createSecretBox } from '../../../../process/secret-box.ts';
import { createTotpSecret } from '../../../../server/dashboard/sign-in/totp.ts';
import { alertIn, FormClient, fieldIn, visitAs } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { countWaiting, untilWaiting } from '../../../support/locks.ts';
import { runAdmin } from '../../../support/operator.ts';
import { secretKey, useService } from '../../../support/service.ts';
import { pathIn } from '../../../support/smtp.ts';

const recoveryCode = 'AAAA-BBBB-CCCC-DDDD';

describe('second factors', () => {
  const service = useService({}, { worker: true, mails: true });

  afterEach(() => sql`truncate sign_in_tries`.execute(service.db));

  const client = () => new FormClient(service.baseUrl);

  /** Creates a user, by default without a password, because hashing is slow. */
  async function person(email: string, password: string | null = null) {
    const known = await service.person(email, { password, isConfirmed: true });
    return { ...known, browser: await visitAs(service, known.userId) };
  }

  /** Creates a user with an app and a recovery code. */
  async function withApp(email: string, password: string | null = null) {
    const known = await person(email, password);
    const secret = createTotpSecret();
    await factors.addUnconfirmedTotp(service.db, createSecretBox(secretKey), known.userId, secret);
    await factors.useTotpStep(service.db, known.userId, 1);
    await inTransaction(service.db, (trx) => factors.setRecoveryCodes(trx, known.userId, [recoveryCode]));
    return { ...known, secret };
  }

  const generateCode = (secret: string, timestamp = Date.now()) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

  /** Begins to add an app. Returns its secret. */
  async function beginApp(browser: FormClient): Promise<string> {
    return fieldIn((await browser.post('/settings/second-factor/app')).text, 'key');
  }

  const confirmApp = (browser: FormClient, key: string, code: string) =>
    browser.post('/settings/second-factor/app/confirm', { key, code });

  /** Signs in up to the second factor. */
  async function passFirstStep(userId: number, next = '/'): Promise<FormClient> {
    const browser = client();
    const key = await sessions.createLink(service.db, userId);
    expect((await browser.get(`/start?key=${key}`)).location).to.equal('/sign-in/second');
    await sql`update sign_in_steps set next = ${next} where user_id = ${userId}`.execute(service.db);
    return browser;
  }

  const answer = (browser: FormClient, code: string) => browser.post('/sign-in/second', { code });

  /** Submits a code after the first step has expired or ended, with the form token of the sign-in page. */
  const tooLate = (browser: FormClient, code: string) =>
    browser.post('/sign-in/second', { code }, { from: '/sign-in' });

  it('by app end other sessions, show ten recovery codes once, notify the user, and are required from then on', async () => {
    const { browser, userId, email } = await person('app@example.com');
    const other = await visitAs(service, userId);
    const secret = await beginApp(browser);
    expect((await other.get('/tokens')).status).to.equal(200);
    const refused = await confirmApp(browser, secret, '000000');
    expect([refused.status, alertIn(refused.text)]).to.deep.equal([
      422,
      'This code is wrong or has expired. Enter the current code from your app.',
    ]);
    await confirmApp(browser, secret, generateCode(secret));
    expect((await other.get('/tokens')).status).to.equal(303);
    const { text } = await browser.get('/settings/second-factor');
    const codes = text.match(/<code>(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}<\/code>/g) ?? [];
    expect(codes).to.have.lengthOf(10);
    expect((await browser.get('/settings/second-factor')).text).not.to.contain(codes[0]);
    const notice = await service.mails.mailTo(email);
    expect(notice.headers.get('subject')).to.equal('A second factor was added');
    expect(notice.text).to.contain('sign-in asks for this second factor').and.contain('ask the operator');
    const entering = await passFirstStep(userId, '/webhooks');
    expect((await entering.get('/tokens')).status).to.equal(303);
    const wrong = await answer(entering, '123456');
    expect([wrong.status, alertIn(wrong.text)]).to.deep.equal([
      401,
      'This code is wrong or was already used. Enter the current code from your app, or an unused recovery code.',
    ]);
    // The next code, because the present one is used.
    const code = generateCode(secret, Date.now() + 30_000);
    expect((await answer(entering, code)).location).to.equal('/webhooks');
    expect((await entering.get('/tokens')).status).to.equal(200);
    expect((await answer(await passFirstStep(userId), code)).status).to.equal(401);
    const { rows } = await sql<{ dump: string }>`
      select string_agg(encode(secret, 'escape'), ' ') as dump from totp_factors`.execute(service.db);
    expect(rows[0]?.dump).not.to.contain(secret);
  });

  it('by app show their key as text and as a link for the phone on which the page is read', async () => {
    const { browser, email } = await person('scanner@example.com');
    const from = '/settings/second-factor';
    const { text } = await browser.post(`${from}/app`);
    expect(text).to.match(/<code id="key">[A-Z2-7 ]+<\/code>/);
    const href = /href="(otpauth:[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(URI.parse(href).secret.base32).to.equal(fieldIn(text, 'key'));
    expect(decodeURIComponent(href)).to.contain(`:${email}?`);
    // Apps take the text before the first colon as the issuer, which cut off a port.
    expect(URI.parse(href).issuer)
      .to.match(/^Sonde \(\S+ port \d+\)$/)
      .and.not.contain(':');
    expect(text).to.contain('data-copy="key"').and.to.contain(`<a href="${from}">Cancel</a>`);
  });

  it('do not change the selected account when added', async () => {
    const { userId, browser } = await person('guest@example.com');
    const other = await service.account(0);
    await inTransaction(service.db, (trx) => memberships.add(trx, other.accountId, userId, 'viewer'));
    const { accountId } = other;
    browser.cookies.set('sonde_session', await sessions.begin(service.db, userId, { accountId }));
    const secret = await beginApp(browser);
    await confirmApp(browser, secret, generateCode(secret));
    const id = sessions.parseSessionId(browser.cookies.get('sonde_session') ?? '');
    const session = id && (await sessions.find(service.db, id, { isUse: false }));
    expect(session).to.include({ userId, accountId: other.accountId });
  });

  it('accept a recovery code once, in any spelling, and notify the user', async () => {
    const { userId, email } = await withApp('codes@example.com');
    expect((await answer(await passFirstStep(userId), ' aaaa bbbb cccc dddd')).location).to.equal('/');
    expect((await service.mails.mailTo(email)).headers.get('subject')).to.equal('A recovery code was used');
    expect((await answer(await passFirstStep(userId), recoveryCode)).status).to.equal(401);
  });

  it('are locked for 15 minutes after five wrong codes, also for the next sign-in', async () => {
    const { userId, secret } = await withApp('guessed@example.com');
    const browser = await passFirstStep(userId);
    const statuses = [];
    for (let count = 0; count < 6; count++) statuses.push((await answer(browser, `00000${count}`)).status);
    expect(statuses).to.deep.equal([401, 401, 401, 401, 401, 429]);
    expect((await answer(await passFirstStep(userId), generateCode(secret))).status).to.equal(429);
  });

  it('are required after every mailed link, and kept by a reset', async () => {
    const { userId, email } = await withApp('mailed@example.com');
    await client().post('/sign-in/link', { email });
    const browser = client();
    const followed = await browser.press(pathIn(await service.mails.mailTo(email)));
    expect(followed.location).to.equal('/sign-in/second');
    expect((await browser.get('/tokens')).status).to.equal(303);
    await sessions.endAll(service.db, userId);
    expect((await tooLate(browser, '123456')).location).to.equal('/sign-in');
    const { rows } = await sql`select from totp_factors where user_id = ${userId}`.execute(service.db);
    expect(rows).to.have.lengthOf(1);
  });

  it('expire, and belong to one browser', async () => {
    const { userId, secret } = await withApp('slow@example.com');
    const browser = await passFirstStep(userId);
    await sql`update sign_in_steps set created_at = now() - interval '11 minutes'`.execute(service.db);
    expect((await tooLate(browser, generateCode(secret))).location).to.equal('/sign-in');
    const stranger = client();
    stranger.cookies.set('sonde_step', 'A'.repeat(43));
    expect((await stranger.get('/sign-in/second')).location).to.equal('/sign-in');
  });

  it('are removed by the operator when lost', async () => {
    const { userId, email } = await withApp('helped@example.com');
    const remove = (address: string) =>
      runAdmin(service, ['account', 'second-factor', '--email', address, '--remove']);
    expect((await remove(email.toUpperCase())).code).to.equal(0);
    const again = await remove(email);
    expect([again.code, again.err.includes('has no second factor')]).to.deep.equal([1, true]);
    const browser = client();
    const key = await sessions.createLink(service.db, userId);
    expect((await browser.get(`/start?key=${key}`)).location).to.equal('/');
  });

  describe('and other ways of sign-in, during a password reset', () => {
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
      const { email } = await person('linked@example.com', 'old password');
      const link = await mailed(client(), '/sign-in/link', email);
      const reset = await mailed(client(), '/forgot', email, 2);
      const thief = client();
      await resetDuring('passkeys', () => thief.press(link), reset);
      await expectOutside(thief);
    });

    it('fails by a link of the operator', async () => {
      const { userId, email } = await person('started@example.com', 'old password');
      const key = await sessions.createLink(service.db, userId);
      const reset = await mailed(client(), '/forgot', email);
      const thief = client();
      await resetDuring('passkeys', () => thief.get(`/start?key=${key}`), reset);
      await expectOutside(thief);
    });

    it('fails by the old password and a valid code', async () => {
      const { email, secret } = await withApp('early@example.com', 'old password');
      const reset = await mailed(client(), '/forgot', email);
      const thief = client();
      await resetDuring('passkeys', () => thief.post('/sign-in', { email, password: 'old password' }), reset);
      expect((await thief.post('/sign-in/second', { code: generateCode(secret) })).location).to.not.equal(
        '/',
      );
      await expectOutside(thief);
    });

    it('fails by a valid code that was sent earlier', async () => {
      const { email, secret } = await withApp('late@example.com', 'old password');
      const reset = await mailed(client(), '/forgot', email);
      const thief = client();
      const first = await thief.post('/sign-in', { email, password: 'old password' });
      expect(first.location).to.equal('/sign-in/second');
      const second = () => thief.post('/sign-in/second', { code: generateCode(secret) });
      const answer = await resetDuring('memberships', second, reset);
      expect(answer.location).to.equal('/sign-in');
      await expectOutside(thief);
    });
  });
});
