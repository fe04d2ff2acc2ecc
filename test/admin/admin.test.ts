import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { sql } from 'kysely';
import { closeAccount } from '../../accounts/close.ts';
import { passwordRule } from '../../accounts/password.ts';
import { setAlarm } from '../../db/ledger/verification.ts';
import { authenticate } from '../support/accounts.ts';
import { atFullCost } from '../support/cheap-passwords.ts';
import { eventually } from '../support/eventually.ts';
import { useGoogle } from '../support/google.ts';
import { runAdmin } from '../support/operator.ts';
import { environmentOf } from '../support/processes.ts';
import { receive } from '../support/receiver.ts';
import { useService } from '../support/service.ts';
import { words } from '../support/words.ts';

const run = promisify(execFile);

describe('the admin command', () => {
  const google = useGoogle();
  const service = useService(() => google.env('serper'));

  const admin = (...args: string[]) => runAdmin(service, args);
  const adminReading = (input: string, ...args: string[]) => runAdmin(service, args, input);

  /** Runs the command in a process of its own, as an operator does. */
  async function typed(
    input: string,
    ...args: string[]
  ): Promise<{ code: number; out: string; err: string }> {
    const running = run(process.execPath, ['admin/main.ts', ...args], { env: environmentOf(service.env) });
    running.child.stdin?.end(input);
    return running.then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
      (error) => ({ code: error.code, out: error.stdout, err: error.stderr }),
    );
  }

  it('creates an account that can call the API, once per email address', async () => {
    const options = ['--password', 'a good password', ...words('--email Ann@example.com --credits 7 --json')];
    const { code, json } = await admin('account', 'create', ...options);
    expect(code).to.equal(0);
    expect(Object.keys(json)).to.deep.equal(['account_id', 'email', 'token', 'webhook_secret']);
    expect(json.webhook_secret).to.match(/^whsec_/);
    expect((await service.call('/credits', { token: String(json.token) })).body).to.deep.equal({
      credits: 7,
    });
    const again = await admin('account', 'create', '--email', 'ann@EXAMPLE.com', '--password', 'another one');
    expect(again.code).to.equal(1);
    expect(again.err.trim().split('\n')).to.deep.equal([
      'The process list of this machine shows this password. Give "-" instead, and enter it at the prompt.',
      'This email address already has an account.',
    ]);
    expect((await admin('account', 'list')).out).to.match(/account_id +credits.*\n1 +7 /);
  });

  it('grants, adjusts and verifies', async () => {
    const { accountId } = await service.account(0);
    const account = ['--account', String(accountId), '--json'];
    const credits = (...args: string[]) => admin('credits', ...args, ...account);
    expect((await credits('grant', '--amount', '50', '--note', 'paid')).json).to.deep.equal({ credits: 50 });
    expect((await credits('adjust', '--amount', '-20', '--note', 'oops')).json).to.deep.equal({
      credits: 30,
    });
    expect((await credits('adjust', '--amount', '-31', '--note', 'oops')).code).to.equal(1);
    const verified = await admin('ledger', 'verify', '--all', '--json');
    expect([verified.code, verified.json.ok]).to.deep.equal([0, true]);
    expect(verified.json).to.have.property('verified_at');
    await sql`update accounts set credits = 31 where account_id = ${accountId}`.execute(service.db);
    const broken = await admin('ledger', 'verify', '--json');
    expect([broken.code, broken.json.ok]).to.deep.equal([1, false]);
    expect(JSON.stringify(broken.json.faults)).to.include(`"account_id":${accountId}`);
    await sql`update accounts set credits = 30 where account_id = ${accountId}`.execute(service.db);
  });

  it('verifies accounts that have an alarm, even if they have not changed lately', async () => {
    const { accountId } = await service.account(0);
    await sql`update accounts set credits = 5 where account_id = ${accountId}`.execute(service.db);
    expect((await admin('ledger', 'verify')).code).to.equal(0);
    await setAlarm(service.db, accountId, true);
    const { code, out } = await admin('ledger', 'verify');
    expect(code).to.equal(1);
    expect(out).to.match(/faults\n +account_id .*to_do\n +\d+ +balance .*Set both from that entry/);
    await sql`update accounts set credits = 0 where account_id = ${accountId}`.execute(service.db);
    await setAlarm(service.db, accountId, false);
  });

  it('creates and revokes tokens, and disables accounts', async () => {
    const { accountId } = await service.account(0);
    const account = ['--account', String(accountId)];
    const { json } = await admin('token', 'create', ...account, '--name', 'ci', '--test', '--json');
    const token = String(json.token);
    expect((await service.call('/me', { token })).body.token.is_test).to.equal(true);
    expect((await admin('token', 'list', ...account)).out).to.include('ci');
    expect((await admin('token', 'revoke', '--token', token)).code).to.equal(0);
    expect((await service.call('/credits', { token })).status).to.equal(401);
    expect((await admin('token', 'create', '--account', '99999')).err).to.include(
      'Account 99999 does not exist.',
    );
    expect((await admin('account', 'disable', ...account)).code).to.equal(0);
    expect((await admin('account', 'password', ...account, '--password', 'long enough')).err).to.include(
      'has no user',
    );
  });

  it('enables a disabled account again, with its tokens, but not an account that its owner deleted', async () => {
    const open = async (email: string) => {
      const options = ['--email', email, '--password', 'long enough', '--json'];
      const { account_id: accountId, token } = (await admin('account', 'create', ...options)).json;
      return { accountId, account: ['--account', String(accountId)], token };
    };
    const away = await open('away@example.com');
    const status = async () => (await service.call('/credits', { token: away.token })).status;
    await admin('account', 'disable', ...away.account);
    expect(await status()).to.equal(401);
    await admin('account', 'enable', ...away.account);
    expect(await status()).to.equal(200);
    const gone = await open('gone@example.com');
    await closeAccount(service.db, { boss: await service.boss(), mail: 'off' }, gone.accountId);
    const { code, err } = await admin('account', 'enable', ...gone.account);
    expect([code, err]).to.deep.equal([
      1,
      `Account ${gone.accountId} does not exist, has no user, or was deleted by its user.\n`,
    ]);
  });

  it('reads passwords and tokens from standard input', async () => {
    const email = 'quiet@example.com';
    const options = ['--email', email, '--password', '-', '--json'];
    const { json } = await adminReading('a silent horse\r\nnot this', 'account', 'create', ...options);
    expect(await authenticate(service.db, email, 'a silent horse')).to.be.a('number');
    const account = ['--account', String(json.account_id)];
    const short = await adminReading('short\n', 'account', 'password', ...account);
    expect([short.code, short.err]).to.deep.equal([1, `The password ${passwordRule}.\n`]);
    expect((await adminReading('another password', 'account', 'password', ...account)).code).to.equal(0);
    expect(await authenticate(service.db, email, 'another password')).to.be.a('number');
    const token = String(json.token);
    expect((await adminReading(`${token}\n`, 'token', 'revoke', '--token', '-')).code).to.equal(0);
    expect((await service.call('/credits', { token })).status).to.equal(401);
  });

  it('explains the answer of a provider', async () => {
    const good = await admin('provider', 'test', 'serper', '--json');
    expect([good.code, good.json.came_back]).to.deep.equal([0, 'a results page with 10 organic results']);
    google.let('serper', { status: 403, body: { message: 'Unauthorized.' } });
    const refused = await admin('provider', 'test', 'serper', '--json');
    expect(refused.code).to.equal(1);
    expect(refused.json).to.include({
      meaning: 'The key is wrong, or the provider account is not allowed to use this service.',
    });
    expect(refused.out).to.not.include('serper-key');
    expect((await admin('provider', 'test', 'brightdata')).err).to.include('BRIGHTDATA_API_TOKEN');
    google.let('serper', 'well');
  });

  it('lists the providers with their settings, without secrets', async () => {
    const { out } = await admin('provider', 'list');
    expect(out)
      .to.match(/^serper +yes +SERPER_API_KEY /m)
      .and.match(/^brightdata +no /m);
    expect(out).to.not.include('serper-key');
  });

  it('shows usage by provider and day', async () => {
    const { token } = await service.account(5);
    await service.call('/check', { token, body: { url: 'https://indexed.example/' } });
    // A process records its usage once a second.
    await eventually(async () => ((await admin('usage')).out.includes('serper') ? true : null));
    for (const command of [['usage'], ['provider', 'usage', '--since', '2026-01-01']]) {
      const { out } = await admin(...command);
      expect(out).to.match(/day +provider +calls +pages +answers\n\d{4}-\d\d-\d\d +serper +[1-9]\d* +[1-9]/);
    }
    expect((await admin('provider', 'usage', '--since', 'yesterday')).code).to.equal(1);
  });

  it('shows the queue, deletes expired rows, and prints its help', async () => {
    expect((await admin('queue', 'status')).out.trim()).to.equal('(none)');
    expect((await admin('purge', '--json')).json).to.include({ batches: 0, history_points: 0 });
    expect((await admin('--help')).out).to.match(/account.*\n.*credits/s);
    expect((await admin('acount')).err).to.match(/unknown command/);
  });

  it('lists, resends and tests deliveries', async () => {
    const receiver = await receive();
    const { accountId, token } = await service.account();
    const body = { urls: ['nonsense'], on_invalid: 'skip', webhook_url: receiver.url };
    const { body: accepted } = await service.call('/http-status/bulk', { token, body });
    const account = ['--account', String(accountId)];
    const batch = ['--batch', accepted.batch_id];
    expect((await admin('webhook', 'list', ...account)).out).to.include(accepted.batch_id);
    expect((await admin('webhook', 'list', ...account, ...batch, '--json')).out.trim()).to.equal('[]');
    const { json } = await admin('webhook', 'redeliver', ...account, ...batch, '--json');
    expect(json).to.include({ batch_id: accepted.batch_id, state: 'pending' });
    const tested = await admin('webhook', 'test', ...account, '--url', receiver.url, '--json');
    expect(tested.code, tested.err).to.equal(0);
    expect(receiver.received.map(({ body }) => body.type)).to.have.members(['index', 'http', 'keyword']);
    const refused = await admin('webhook', 'test', ...account, '--url', 'http://10.0.0.1/');
    expect([refused.code, refused.err]).to.deep.equal([
      1,
      'We do not contact this URL: its host is private, or its port is blocked. The operator can allow private IP addresses in TARGET_ALLOW_CIDRS.\n',
    ]);
    const lost = await admin('webhook', 'redeliver', '--account', '999', ...batch);
    expect([lost.code, lost.err]).to.deep.equal([
      1,
      `Account 999 has no delivery of batch ${accepted.batch_id}.\n`,
    ]);
    await receiver.close();
  });

  it('is a process that reads, prints and exits with a code', async () => {
    const account = ['--email', 'typed@example.com', '--password', '-'];
    const { code, out, err } = await typed('a good password\n', 'account', 'create', ...account);
    expect([code, err]).to.deep.equal([0, '']);
    expect(out).to.match(/^account_id +\d+\n/);
    const found = atFullCost(() => authenticate(service.db, 'typed@example.com', 'a good password'));
    expect(await found).to.be.a('number');
    const refused = await typed('', 'credits', 'adjust', '--account', '99', '--amount', '-1', '--note', 'x');
    expect([refused.code, refused.out, refused.err !== '']).to.deep.equal([1, '', true]);
  });
});
