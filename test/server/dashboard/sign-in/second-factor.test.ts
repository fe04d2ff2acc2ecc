import { expect } from 'chai';
import { sql } from 'kysely';
import { Secret, TOTP, URI } from 'otpauth';
import * as memberships from '../../../../db/accounts/memberships.ts';
import * as sessions from '../../../../db/accounts/sessions.ts';
import * as users from '../../../../db/accounts/users.ts';
import { inTransaction } from '../../../../db/postgres/connect.ts';
import { alertIn, FormClient, fieldIn, visit, visitAs } from '../../../support/dashboard.ts';
import { runAdmin } from '../../../support/operator.ts';
import { useService } from '../../../support/service.ts';
import { pathIn } from '../../../support/smtp.ts';

describe('second factors', () => {
  const service = useService({}, { worker: true, mails: true });

  afterEach(() => sql`truncate sign_in_tries`.execute(service.db));

  const client = () => new FormClient(service.baseUrl);

  /** Creates a user without a password, because hashing is slow. */
  async function person(email: string) {
    const account = await service.account(0);
    const userId = await service.confirmedUser(account.accountId, email);
    return { account, userId, email, browser: await visit(service, account) };
  }

  const generateCode = (secret: string, timestamp = Date.now()) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

  async function beginApp(browser: FormClient) {
    const { text } = await browser.post(
      '/settings/second-factor/app',
      {},
      { from: '/settings/second-factor' },
    );
    return { secret: fieldIn(text, 'key'), token: fieldIn(text, 'form_token') };
  }

  async function withApp(email: string) {
    const known = await person(email);
    const { browser } = known;
    const { secret, token } = await beginApp(browser);
    const wrong = await browser.post(
      '/settings/second-factor/app/confirm',
      { code: '000000', key: secret, form_token: token },
      { from: '/settings' },
    );
    expect([wrong.status, alertIn(wrong.text)]).to.deep.equal([
      422,
      'This code is wrong or has expired. Enter the current code from your app.',
    ]);
    let codes: string[] = [];
    // Repeated once, in case the time step ended between code and check.
    for (let tries = 0; codes.length === 0 && tries < 3; tries += 1) {
      // The code of the previous step, so that the present one is still unused.
      const code = generateCode(secret, Date.now() - 30_000);
      const asked = { code, key: secret, form_token: token };
      await browser.post('/settings/second-factor/app/confirm', asked, { from: '/settings' });
      const { text } = await browser.get('/settings/second-factor');
      codes = [...text.matchAll(/<code>((?:[A-Z2-7]{4}-){3}[A-Z2-7]{4})<\/code>/g)].map(
        ([, one]) => one ?? '',
      );
    }
    // Waits for the mail of this step, so that mails keep their order.
    await service.mails.mailTo(email);
    return { ...known, secret, codes };
  }

  /** Signs in up to the second factor. */
  async function passFirstStep(userId: number, next = '/'): Promise<FormClient> {
    const browser = client();
    const key = await sessions.createLink(service.db, userId);
    expect((await browser.get(`/start?key=${key}`)).location).to.equal('/sign-in/second');
    await sql`update sign_in_steps set next = ${next} where user_id = ${userId}`.execute(service.db);
    return browser;
  }

  const answer = (browser: FormClient, code: string) => browser.post('/sign-in/second', { code });

  /** Submits a code after the deadline, from a page opened earlier. */
  const tooLate = (browser: FormClient, code: string) =>
    browser.post('/sign-in/second', { code }, { from: '/sign-in' });

  it('by app end other sessions, show ten recovery codes once, notify the user, and are required from then on', async () => {
    const { browser, userId, email, secret, codes } = await withApp('app@example.com');
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
    const code = generateCode(secret);
    expect((await answer(entering, code)).location).to.equal('/webhooks');
    expect((await entering.get('/tokens')).status).to.equal(200);
    expect((await answer(await passFirstStep(userId), code)).status).to.equal(401);
    const { rows } = await sql<{ dump: string }>`
      select string_agg(encode(secret, 'escape'), ' ') as dump from totp_factors`.execute(service.db);
    expect(rows[0]?.dump).not.to.contain(secret);
  });

  it('end earlier sessions when added', async () => {
    const { account, browser } = await person('others@example.com');
    const other = await visit(service, account);
    const { secret } = await beginApp(browser);
    expect((await other.get('/tokens')).status).to.equal(200);
    await browser.post(
      '/settings/second-factor/app/confirm',
      { code: generateCode(secret), key: secret },
      { from: '/settings' },
    );
    expect((await other.get('/tokens')).status).to.equal(303);
    expect((await browser.get('/tokens')).status).to.equal(200);
  });

  it('need the password when added, if the user has one', async () => {
    const account = await service.account(0);
    const email = 'guarded@example.com';
    const passwordHash = await users.hashPassword('correct horse');
    const { accountId } = account;
    const userId = await users.create(service.db, { accountId, email, passwordHash });
    await sql`update users set email_confirmed_at = now() where user_id = ${userId}`.execute(service.db);
    const browser = await visitAs(service, userId);
    const from = '/settings/second-factor';
    for (const kind of ['app', 'passkey']) {
      const refused = await browser.post(`${from}/${kind}`, { password: 'a guess', name: 'Mine' }, { from });
      expect([refused.status, alertIn(refused.text)]).to.deep.equal([403, 'The current password is wrong.']);
    }
    const { rows } = await sql`
      select from totp_factors where user_id = ${userId} union all
      select from passkeys where user_id = ${userId}`.execute(service.db);
    expect(rows).to.deep.equal([]);
    const begun = await browser.post(`${from}/app`, { password: 'correct horse' }, { from });
    expect(begun.text).to.match(/<code id="key">[A-Z2-7 ]+<\/code>/);
    // A user who reads the page on the phone with the app cannot scan it.
    const href = /href="(otpauth:[^"]*)"/.exec(begun.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const key = fieldIn(begun.text, 'key');
    expect(URI.parse(href).secret.base32).to.equal(key);
    expect(decodeURIComponent(href)).to.contain(`:${email}?`);
    // Apps take the text before the first colon as the issuer, which cut off a port.
    expect(URI.parse(href).issuer)
      .to.match(/^Sonde \(\S+ port \d+\)$/)
      .and.not.contain(':');
    expect(begun.text).to.contain('data-copy="key"').and.to.contain(`<a href="${from}">Cancel</a>`);
  });

  it('do not change the selected account when added', async () => {
    const { userId, browser } = await person('guest@example.com');
    const other = await service.account(0);
    await inTransaction(service.db, (trx) => memberships.add(trx, other.accountId, userId, 'viewer'));
    const { accountId } = other;
    browser.cookies.set('sonde_session', await sessions.begin(service.db, userId, { accountId }));
    const { secret } = await beginApp(browser);
    const code = generateCode(secret);
    await browser.post('/settings/second-factor/app/confirm', { code, key: secret }, { from: '/settings' });
    const id = sessions.parseSessionId(browser.cookies.get('sonde_session') ?? '');
    const session = id && (await sessions.find(service.db, id, { isUse: false }));
    expect(session).to.include({ userId, accountId: other.accountId });
  });

  it('accept a recovery code once, in any spelling, and notify the user', async () => {
    const { userId, email, codes } = await withApp('codes@example.com');
    const [code = ''] = codes;
    expect(
      (await answer(await passFirstStep(userId), ` ${code.toLowerCase().replaceAll('-', ' ')}`)).location,
    ).to.equal('/');
    expect((await service.mails.mailTo(email, 2)).headers.get('subject')).to.equal(
      'A recovery code was used',
    );
    expect((await answer(await passFirstStep(userId), code)).status).to.equal(401);
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
    const path = pathIn(await service.mails.mailTo(email, 2));
    const browser = client();
    const token = path.split('token=')[1] ?? '';
    const followed = await browser.post('/sign-in/link/follow', { token }, { from: path });
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
});
