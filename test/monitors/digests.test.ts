import { expect } from 'chai';
import { sql } from 'kysely';
import * as memberships from '../../db/accounts/memberships.ts';
import * as users from '../../db/accounts/users.ts';
import type { TestAccount } from '../support/accounts.ts';
import { visit } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { type CallOptions, useAccount, useService } from '../support/service.ts';
import { makeDue } from '../support/smtp.ts';

const hourIn = (timeZone: string) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit' }).format());
// Mails are at least an hour apart, also daily ones. So the tests use a time zone in which it is not about 07:30.
const timezone = [6, 7].includes(hourIn('Asia/Kathmandu')) ? 'Pacific/Marquesas' : 'Asia/Kathmandu';
const wall = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'short' });

describe('mails about the runs of monitors', () => {
  const service = useService({}, { worker: true, mails: true });
  const account = useAccount(service, 1000);

  before(async () => {
    await service.confirmedUser(account.accountId, 'owner@example.com');
  });

  /** Returns functions that use the service as an account. */
  const actAs = (who: TestAccount) => {
    const call = (path: string, options: CallOptions = {}) =>
      service.call(path, { token: who.token, ...options });
    return {
      call,
      make: async (name: string, email = true) => {
        const body = {
          ...{ name, type: 'index', urls: ['https://indexed.example/1'], schedule: { every: 'month' } },
          notify: { when: 'always', email },
        };
        return (await call('/monitors', { body })).body.monitor.monitor_id as string;
      },
      run: async (monitorId: string) => {
        const { body } = await call(`/monitors/${monitorId}/run`, { body: {} });
        return eventually(async () => {
          const { body: seen } = await call(`/monitors/${monitorId}/runs`);
          const ended = seen.data.find((of: { run_id: string }) => of.run_id === body.run.run_id);
          return ended?.status === 'completed' ? (body.run.run_id as string) : null;
        });
      },
      listDigests: async () => {
        const { rows } = await sql<{
          userId: number;
          state: string;
          about: string;
          dueAt: Date | null;
          inHours: number;
        }>`
          select user_id, state, ids->>'about' as about, next_attempt_at as due_at,
            extract(epoch from next_attempt_at - now())::float8 / 3600 as in_hours
          from mails where account_id = ${who.accountId} order by created_at`.execute(service.db);
        return rows;
      },
    };
  };
  const { call, make, run, listDigests } = actAs(account);
  const set = (body: object) => call('/digest', { method: 'PATCH', body });
  const countSent = () => service.mails.received.filter(({ to }) => to.includes('owner@example.com')).length;

  it('go to owners with a confirmed address, one for all that ended since the last', async () => {
    const other = await service.account(1000);
    const { make, run, listDigests } = actAs(other);
    const owner = await service.confirmedUser(other.accountId, 'hourly@example.com');
    const unproved = { accountId: other.accountId, email: 'unproved@example.com', passwordHash: null };
    await users.create(service.db, unproved);
    expect(await memberships.listOwners(service.db, other.accountId)).to.have.length(2);
    const shop = await make('Shop www.example.com');
    const quiet = await make('Quiet', false);
    const first = await run(shop);
    const { text, html, headers } = await service.mails.mailTo('hourly@example.com');
    expect(headers.get('subject')).to.equal('Your monitors found no changes');
    expect(text).to.contain('No changes.').and.contain(`/monitors/${shop}`);
    // The name of a monitor is not a link.
    expect(html).to.contain('Shop').and.not.contain('www.example.com');
    await eventually(async () => ((await listDigests())[0]?.state === 'sent' ? true : null));
    expect((await listDigests()).map(({ userId, about }) => [userId, about])).to.deep.equal([[owner, first]]);

    // The next digest waits until an hour has passed, and covers all runs that end meanwhile.
    await run(quiet);
    await sql`update baselines set facts = facts || '{"is_indexed": false}'`.execute(service.db);
    const later = [await run(shop), await run(shop)];
    // On a cluster events are written after the end of the run.
    const findNext = async () => (await listDigests())[1]?.about;
    await eventually(async () => ((await findNext()) === later.join(' ') ? true : null));
    const [, waiting, ...others] = await listDigests();
    expect([waiting?.state, others]).to.deep.equal(['pending', []]);
    await makeDue(service.db);
    const changed = await service.mails.mailTo('hourly@example.com', 2);
    expect(changed.html).to.match(/<h1[^>]*>Shop .*: The URL is now in Google&#39;s index \(1\)<\/h1>/);
    expect(changed.text).to.contain("The URL is now in Google's index (1)");
  });

  it('are a setting of the account, by default a mail per run', async () => {
    expect((await call('/digest')).body).to.deep.equal({
      ...{ success: true, every: 'run', at: null, timezone: null },
    });
    expect((await set({ every: 'day' })).body).to.deep.include({
      every: 'day',
      at: '08:00',
      timezone: 'UTC',
    });
    expect((await set({ every: 'day', timezone })).body).to.deep.include({ at: '08:00', timezone });
    expect((await set({ every: 'day', at: '07:30' })).body).to.deep.include({ at: '07:30', timezone });
    const refused: Array<[object, string[]]> = [
      [{}, ['every']],
      [{ every: 'week' }, ['every']],
      [{ every: 'day', timezone: 'Mars/Olympus' }, ['timezone']],
      [{ every: 'day', timezone: '+02:00', at: '24:00' }, ['timezone', 'at']],
      [{ every: 'run', at: '08:00', timezone }, ['at', 'timezone']],
    ];
    for (const [body, fields] of refused) {
      const { status, body: answer } = await set(body);
      expect(status, JSON.stringify(body)).to.equal(422);
      expect(Object.keys(answer.errors)).to.have.members(fields);
    }
    const { data } = (await call('/activity')).body;
    expect(data[0]).to.include({ what: 'digest_changed', about: `each day at 07:30, ${timezone}` });
  });

  it('are set below the list of monitors by an owner of the account', async () => {
    const browser = await visit(service, account);
    const monitor = await make('First');
    const daily = { every: 'day', at: '07:30', timezone };
    await browser.post('/monitors/digest', daily, { from: '/monitors' });
    expect((await browser.get('/monitors')).text).to.contain(
      `Saved. Emails are sent daily at 07:30, ${timezone}.`,
    );
    await browser.post('/monitors/digest', { ...daily, timezone: 'Mars/Olympus' }, { from: '/monitors' });
    const { text } = await browser.get('/monitors');
    expect(text)
      .to.contain('Time zone: This time zone does not exist')
      .and.contain(`daily at 07:30, ${timezone}`);
    await call(`/monitors/${monitor}`, { method: 'DELETE' });
  });

  it('cover all monitors once a day, at the chosen time in the chosen zone, and later events the next day', async () => {
    const [shop, blog] = [await make('Shop'), await make('Blog')];
    const ids = [await run(shop), await run(blog), await run(shop)];
    const [waiting, ...others] = await listDigests();
    expect([waiting?.state, waiting?.about.split(' '), others]).to.deep.equal(['pending', ids, []]);
    expect(wall.format(waiting?.dueAt ?? new Date(0))).to.equal('07:30');
    expect(waiting?.inHours).to.be.within(0, 24);
    await makeDue(service.db);
    const { text } = await service.mails.mailTo('owner@example.com');
    expect(text).to.contain('Shop: ').and.contain('Blog: ').and.contain('one email a day');
    await eventually(async () => ((await listDigests())[0]?.state === 'sent' ? true : null));
    const later = await run(blog);
    const [, next, ...more] = await listDigests();
    expect([next?.state, next?.about, more]).to.deep.equal(['pending', later, []]);
    expect(wall.format(next?.dueAt ?? new Date(0))).to.equal('07:30');
    expect(countSent()).to.equal(1);
  });

  it('are sent at the new time when that changes, and within the hour when daily mails are disabled', async () => {
    // At least an hour after the previous mail, at any time of day.
    const at = wall.format(Date.now() + 3 * 3_600_000);
    await set({ every: 'day', at });
    expect(wall.format((await listDigests())[1]?.dueAt ?? new Date(0))).to.equal(at);
    await set({ every: 'run' });
    // An hour after the previous mail.
    expect((await listDigests())[1]?.inHours).to.be.within(0.9, 1);
    await run(await make('News'));
    expect(await listDigests()).to.have.length(2);
    await makeDue(service.db);
    const { text } = await service.mails.mailTo('owner@example.com', 2);
    expect(text).to.contain('Blog: ').and.contain('News: ').and.contain('at most one email an hour');
    expect(countSent()).to.equal(2);
  });
});
