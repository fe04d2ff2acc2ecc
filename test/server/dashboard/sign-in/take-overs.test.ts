import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import * as factors from '../../../../db/accounts/second-factors.ts';
import * as sessions from '../../../../db/accounts/sessions.ts';
import { inTransaction } from '../../../../db/postgres/connect.ts';
import { FormClient, fieldIn, visitAs } from '../../../support/dashboard.ts';
import { useService } from '../../../support/service.ts';
import { pathIn } from '../../../support/smtp.ts';

const password = 'correct horse';

describe('attacks on a user', () => {
  const service = useService({ SIGNUP: 'open' }, { worker: true, mails: true });
  afterEach(() => sql`truncate sign_in_tries`.execute(service.db));

  const client = () => new FormClient(service.baseUrl);
  const person = (email: string) => service.person(email, { password, isConfirmed: true });

  /** Signs in up to the second factor. */
  async function passFirstStep(userId: number): Promise<FormClient> {
    const browser = client();
    await browser.get(`/start?key=${await sessions.createLink(service.db, userId)}`);
    return browser;
  }

  it('do not use up the links of a known browser', async () => {
    const { email } = await person('flooded@example.com');
    const known = client();
    expect((await known.post('/sign-in', { email, password })).status).to.equal(303);
    await known.post('/sign-out');
    for (let asked = 0; asked < 5; asked++)
      expect((await client().post('/sign-in/link', { email })).status).to.equal(200);
    expect((await client().post('/sign-in/link', { email })).status, 'hourly limit').to.equal(429);
    await service.mails.mailTo(email, 3);
    // An hour later, when the three links of the day are used up.
    await sql`truncate sign_in_tries`.execute(service.db);
    await client().post('/forgot', { email });
    const key = `email:${createHash('sha256').update(email).digest('base64url')}`;
    await sql`insert into sign_in_tries (key, points, expire) values (${key}, 5, ${Date.now() + 900_000})`.execute(
      service.db,
    );
    await known.post('/forgot', { email });
    expect(pathIn(await service.mails.mailTo(email, 4)), 'known browser').to.match(/^\/reset/);
    await service.quiet();
    expect(service.mails.received.filter(({ to }) => to.includes(email))).to.have.length(4);
    // The browser is known only for the first address.
    const { email: other } = await person('other-flooded@example.com');
    for (let asked = 0; asked < 5; asked++) await client().post('/sign-in/link', { email: other });
    expect((await known.post('/sign-in/link', { email: other })).status).to.equal(429);
  });

  it('cannot prepare an unconfirmed address so that access outlasts its confirmation', async () => {
    const fields = { email: 'early@example.com', password: 'of the stranger' };
    const stranger = client();
    await stranger.post('/sign-up', fields);
    expect((await stranger.post('/sign-in', fields)).status).to.equal(303);
    for (const [path, more] of [
      ['/tokens', { name: 'for later' }],
      ['/settings/second-factor/app', { password: fields.password }],
      ['/settings/second-factor/passkey', { password: fields.password, name: 'x' }],
      ['/members', { email: 'friend@example.com', role: 'owner' }],
    ] as const) {
      const { status, text } = await stranger.post(path, more);
      expect([path, status]).to.deep.equal([path, 403]);
      expect(text).to.contain('Confirm your email address under Settings first');
      const page = path.replace(/\/(app|passkey)$/, '');
      expect((await stranger.get(page)).text).to.contain('confirm your email address</a>');
    }
  });

  it('cannot finish adding an app from a stolen session', async () => {
    const { userId } = await person('begun@example.com');
    const holder = await visitAs(service, userId);
    const from = '/settings/second-factor';
    const { text } = await holder.post(`${from}/app`, { password });
    const key = fieldIn(text, 'key');
    const thief = client();
    thief.cookies.set('sonde_session', holder.cookies.get('sonde_session') ?? '');
    for (const guess of ['', 'A'.repeat(32)]) {
      const refused = await thief.post(`${from}/app/confirm`, { code: '000000', key: guess });
      expect([refused.status, refused.text.includes(key)]).to.deep.equal([409, false]);
    }
    expect((await holder.post(`${from}/app/confirm`, { code: '000000', key })).status).to.equal(422);
  });

  it('use an app code or a recovery code once, however many requests arrive at once', async () => {
    const { userId } = await person('raced@example.com');
    const holder = await visitAs(service, userId);
    const from = '/settings/second-factor';
    const { text } = await holder.post(`${from}/app`, { password });
    const key = fieldIn(text, 'key');
    const totp = new TOTP({ secret: Secret.fromBase32(key) });
    // The app counts as confirmed long ago, so that the time step does not matter.
    await sql`update totp_factors set confirmed_at = now(), last_step = 0 where user_id = ${userId}`.execute(
      service.db,
    );
    await inTransaction(service.db, (trx) => factors.setRecoveryCodes(trx, userId, ['AAAA-BBBB-CCCC-DDDD']));
    for (const code of [() => totp.generate(), () => 'AAAA-BBBB-CCCC-DDDD']) {
      const browsers: FormClient[] = [];
      // These sign-ins run one after the other, because each link invalidates the previous one.
      while (browsers.length < 4) browsers.push(await passFirstStep(userId));
      const sent = code();
      const answers = await Promise.all(browsers.map((one) => one.post('/sign-in/second', { code: sent })));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 401, 401, 401]);
      await sql`truncate sign_in_tries`.execute(service.db);
    }
  });

  it('cannot change the host of mailed links', async () => {
    const { email } = await person('poisoned@example.com');
    const browser = client();
    const page = await browser.get('/forgot');
    const token = fieldIn(page.text, 'form_token');
    const asking = request(`${service.baseUrl}/forgot`, {
      method: 'POST',
      headers: {
        Host: 'evil.example',
        'X-Forwarded-Host': 'evil.example',
        Forwarded: 'host=evil.example',
        Cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
        'Sec-Fetch-Site': 'same-origin',
        'Content-Type': 'application/x-www-form-urlencoded',
      },
    }).end(new URLSearchParams({ form_token: token, email }).toString());
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).to.equal(200);
    const { raw, text } = await service.mails.mailTo(email);
    expect(text).to.contain(`${service.config.web.baseUrl}/reset?token=`);
    expect(raw).not.to.contain('evil');
  });

  it('cannot fix a session id before sign-in', async () => {
    const { email, userId } = await person('fixed@example.com');
    const known = await sessions.begin(service.db, userId);
    for (const [planted, from] of [
      ['A'.repeat(43), '/sign-in'],
      [known, '/settings'],
    ] as const) {
      const browser = client();
      const attacker = client();
      for (const one of [browser, attacker]) one.cookies.set('sonde_session', planted);
      const { location } = await browser.post('/sign-in', { email, password }, { from });
      expect(location).to.equal('/');
      expect(browser.cookies.get('sonde_session'))
        .to.match(/^[\w-]{43}$/)
        .and.not.equal(planted);
      expect((await browser.get('/tokens')).status).to.equal(200);
      expect((await attacker.get('/tokens')).status).to.equal(303);
    }
  });
});
