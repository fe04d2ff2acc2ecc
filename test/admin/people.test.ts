import { expect } from 'chai';
import { sql } from 'kysely';
import type { SMTPServerOptions } from 'smtp-server';
import * as users from '../../db/accounts/users.ts';
import { authenticate } from '../support/accounts.ts';
import { FormClient, visitAs } from '../support/dashboard.ts';
import { runAdmin } from '../support/operator.ts';
import { useService } from '../support/service.ts';

describe('the commands for people of the admin command', () => {
  const noBox = Object.assign(new Error('no such box'), { responseCode: 550 });
  const mails = {
    onRcptTo: ({ address }, _session, done) => done(address.startsWith('gone') ? noBox : null),
  } satisfies SMTPServerOptions;
  const service = useService({}, { worker: true, mails });

  const admin = (args: string[], env = service.env) => runAdmin({ env }, [...args, '--json']);

  it('create a token with a scope and an end date, and reject invalid ones', async () => {
    const { accountId } = await service.account(0);
    const create = (...more: string[]) =>
      admin(['token', 'create', '--account', String(accountId), '--name', 'ci', ...more]);
    const readToken = async ({ json }: Awaited<ReturnType<typeof create>>) =>
      (await service.call('/me', { token: json.token })).body.token;
    const [plain, reading] = [await create(), await create('--scope', 'read', '--expires', '2999-01-31')];
    expect(await readToken(plain)).to.include({ scope: 'manage', expires_at: null, is_test: false });
    expect(await readToken(reading)).to.include({ scope: 'read', expires_at: '2999-01-31T00:00:00+00:00' });
    const body = { url: 'https://indexed.example/' };
    expect((await service.call('/check', { token: reading.json.token, body })).body.error).to.equal(
      'insufficient_scope',
    );
    for (const [bad, words] of [
      [['--scope', 'all'], 'must be one of read, check, manage'],
      [['--expires', '2020-01-01'], 'must be a date or time in the future'],
      [['--expires', 'soon'], 'must be a date or time in the future'],
    ] as const) {
      const { code, err } = await create(...bad);
      expect([code, err.includes(words)], err).to.deep.equal([1, true]);
    }
  });

  it('list the members of an account with their roles', async () => {
    const { accountId } = await service.account(0);
    for (const role of ['owner', 'viewer'] as const)
      await users.create(service.db, {
        ...{ accountId, role, passwordHash: null, email: `${role}-${accountId}@example.com` },
      });
    const { json } = await admin(['account', 'members', '--account', String(accountId)]);
    expect(json.map(({ email, role }: { email: string; role: string }) => [email, role])).to.deep.equal([
      [`owner-${accountId}@example.com`, 'owner'],
      [`viewer-${accountId}@example.com`, 'viewer'],
    ]);
    expect((await admin(['account', 'members', '--account', '99999'])).json).to.deep.equal([]);
  });

  it('set a password, end the sessions and record it in one transaction', async () => {
    const { accountId } = await service.account(0);
    const email = 'forgetful@example.com';
    const passwordHash = await users.hashPassword('the old one');
    const userId = await users.create(service.db, { accountId, email, passwordHash });
    const browser = await visitAs(service, userId);
    const set = () =>
      admin(['account', 'password', '--account', String(accountId), '--password', 'the new one']);
    await sql`alter table activity add constraint none_of_this check (what <> 'password_changed') not valid`.execute(
      service.db,
    );
    expect((await set()).code).to.equal(1);
    await sql`alter table activity drop constraint none_of_this`.execute(service.db);
    expect(await authenticate(service.db, email, 'the old one')).to.equal(userId);
    expect((await browser.get('/settings')).status).to.equal(200);
    expect((await set()).json).to.deep.equal({ account_id: accountId, email });
    expect(await authenticate(service.db, email, 'the new one')).to.equal(userId);
    expect((await browser.get('/settings')).status).to.equal(303);
  });

  it('send a test mail, and show the state of the others', async () => {
    const sent = await admin(['mail', 'test', '--to', 'ops@example.com']);
    expect([sent.code, sent.json]).to.deep.equal([0, { to: 'ops@example.com', state: 'sent', error: null }]);
    expect((await service.mails.mailTo('ops@example.com')).text).to.contain('The command "mail test"');
    const refused = await admin(['mail', 'test', '--to', 'gone@example.com']);
    expect([refused.code, refused.json.state]).to.deep.equal([1, 'refused']);
    expect(refused.json.error).to.contain('no such box');
    expect((await admin(['mail', 'test', '--to', 'nobody'])).err).to.contain('must be an email address');
    const off = await admin(['mail', 'test', '--to', 'ops@example.com'], {
      ...service.env,
      SMTP_URL: undefined,
    });
    expect([off.code, off.err]).to.deep.equal([1, 'Email is off. Set SMTP_URL to send email.\n']);

    const { accountId } = await service.account(0);
    for (const email of ['gone-away@example.com', 'there@example.com']) {
      await users.create(service.db, { accountId, email, passwordHash: null });
      await new FormClient(service.baseUrl).post('/forgot', { email });
    }
    await service.mails.mailTo('there@example.com');
    await service.quiet();
    const [failed, ...others] = (await admin(['mail', 'list', '--state', 'failed'])).json;
    expect([failed.template, failed.attempts, others]).to.deep.equal(['reset', 1, []]);
    // Addresses of recipients must not be shown, even if the server repeats them in its answers.
    expect(failed.error).to.contain('no such box');
    expect(JSON.stringify(failed)).not.to.contain('gone-away');
    expect((await admin(['mail', 'list'])).json.map(({ state }: { state: string }) => state)).to.have.members(
      ['failed', 'sent'],
    );
    expect((await admin(['mail', 'list', '--state', 'lost'])).err).to.contain('must be one of pending, sent');
  });
});
