import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { passwordRule } from '../../../../accounts/password.ts';
import { findByEmail } from '../../../../db/accounts/user-emails.ts';
import * as users from '../../../../db/accounts/users.ts';
import { alertIn, FormClient, visitAs } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { captureLog } from '../../../support/log.ts';
import { useService } from '../../../support/service.ts';
import { pathIn } from '../../../support/smtp.ts';

describe('mailed links', () => {
  const { log, lines } = captureLog();
  const service = useService({ SIGNUP: 'open', SIGNUP_CREDITS: '100' }, { worker: true, mails: true, log });
  afterEach(() => sql`truncate sign_in_tries`.execute(service.db));

  const client = () => new FormClient(service.baseUrl);

  const person = (email: string) => service.person(email, { password: 'old password' });

  /** Locks the address, as five wrong passwords do. */
  async function close(email: string): Promise<void> {
    const key = `email:${createHash('sha256').update(email).digest('base64url')}`;
    const expire = Date.now() + 900_000;
    await sql`insert into sign_in_tries (key, points, expire) values (${key}, 5, ${expire})`.execute(
      service.db,
    );
  }

  it('confirm the address of a sign-up once, with the password, and grant the credits', async () => {
    const browser = client();
    const fields = { email: 'new@example.com', password: 'correct horse' };
    const page = await browser.post('/sign-up', fields);
    expect([page.status, page.setCookies.join().includes('sonde_session')]).to.deep.equal([200, false]);
    const path = pathIn(await service.mails.mailTo('new@example.com'));
    expect((await browser.post('/sign-in', fields)).location).to.equal('/');
    expect((await browser.get('/')).text).to.match(/<strong>0<\/strong> <span>credits/);

    const shown = await client().get(path);
    expect(shown.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(shown.text).to.contain('For <strong>new@example.com</strong>');
    await client().get(path);
    const wrong = await client().press(path, { password: 'a guess of mine' });
    expect([wrong.status, alertIn(wrong.text)]).to.deep.equal([
      403,
      'Wrong password. If you never chose a password, choose one with “Forgot your password?” on the sign-in page.',
    ]);
    const other = client();
    expect((await other.press(path, { password: fields.password })).location).to.equal('/');
    expect((await other.get('/')).text).to.match(/<strong>100<\/strong> <span>credits/);
    const again = await client().get(path);
    expect(again.status).to.equal(403);
    expect(again.text).to.contain('Sign in and request a new one in Settings.');
  });

  it('of a sign-up with a taken address: the page is the same, and the mail says so', async () => {
    await person('taken@example.com');
    const taken = await client().post('/sign-up', { email: 'Taken@example.com', password: 'correct horse' });
    const fresh = await client().post('/sign-up', { email: 'Fresh@example.com', password: 'correct horse' });
    const same = (text: string) =>
      text.replace(/(Taken|Fresh)@/g, '@').replace(/name="form_token" value="[^"]*"/g, '');
    expect([taken.status, same(taken.text)]).to.deep.equal([fresh.status, same(fresh.text)]);
    expect((await service.mails.mailTo('taken@example.com')).headers.get('subject')).to.equal(
      'You already have an account',
    );
  });

  it('reset the password once, end all sessions and other links, notify the user, and do not sign in', async () => {
    const { userId } = await person('lost@example.com');
    const session = await visitAs(service, userId);
    expect((await session.get('/tokens')).status).to.equal(200);
    await client().post('/sign-in/link', { email: 'lost@example.com' });
    const linkPath = pathIn(await service.mails.mailTo('lost@example.com', 1));
    await client().post('/forgot', { email: 'LOST@example.com' });
    const path = pathIn(await service.mails.mailTo('lost@example.com', 2));
    expect(path).to.match(/^\/reset/);
    const short = await client().press(path, { new_password: 'short' });
    expect([short.status, alertIn(short.text)]).to.deep.equal([422, `Password ${passwordRule}.`]);
    const common = await client().press(path, { new_password: 'Password2026!' });
    expect(common.status).to.equal(422);
    const browser = client();
    const done = await browser.press(path, { new_password: 'a newer horse' });
    expect([done.status, done.location]).to.deep.equal([303, '/sign-in']);
    expect((await browser.get('/tokens')).status).to.equal(303);
    expect((await session.get('/tokens')).status).to.equal(303);
    expect((await client().get(path)).status).to.equal(403);
    const ended = await client().get(linkPath);
    expect(ended.status).to.equal(403);
    expect(ended.text).to.contain('<a href="/sign-in/link">Request a new link</a>');
    expect(await users.matchPassword(service.db, userId, 'a newer horse')).to.be.a('string');
    expect((await service.mails.mailTo('lost@example.com', 3)).headers.get('subject')).to.equal(
      'Your password was changed',
    );
  });

  it('are rejected for another purpose, when invented, or after their expiry', async () => {
    await person('one@example.com');
    await client().post('/forgot', { email: 'one@example.com' });
    const first = pathIn(await service.mails.mailTo('one@example.com', 1));
    const token = first.split('token=')[1] ?? '';
    const advice = {
      '/confirm': 'Sign in and request a new one in Settings.',
      '/confirm-email': 'Change your email address in Settings again.',
      '/sign-in/link/follow': 'Request a new one on the sign-in page.',
    };
    for (const [other, next] of Object.entries(advice)) {
      const shown = await client().get(`${other}?token=${token}`);
      expect([shown.status, shown.text.includes(`replaced by a newer one. ${next}`)], other).to.deep.equal([
        403,
        true,
      ]);
      const sent = await client().post(other, { token, password: 'old password' }, { from: first });
      expect([sent.status, sent.setCookies.join().includes('session')], other).to.deep.equal([403, false]);
    }
    for (const bad of ['', 'x', 'A'.repeat(43), `${token}x`, "' or 1=1", '\u0000'])
      expect([bad, (await client().get(`/reset?token=${encodeURIComponent(bad)}`)).status]).to.deep.equal([
        bad,
        403,
      ]);
    await client().post('/forgot', { email: 'one@example.com' });
    const second = pathIn(await service.mails.mailTo('one@example.com', 2));
    expect((await client().get(first)).status).to.equal(403);
    expect((await client().get(second)).status).to.equal(200);
    await sql`update mail_links set created_at = now() - interval '1 hour', expires_at = now() - interval '1 second'`.execute(
      service.db,
    );
    expect((await client().get(second)).status).to.equal(403);
  });

  it('work for one of three simultaneous requests', async () => {
    await person('race@example.com');
    await client().post('/sign-in/link', { email: 'race@example.com' });
    const path = pathIn(await service.mails.mailTo('race@example.com'));
    const answers = await Promise.all([client().press(path), client().press(path), client().press(path)]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 403, 403]);
  });

  it('sign in although wrong passwords have locked the address, and lead to the requested page', async () => {
    await person('closed@example.com');
    await close('closed@example.com');
    const browser = client();
    const closed = await browser.post('/sign-in', {
      email: 'closed@example.com',
      password: 'old password',
      next: '/webhooks',
    });
    expect(closed.status).to.equal(429);
    expect(closed.text).to.contain('/sign-in/link?next=%2Fwebhooks');
    await browser.post('/sign-in/link', { email: 'closed@example.com', next: '/webhooks' });
    const path = pathIn(await service.mails.mailTo('closed@example.com'));
    expect((await browser.press(path)).location).to.equal('/webhooks');
    expect((await browser.get('/webhooks')).status).to.equal(200);
  });

  it('are not needed in a known browser, which has its own limit of wrong passwords for its address', async () => {
    await person('known@example.com');
    await person('unknown@example.com');
    await sql`update users set email_confirmed_at = now() where email = 'known@example.com'`.execute(
      service.db,
    );
    const browser = client();
    const right = { email: 'known@example.com', password: 'old password' };
    expect((await browser.post('/sign-in', right)).status).to.equal(303);
    await browser.post('/sign-out');
    await close('known@example.com');
    await close('unknown@example.com');
    expect((await client().post('/sign-in', right)).status).to.equal(429);
    expect((await browser.post('/sign-in', { ...right, email: 'unknown@example.com' })).status).to.equal(429);
    expect((await browser.post('/sign-in', right)).status).to.equal(303);
    await browser.post('/sign-out');
    expect((await browser.post('/sign-in', { ...right, password: 'wrong' })).status).to.equal(401);
    await sql`update sign_in_tries set points = 5 where key like 'device:%'`.execute(service.db);
    expect((await browser.post('/sign-in', right)).status).to.equal(429);
  });

  it('are limited to five requests per hour and address, with the same page for unknown ones', async () => {
    await person('asked@example.com');
    const asked = async (email: string) => {
      const answers = [];
      for (let count = 0; count < 6; count++) answers.push(await client().post('/forgot', { email }));
      return answers.map(({ status, text }) => [
        status,
        text.replaceAll(email, 'x').replace(/name="form_token" value="[^"]*"/g, ''),
      ]);
    };
    const known = await asked('asked@example.com');
    expect(await asked('asker@example.com')).to.deep.equal(known);
    expect(known.map(([status]) => status)).to.deep.equal([200, 200, 200, 200, 200, 429]);
  });

  it('are limited to 20 requests per hour from one network address', async () => {
    const browser = client();
    const statuses: number[] = [];
    for (let count = 0; count < 21; count++)
      statuses.push((await browser.post('/forgot', { email: `nobody-${count}@example.com` })).status);
    expect(statuses).to.deep.equal([...Array.from({ length: 20 }, () => 200), 429]);
  });

  it('confirm a new email address at the new one, and notify the old one', async () => {
    const { userId } = await person('before@example.com');
    const browser = await visitAs(service, userId);
    const fields = { password: 'old password', email: 'after@example.com', new_password: '' };
    await browser.post('/settings/password', fields);
    expect((await browser.get('/settings')).text).to.contain('value="before@example.com"');
    const path = pathIn(await service.mails.mailTo('after@example.com'));
    expect((await client().press(path)).status, 'without a session').to.equal(403);
    expect((await browser.press(path)).location).to.equal('/settings');
    expect((await service.mails.mailTo('before@example.com')).headers.get('subject')).to.equal(
      'Your email address was changed',
    );
    expect((await findByEmail(service.db, 'after@example.com'))?.userId).to.equal(userId);
    expect((await client().get(path)).status).to.equal(403);
  });

  it('to a new address notify the old one even after its daily limit of requested mails', async () => {
    const email = 'victim@example.com';
    const victim = await service.person(email, { password: 'old password', isConfirmed: true });
    const stranger = client();
    for (let nth = 0; nth < 6; nth++) await stranger.post('/forgot', { email });
    await service.mails.mailTo(email, 3);
    const browser = await visitAs(service, victim.userId);
    const fields = { password: 'old password', email: 'thief@example.com', new_password: '' };
    await browser.post('/settings/password', fields);
    const path = pathIn(await service.mails.mailTo('thief@example.com'));
    expect((await browser.press(path)).location).to.equal('/settings');
    await service.quiet();
    const subjects = service.mails.received
      .filter(({ to }) => to.includes(email))
      .map(({ headers }) => headers.get('subject'));
    expect(subjects.slice(3)).to.deep.equal(['Your email address was changed']);
  });

  it('to a taken address notify only its holder, and change nothing', async () => {
    await person('holder@example.com');
    const { userId } = await person('mover@example.com');
    const browser = await visitAs(service, userId);
    const fields = { password: 'old password', email: 'holder@example.com', new_password: '' };
    await browser.post('/settings/password', fields);
    expect((await browser.get('/settings')).text).to.contain('We sent an email to holder@example.com');
    expect((await service.mails.mailTo('holder@example.com')).headers.get('subject')).to.equal(
      'You already have an account',
    );
    expect((await findByEmail(service.db, 'mover@example.com'))?.userId).to.equal(userId);
  });

  it('are no more sent after the deletion of an account, which a mail confirms', async () => {
    const { userId } = await person('leaving@example.com');
    const browser = await visitAs(service, userId);
    await browser.post('/settings/delete', { password: 'old password' });
    const mail = await service.mails.mailTo('leaving@example.com');
    expect(mail.headers.get('subject')).to.equal('Your account was deleted');
    expect(mail.text).to.contain('If you have no other account');
    await eventually(async () => {
      const { rows } = await sql`select from mails where address like 'leaving%'`.execute(service.db);
      return rows.length === 0 ? true : null;
    });
  });

  it('do not appear in the log', () => {
    const tokens = service.mails.received.flatMap(({ text }) =>
      [...text.matchAll(/token=([\w-]{43})/g)].map(([, token]) => token ?? ''),
    );
    expect(tokens.length).to.be.greaterThan(5);
    const said = lines.join('\n');
    expect(tokens.filter((token) => said.includes(token))).to.deep.equal([]);
    expect(said).not.to.match(/@example\.com/);
  });
});
