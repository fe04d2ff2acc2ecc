import { expect } from 'chai';
import { sql } from 'kysely';
import { visit } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { type CallOptions, useAccount, useService } from '../support/service.ts';
import { makeDue } from '../support/smtp.ts';

const hourIn = (timeZone: string) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit' }).format());
// Mails are at least an hour apart, including daily ones: if it is about 07:30, use the other time zone.
const timezone = [6, 7].includes(hourIn('Asia/Kathmandu')) ? 'Pacific/Marquesas' : 'Asia/Kathmandu';
const wall = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'short' });

describe('a daily mail about the runs of monitors', () => {
  const service = useService({}, { worker: true, mails: true });
  const account = useAccount(service, 1000);

  before(async () => {
    await service.confirmedUser(account.accountId, 'owner@example.com');
  });

  const call = (path: string, options: CallOptions = {}) =>
    service.call(path, { token: account.token, ...options });
  const set = (body: object) => call('/digest', { method: 'PATCH', body });
  const make = async (name: string) => {
    const body = {
      ...{ name, type: 'index', urls: ['https://indexed.example/1'], schedule: { every: 'month' } },
      notify: { when: 'always', email: true },
    };
    return (await call('/monitors', { body })).body.monitor.monitor_id as string;
  };
  const run = async (monitorId: string) => {
    const { body } = await call(`/monitors/${monitorId}/run`, { body: {} });
    return eventually(async () => {
      const { body: seen } = await call(`/monitors/${monitorId}/runs`);
      const ended = seen.data.find((of: { run_id: string }) => of.run_id === body.run.run_id);
      return ended?.status === 'completed' ? (body.run.run_id as string) : null;
    });
  };
  const listDigests = async () => {
    const { rows } = await sql<{ state: string; about: string; dueAt: Date | null; inHours: number }>`
      select state, ids->>'about' as about, next_attempt_at as due_at,
        extract(epoch from next_attempt_at - now())::float8 / 3600 as in_hours
      from mails where account_id = ${account.accountId} order by created_at`.execute(service.db);
    return rows;
  };

  it('is a setting of the account, by default a mail per run', async () => {
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

  it('is set below the list of monitors by an owner of the account', async () => {
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

  it('covers all monitors at its hour in its time zone, once, and later events the next day', async () => {
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
    expect(service.mails.received).to.have.length(1);
  });

  it('is sent at the new time when that changes, and within the hour when it is disabled', async () => {
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
    expect(service.mails.received).to.have.length(2);
  });
});
