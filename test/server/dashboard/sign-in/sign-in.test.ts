import { mock } from 'node:test';
import { expect } from 'chai';
import { sql } from 'kysely';
import * as accounts from '../../../../db/accounts/accounts.ts';
import * as sessions from '../../../../db/accounts/sessions.ts';
import * as users from '../../../../db/accounts/users.ts';
import { toLocalPath } from '../../../../server/dashboard/local-path.ts';
import { authenticate } from '../../../support/accounts.ts';
import { FormClient, fieldIn, signedIn, visit } from '../../../support/dashboard.ts';
import { useService } from '../../../support/service.ts';

describe('sign-in and sign-up', () => {
  const service = useService({ SIGNUP: 'open', SIGNUP_CREDITS: '100' });

  afterEach(() => sql`truncate sign_in_tries`.execute(service.db));

  const client = () => new FormClient(service.baseUrl);

  it('create an account with its first credits, sign in and sign out', async () => {
    const browser = client();
    const signedUp = await browser.post('/sign-up', { email: 'Ada@example.com', password: 'correct horse' });
    expect([signedUp.status, signedUp.location]).to.deep.equal([303, '/']);
    expect(signedUp.setCookies.join()).to.match(/sonde_session=[\w-]{43};.*HttpOnly; SameSite=Lax/);
    expect((await browser.get('/')).text).to.match(/<strong>100<\/strong> <span>credits/);

    const out = await browser.post('/sign-out');
    expect(out.location).to.equal('/sign-in');
    expect((await browser.get('/tokens')).location).to.equal('/sign-in?next=%2Ftokens');

    const back = await browser.post('/sign-in', { email: 'ada@EXAMPLE.com', password: 'correct horse' });
    expect(back.location).to.equal('/');
    expect((await browser.get('/tokens')).status).to.equal(200);
  });

  it('lead to the requested page, and never to another site', async () => {
    const fields = { email: 'ada@example.com', password: 'correct horse' };
    const wanted = '/batches/0e0bd036-ac62-4143-9dfa-84aa98ff32d4?show=dead';
    const asked = await client().get(wanted);
    expect(asked.location).to.equal(`/sign-in?${new URLSearchParams({ next: wanted })}`);
    const browser = client();
    const page = await browser.get(asked.location);
    const next = fieldIn(page.text, 'next');
    expect(next).to.equal(wanted);
    expect((await browser.post('/sign-in', { ...fields, next: wanted })).location).to.equal(wanted);
    const elsewhere = await client().post('/sign-in', { ...fields, next: '//evil.example' });
    expect(elsewhere.location).to.equal('/');
  });

  it('allow five attempts in 15 minutes, with the same answer for unknown accounts', async () => {
    const { accountId } = await service.account(0);
    const passwordHash = await users.hashPassword('right password');
    await users.create(service.db, { accountId, email: 'eve@example.com', passwordHash });
    const tries = async (email: string) => {
      const answers = [];
      for (let count = 0; count < 10; count++)
        answers.push(await client().post('/sign-in', { email, password: 'wrong' }));
      return answers.map(({ status, text }) => `${status} ${/role="alert">([^<]*)/.exec(text)?.[1]}`);
    };
    const [known, unknown] = await Promise.all([tries('eve@example.com'), tries('nobody@example.com')]);
    expect(known.slice(0, 5)).to.deep.equal(Array(5).fill('401 Wrong email or password.'));
    expect(known[5]).to.match(/^429 Too many attempts. Try again in \d+ (seconds|minutes)/);
    expect(unknown.map((line) => line.slice(0, 20))).to.deep.equal(known.map((line) => line.slice(0, 20)));
    const right = await client().post('/sign-in', { email: 'eve@example.com', password: 'right password' });
    expect(right.status).to.equal(429);
  });

  it('count all spellings of an address together for the limit, as sign-in does', async () => {
    const { accountId } = await service.account(0);
    await users.create(service.db, { accountId, email: 'vi@example.com', passwordHash: null });
    // Depending on the locale, Postgres lowers this letter to an i. JavaScript lowers it to two characters.
    const { rows } = await sql<{ isSame: boolean }>`select lower('İ') = 'i' as "isSame"`.execute(service.db);
    const spellings = [
      'vi@example.com',
      'VI@example.com',
      rows[0]?.isSame ? 'vİ@example.com' : 'Vi@example.com',
    ];
    const statuses = [];
    for (const email of [...spellings, ...spellings])
      statuses.push((await client().post('/sign-in', { email, password: 'wrong' })).status);
    expect(statuses).to.deep.equal([401, 401, 401, 401, 401, 429]);
  });

  it('treat another spelling of the domain as the same address', async () => {
    const { accountId } = await service.account(0);
    const passwordHash = await users.hashPassword('right password');
    await users.create(service.db, { accountId, email: 'box@xn--exmple-cua.com', passwordHash });
    for (const email of ['box@ex\u00e4mple.com', 'box@EX\u00c4MPLE.com.']) {
      const signedIn = await client().post('/sign-in', { email, password: 'right password' });
      expect([signedIn.status, signedIn.location], email).to.deep.equal([303, '/']);
      const again = await client().post('/sign-up', { email, password: 'quiet harbour lantern' });
      expect(again.status, email).to.equal(422);
    }
  });

  it('create at most five accounts a day for one network address', async () => {
    const statuses = [];
    for (let count = 0; count < 6; count++) {
      const fields = { email: `one-of-many-${count}@example.com`, password: 'correct horse' };
      statuses.push((await client().post('/sign-up', fields)).status);
    }
    expect(statuses).to.deep.equal([303, 303, 303, 303, 303, 429]);
  });

  it('reveal at most five times a day whether an email address is taken', async () => {
    const { accountId } = await service.account(0);
    await users.create(service.db, { accountId, email: 'known@example.com', passwordHash: null });
    const statuses = [];
    for (const name of ['known', 'new-1', 'known', 'new-2', 'KNOWN', 'new-3', 'known']) {
      const fields = { email: `${name}@example.com`, password: 'correct horse' };
      statuses.push((await client().post('/sign-up', fields)).status);
    }
    expect(statuses).to.deep.equal([422, 303, 422, 303, 422, 429, 429]);
  });

  it('say that the service sends no email, and create none', async () => {
    const browser = client();
    expect((await browser.get('/sign-in')).text)
      .to.contain('Ask the operator of this service for a new password.')
      .and.not.contain('/forgot');
    expect((await browser.get('/forgot')).text)
      .to.contain('This service does not send email')
      .and.not.contain('type="email"');
    const { rows } = await sql`select from mails`.execute(service.db);
    expect(rows).to.deep.equal([]);
  });

  it('reject forms of other sites, without a token, or with the token of another browser', async () => {
    const fields = { email: 'ada@example.com', password: 'correct horse' };
    const other = client();
    const foreign = { headers: { 'Sec-Fetch-Site': 'cross-site' } };
    expect((await other.post('/sign-in', fields, foreign)).status).to.equal(403);
    expect((await other.post('/sign-in', { ...fields, form_token: '' })).status).to.equal(403);

    const stranger = client();
    const page = await stranger.get('/sign-in');
    const form_token = fieldIn(page.text, 'form_token');
    expect((await client().post('/sign-in', { ...fields, form_token })).status).to.equal(403);
  });

  it('mask the form token differently on every page, and accept each', async () => {
    const browser = client();
    const shown = async () => {
      const page = await browser.get('/sign-in');
      return fieldIn(page.text, 'form_token');
    };
    const tokens = [await shown(), await shown()];
    expect(new Set(tokens).size).to.equal(2);
    for (const form_token of tokens) {
      const fields = { email: 'nobody@example.com', password: 'wrong', form_token };
      expect((await browser.post('/sign-in', fields)).status).to.equal(401);
    }
  });

  it('check Origin for browsers without Sec-Fetch-Site', async () => {
    const browser = client();
    const page = await browser.get('/sign-in');
    const form_token = fieldIn(page.text, 'form_token');
    const send = async (headers: Record<string, string>) => {
      const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
      const body = new URLSearchParams({ form_token, email: 'x@example.com', password: 'x' });
      const url = `${service.baseUrl}/sign-in`;
      return (await fetch(url, { method: 'POST', body, headers: { Cookie: cookie, ...headers } })).status;
    };
    expect(await send({})).to.equal(403);
    expect(await send({ Origin: 'https://evil.example' })).to.equal(403);
    expect(await send({ Origin: service.baseUrl })).to.equal(401);
  });

  it('accept a sign-in link once, and none after “sign out everywhere”', async () => {
    const { accountId } = await service.account(0);
    const userId = await users.create(service.db, {
      accountId,
      email: 'link@example.com',
      passwordHash: null,
    });
    const key = await sessions.createLink(service.db, userId);
    expect((await client().get(`/start?key=${key}`)).location).to.equal('/');
    expect((await client().get(`/start?key=${key}`)).status).to.equal(403);
    const unused = await sessions.createLink(service.db, userId);
    await sessions.endAll(service.db, userId);
    expect((await client().get(`/start?key=${unused}`)).status).to.equal(403);
  });

  it('end a session that is idle, too old, signed out everywhere, or of a disabled account', async () => {
    const account = await service.account(0);
    const endings = [
      sql`update sessions set last_used_at = now() - interval '12 hours 1 minute'`,
      sql`update sessions set created_at = now() - interval '7 days 1 minute'`,
      sql`delete from sessions`,
    ];
    const pages: Array<string | number> = [];
    for (const ending of endings) {
      const browser = await visit(service, account);
      pages.push((await browser.get('/tokens')).status);
      await ending.execute(service.db);
      pages.push((await browser.get('/tokens')).status);
    }
    const browser = await visit(service, account);
    await accounts.disable(service.db, account.accountId);
    pages.push((await browser.get('/tokens')).status);
    expect(pages).to.deep.equal([200, 303, 200, 303, 200, 303, 303]);
  });

  it('recognize an address with letters of unusual lower case', async () => {
    const { accountId } = await service.account();
    const passwordHash = await users.hashPassword('right password');
    const userId = await users.create(service.db, { accountId, email: 'İvan@example.com', passwordHash });
    expect(await authenticate(service.db, 'İvan@example.com', 'right password')).to.equal(userId);
  });

  it('store only the hash of a session id', async () => {
    const sessionId = await signedIn(service, await service.account(0));
    const { rows } = await sql<{ dump: string }>`
      select string_agg(sessions::text, ' ') || (select coalesce(string_agg(users::text, ' '), '') from users) as dump
      from sessions`.execute(service.db);
    expect(rows[0]?.dump).not.to.contain(sessionId);
  });
});

describe('sign-in of a service without sign-up', () => {
  const service = useService({ BASE_URL: 'https://sonde.example' });

  it('has no sign-up page, and uses __Host- cookies with https', async () => {
    const browser = new FormClient(service.baseUrl);
    const page = await browser.get('/');
    expect((await browser.get('/sign-up')).status).to.equal(404);
    expect(page.text).not.to.contain('Sign up');
    expect(page.setCookies.join()).to.match(
      /^__Host-sonde_visitor=.*Path=\/; HttpOnly; Secure; SameSite=Lax/,
    );
  });
});

describe('the path after sign-in', () => {
  afterEach(() => mock.restoreAll());

  it('stays on this site', () => {
    for (const path of ['/', '/batches/1?page=2', '/%2F%2Fother.example'])
      expect(toLocalPath(path)).to.equal(path);
    const others = ['//other.example/', '/\\other.example', '/\t/other.example', '/.//other.example'];
    for (const path of [...others, 'https://other.example/', 'batches', undefined, ['/a']])
      expect(toLocalPath(path)).to.equal('/');
  });

  it('is not parsed when it names a host that is too long for DNS', () => {
    const parse = mock.method(URL, 'parse');
    const letters = Array.from({ length: 5000 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
    for (const start of ['//', '/\\', '/\t/', '//user@'])
      expect(toLocalPath(`${start}${letters}/`)).to.equal('/');
    expect(parse.mock.callCount()).to.equal(0);
  });
});
