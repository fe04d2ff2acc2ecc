import { expect } from 'chai';
import { sql } from 'kysely';
import { Secret, TOTP, URI } from 'otpauth';
import * as memberships from '../../../../db/accounts/memberships.ts';
import * as sessions from '../../../../db/accounts/sessions.ts';
import * as users from '../../../../db/accounts/users.ts';
import { inTransaction } from '../../../../db/postgres/connect.ts';
import { alertIn, FormClient, visit, visitAs } from '../../../support/dashboard.ts';
import { runAdmin } from '../../../support/operator.ts';
import { TestService } from '../../../support/service.ts';
import { pathIn } from '../../../support/smtp.ts';

describe('second factors', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({}, { worker: true, mails: true });
  });

  after(() => service.stop());

  afterEach(() => sql`truncate sign_in_tries`.execute(service.db));

  const client = () => new FormClient(service.baseUrl);

  const prove = (userId: number) =>
    sql`update users set email_confirmed_at = now() where user_id = ${userId}`.execute(service.db);

  /** Without a password, so that none has to be derived. */
  async function person(email: string) {
    const account = await service.account(0);
    const userId = await users.create(service.db, {
      accountId: account.accountId,
      email,
      passwordHash: null,
    });
    await prove(userId);
    const browser = await visit(service, account);
    return { account, userId, email, browser };
  }

  const codeOf = (secret: string, timestamp = Date.now()) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

  async function withApp(email: string) {
    const known = await person(email);
    const { browser } = known;
    const page = await browser.post('/settings/second-factor/app', {}, { from: '/settings/second-factor' });
    const secret = (/<code id="key">([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
    const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const wrong = await browser.post(
      '/settings/second-factor/app/confirm',
      { code: '000000', key: secret, form_token: token },
      { from: '/settings' },
    );
    expect([wrong.status, alertIn(wrong.text)]).to.deep.equal([422, 'This code is wrong or has expired.']);
    let codes: string[] = [];
    // Once more where a step of the clock ended between making the code and its being looked at.
    for (let tries = 0; codes.length === 0 && tries < 3; tries += 1) {
      // That of the step before, so that the one of now is still there to be used.
      const code = codeOf(secret, Date.now() - 30_000);
      const asked = { code, key: secret, form_token: token };
      await browser.post('/settings/second-factor/app/confirm', asked, { from: '/settings' });
      const { text } = await browser.get('/settings/second-factor');
      codes = [...text.matchAll(/<code>((?:[A-Z2-7]{4}-){3}[A-Z2-7]{4})<\/code>/g)].map(
        ([, one]) => one ?? '',
      );
    }
    // Its mail is sent by a job of its own, and would else arrive before or after the next one.
    await service.mails.mailTo(email);
    return { ...known, secret, codes };
  }

  /** As far as a right password or link leads. */
  async function arrive(userId: number, next = '/'): Promise<FormClient> {
    const browser = client();
    const key = await sessions.createLink(service.db, userId);
    expect((await browser.get(`/start?key=${key}`)).location).to.equal('/sign-in/second');
    await sql`update sign_in_steps set next = ${next} where user_id = ${userId}`.execute(service.db);
    return browser;
  }

  const answer = (browser: FormClient, code: string) => browser.post('/sign-in/second', { code });

  /** From a page that was opened in time. */
  const tooLate = (browser: FormClient, code: string) =>
    browser.post('/sign-in/second', { code }, { from: '/sign-in' });

  it('an app: ends other sessions, gives ten codes once, tells its owner, and is asked for from then on', async () => {
    const before = client();
    const { account, browser, userId, email, secret, codes } = await withApp('app@example.com');
    before.cookies.set('sonde_session', await sessions.begin(service.db, userId));
    expect(codes).to.have.lengthOf(10);
    expect((await browser.get('/settings/second-factor')).text).not.to.contain(codes[0]);
    expect((await service.mails.mailTo(email)).headers.get('subject')).to.equal('A second factor was added');
    const entering = await arrive(userId, '/webhooks');
    expect((await entering.get('/tokens')).status).to.equal(303);
    const wrong = await answer(entering, '123456');
    expect([wrong.status, alertIn(wrong.text)]).to.deep.equal([401, 'Wrong code, or it was used before.']);
    const code = codeOf(secret);
    expect((await answer(entering, code)).location).to.equal('/webhooks');
    expect((await entering.get('/tokens')).status).to.equal(200);
    expect((await answer(await arrive(userId), code)).status).to.equal(401);
    expect(account.accountId).to.be.greaterThan(0);
    const { rows } = await sql<{ dump: string }>`
      select string_agg(encode(secret, 'escape'), ' ') as dump from totp_factors`.execute(service.db);
    expect(rows[0]?.dump).not.to.contain(secret);
  });

  it('adding one ends the sessions that were there before', async () => {
    const { account, browser } = await person('others@example.com');
    const other = await visit(service, account);
    const page = await browser.post('/settings/second-factor/app', {}, { from: '/settings/second-factor' });
    const secret = (/<code id="key">([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
    expect((await other.get('/tokens')).status).to.equal(200);
    await browser.post(
      '/settings/second-factor/app/confirm',
      { code: codeOf(secret), key: secret },
      { from: '/settings' },
    );
    expect((await other.get('/tokens')).status).to.equal(303);
    expect((await browser.get('/tokens')).status).to.equal(200);
  });

  it('adding one takes the password of whoever has one', async () => {
    const account = await service.account(0);
    const email = 'guarded@example.com';
    const passwordHash = await users.hashPassword('correct horse');
    const { accountId } = account;
    const userId = await users.create(service.db, { accountId, email, passwordHash });
    await prove(userId);
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
    // Whoever reads the page on the phone that has the app cannot scan it.
    const href = /href="(otpauth:[^"]*)"/.exec(begun.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const key = /name="key" value="([^"]+)"/.exec(begun.text)?.[1];
    expect(URI.parse(href).secret.base32).to.equal(key);
    expect(decodeURIComponent(href)).to.contain(`:${email}?`);
    // Apps take what stands before the first colon for the issuer: that of a port cut it in two.
    expect(URI.parse(href).issuer)
      .to.match(/^Sonde \(\S+ port \d+\)$/)
      .and.not.contain(':');
    expect(begun.text).to.contain('data-copy="key"').and.to.contain(`<a href="${from}">Cancel</a>`);
  });

  it('adding one goes on in the account that one was in', async () => {
    const { userId, browser } = await person('guest@example.com');
    const other = await service.account(0);
    await inTransaction(service.db, (trx) => memberships.add(trx, other.accountId, userId, 'viewer'));
    const { accountId } = other;
    browser.cookies.set('sonde_session', await sessions.begin(service.db, userId, { accountId }));
    const page = await browser.post('/settings/second-factor/app', {}, { from: '/settings/second-factor' });
    const secret = (/<code id="key">([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '').replaceAll(' ', '');
    const code = codeOf(secret);
    await browser.post('/settings/second-factor/app/confirm', { code, key: secret }, { from: '/settings' });
    const id = sessions.parseSessionId(browser.cookies.get('sonde_session') ?? '');
    const session = id && (await sessions.find(service.db, id, { isUse: false }));
    expect(session).to.include({ userId, accountId: other.accountId });
  });

  it('a recovery code works once, in any spelling, and its owner is told', async () => {
    const { userId, email, codes } = await withApp('codes@example.com');
    const [code = ''] = codes;
    expect(
      (await answer(await arrive(userId), ` ${code.toLowerCase().replaceAll('-', ' ')}`)).location,
    ).to.equal('/');
    expect((await service.mails.mailTo(email, 2)).headers.get('subject')).to.equal(
      'A recovery code was used',
    );
    expect((await answer(await arrive(userId), code)).status).to.equal(401);
  });

  it('five wrong codes close it for a quarter of an hour, also for the next sign-in', async () => {
    const { userId, secret } = await withApp('guessed@example.com');
    const browser = await arrive(userId);
    const statuses = [];
    for (let count = 0; count < 6; count++) statuses.push((await answer(browser, `00000${count}`)).status);
    expect(statuses).to.deep.equal([401, 401, 401, 401, 401, 429]);
    expect((await answer(await arrive(userId), codeOf(secret))).status).to.equal(429);
  });

  it('no mailed link leads past it, and a reset leaves it where it is', async () => {
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

  it('a step that nobody took in time, or of another browser, leads nowhere', async () => {
    const { userId, secret } = await withApp('slow@example.com');
    const browser = await arrive(userId);
    await sql`update sign_in_steps set created_at = now() - interval '11 minutes'`.execute(service.db);
    expect((await tooLate(browser, codeOf(secret))).location).to.equal('/sign-in');
    const stranger = client();
    stranger.cookies.set('sonde_step', 'A'.repeat(43));
    expect((await stranger.get('/sign-in/second')).location).to.equal('/sign-in');
  });

  it('the operator removes them from whoever has lost them', async () => {
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
