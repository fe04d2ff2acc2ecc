import { expect } from 'chai';
import { sql } from 'kysely';
import * as accounts from '../../db/accounts/accounts.ts';
import { runAdmin } from '../support/operator.ts';
import { useService } from '../support/service.ts';

describe('the monitor commands of the admin command', () => {
  const service = useService();

  const admin = (...args: string[]) => runAdmin(service, ['monitor', ...args]);

  async function owner(credits: number) {
    const { accountId, token } = await service.account(credits);
    const make = async (name: string) => {
      const body = { name, type: 'http', urls: ['https://example.com/1'], schedule: { every: 'day' } };
      return (await service.call('/monitors', { token, body })).body.monitor.monitor_id as string;
    };
    return { token, make, account: ['--account', String(accountId)], accountId };
  }

  it('list monitors, newest first, at most a hundred, and say when an account has none', async () => {
    const { account, accountId, make } = await owner(10);
    expect(await admin('list', ...account)).to.include({ code: 0, out: '(none)\n' });
    await make('First');
    await make('Second');
    const { out } = await admin('list', ...account);
    expect(out).to.match(
      /^monitor_id +name +type +status +paused_reason +every +timezone +subjects +next_run_at/,
    );
    const listed = JSON.parse((await admin('list', ...account, '--json')).out);
    expect(listed.map(({ name }: { name: string }) => name)).to.deep.equal(['Second', 'First']);
    expect(listed[0]).to.include({ status: 'active', subjects: 1, every: 'day', timezone: 'UTC' });
    expect((await admin('list', ...account, '--status', 'paused')).out).to.equal('(none)\n');
    await sql`
      insert into monitors (account_id, monitor_id, name, type, schedule, notify, rank_threshold, confirm_losses,
        subjects_max, subjects, next_run_at)
      select account_id, gen_random_uuid(), 'More', type, schedule, notify, 3, true, 10000, 1, next_run_at
      from monitors cross join generate_series(1, 60) where account_id = ${accountId}`.execute(service.db);
    expect(JSON.parse((await admin('list', ...account, '--json')).out)).to.have.length(100);
  });

  it('run a monitor now, once at a time, for credits', async () => {
    const { account, make, token } = await owner(1);
    const which = [...account, '--monitor', await make('Shop')];
    const { code, out, err } = await admin('run', ...which, '--json');
    expect([code, err]).to.deep.equal([0, '']);
    expect(JSON.parse(out)).to.include({ status: 'running', subjects: 1, credits_charged: 1 });
    expect((await service.call('/credits', { token })).body.credits).to.equal(0);
    expect((await admin('run', ...which)).err).to.include('A run of this monitor is in progress.');
    const poor = [...account, '--monitor', await make('Poor')];
    const refused = await admin('run', ...poor);
    expect([refused.code, refused.out]).to.deep.equal([1, '']);
    expect(refused.err).to.match(/credit/i);
  });

  it('do not run a monitor of a disabled account', async () => {
    const { account, accountId, make } = await owner(10);
    const monitor = await make('M');
    await accounts.disable(service.db, accountId);
    const { code, err: problems } = await admin('run', ...account, '--monitor', monitor);
    expect([code, problems]).to.deep.equal([1, `Account ${accountId} does not exist or is disabled.\n`]);
  });

  it('pause a monitor, even if it is paused', async () => {
    const { account, make } = await owner(1);
    const which = [...account, '--monitor', await make('Shop')];
    for (let times = 0; times < 2; times++) {
      const { code, out } = await admin('pause', ...which, '--json');
      expect(code).to.equal(0);
      expect(JSON.parse(out)).to.include({ status: 'paused', paused_reason: 'by_hand', next_run_at: null });
    }
  });

  it('name an unknown monitor or account', async () => {
    const { account } = await owner(1);
    const nobody = ['--monitor', '00000000-0000-4000-8000-000000000000'];
    for (const act of ['run', 'pause']) {
      const { code, err } = await admin(act, ...account, ...nobody);
      expect([code, err.trim()]).to.deep.equal([
        1,
        'The account has no monitor with this id. `monitor list` shows its monitors.',
      ]);
    }
    expect((await admin('list', '--account', '999999')).err).to.equal('Account 999999 does not exist.\n');
    expect((await admin('run', ...account, '--monitor', '12')).err).to.include('must be a monitor id');
    expect((await admin('--help')).out).to.match(/list[\s\S]*pause[\s\S]*run/);
  });
});
