import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import * as annotations from '../../db/monitors/annotations.ts';
import * as runs from '../../db/monitors/monitor-runs.ts';
import * as deliveries from '../../db/notifications/deliveries.ts';
import * as events from '../../db/notifications/events.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { purge } from '../../upkeep/retention.ts';
import { indexAnswer } from '../support/answers.ts';
import { type Monitored, monitored } from '../support/monitored.ts';
import { useRecords } from '../support/records.ts';

const retention = { days: 90, historyDays: 400 };
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const midnight = Math.floor(Date.now() / dayMs) * dayMs;

describe('the history of monitors', () => {
  const records = useRecords();
  let accountId: number;

  before(async () => {
    accountId = await records.account();
  });

  /** Creates a monitor whose answer changed every hour for six hours, on each of these days in the past. */
  async function lived(daysAgo: number[]): Promise<Monitored<'index'>> {
    const options = { confirmLosses: false };
    const monitor = await monitored(records, accountId, 'index', [{ url: 'https://example.com/' }], options);
    for (const days of daysAgo)
      for (let hour = 0; hour < 6; hour += 1)
        await monitor.run(new Date(midnight - days * dayMs + hour * hourMs), [indexAnswer(hour % 2 === 0)]);
    return monitor;
  }

  const pass = async () => {
    await sql`update history_passes set passed_at = now() - interval '2 days' where account_id = ${accountId}`.execute(
      records.db,
    );
    return (await purge(records.db, retention, { stepMax: 5 })).monitorHistory;
  };
  const listPoints = async ({ subjects }: Monitored<'index'>) => {
    const ids = subjects.map(({ subjectId }) => subjectId);
    const { rows } = await sql<{ days: number; hour: number }>`
      select (${new Date(midnight)}::timestamptz::date - first_at::date)::int as days,
        extract(hour from first_at at time zone 'UTC')::int as hour
      from points where account_id = ${accountId} and subject_id = any(${ids}::bigint[])
      order by first_at`.execute(records.db);
    return rows.map(({ days, hour }) => `${days} ${hour}`);
  };

  it('has one point a day after 90 days, and ends after the days of history', async () => {
    const monitor = await lived([500, 120, 2]);
    await sql`update changes set at = now() - interval '500 days'
      where account_id = ${accountId} and change_id = (select min(change_id) from changes where account_id = ${accountId})`.execute(
      records.db,
    );
    expect(await listPoints(monitor)).to.have.lengthOf(18);
    // Six points of 500 days ago and their runs, five of 120 days ago, and an old change.
    expect(await pass()).to.equal(6 + 6 + 5 + 1);
    const fresh = [0, 1, 2, 3, 4, 5].map((hour) => `2 ${hour}`);
    expect(await listPoints(monitor)).to.deep.equal(['120 5', ...fresh]);
    expect(await pass()).to.equal(0);
  });

  it('is deleted completely after its monitor, and other histories stay', async () => {
    const [gone, other] = [await lived([3]), await lived([3])];
    await sql`update monitors set deleted_at = now(), next_run_at = null
      where account_id = ${accountId} and monitor_id = ${gone.monitorId}`.execute(records.db);
    expect(await pass()).to.equal(6 + 5 + 6);
    for (const table of ['baselines', 'changes', 'run_tallies', 'history_passes']) {
      const { rows } = await sql<{ gone: number; other: number }>`
        select count(*) filter (where monitor_id = ${gone.monitorId})::int as gone,
          count(*) filter (where monitor_id = ${other.monitorId})::int as other
        from ${sql.ref(table)} where account_id = ${accountId}`.execute(records.db);
      expect(rows[0]?.gone, table).to.equal(0);
      expect(rows[0]?.other, table).to.be.greaterThan(0);
    }
    expect(await listPoints(gone)).to.deep.equal([]);
    expect(await listPoints(other)).to.have.lengthOf(6);
  });

  const inputs = [1, 2, 3].map((nth) => ({ url: `https://example.com/${nth}` }));
  const withRun = async (status: 'preparing' | 'skipped') => {
    const monitor = await monitored(records, accountId, 'index', inputs);
    const run = {
      accountId,
      monitorId: monitor.monitorId,
      runId: randomUUID(),
      kind: 'check',
      status,
    } as const;
    const end = status === 'skipped' ? ({ reason: 'overlap', finishedAt: new Date() } as const) : {};
    await inTransaction(records.db, async (trx) => {
      await runs.create(trx, { ...run, ...end });
      await annotations.add(trx, monitor, { at: new Date(), text: 'Launch', createdAt: new Date() });
    });
    return { ...monitor, runId: run.runId };
  };
  const remove = ({ monitorId }: Pick<Monitored<'index'>, 'monitorId'>) =>
    sql`update monitors set deleted_at = now(), next_run_at = null
      where account_id = ${accountId} and monitor_id = ${monitorId}`.execute(records.db);
  const left = async ({ monitorId }: Pick<Monitored<'index'>, 'monitorId'>) => {
    const count = async (table: string) => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from ${sql.table(table)}
        where account_id = ${accountId} and monitor_id = ${monitorId}`.execute(records.db);
      return rows[0]?.count;
    };
    return Promise.all(['monitors', 'subjects', 'monitor_runs', 'annotations'].map(count));
  };

  it('is deleted in steps with all else of a deleted monitor when no run is in progress', async () => {
    const [idle, busy, kept] = [
      await withRun('skipped'),
      await withRun('preparing'),
      await withRun('skipped'),
    ];
    await remove(idle);
    await remove(busy);
    // An annotation, three subjects in two steps, a run and the monitor.
    expect((await purge(records.db, retention, { stepMax: 2 })).deletedMonitors).to.equal(6);
    expect(await left(idle)).to.deep.equal([0, 0, 0, 0]);
    expect(await left(busy)).to.deep.equal([1, 3, 1, 1]);
    await inTransaction(records.db, (trx) =>
      runs.update(trx, busy, { status: 'skipped', reason: 'deleted', finishedAt: new Date() }),
    );
    expect((await purge(records.db, retention)).deletedMonitors).to.equal(6);
    expect(await left(busy)).to.deep.equal([0, 0, 0, 0]);
    expect(await left(kept)).to.deep.equal([1, 3, 1, 1]);
  });

  it('loses events that are older than the days of results, with their deliveries', async () => {
    const tell = async (daysAgo: number) => {
      const eventId = randomUUID();
      const what = { event: 'monitor.changed', monitorId: null, runId: null, isPaid: true, body: {} };
      await inTransaction(records.db, async (trx) => {
        await events.create(trx, { accountId, messageId: `msg_${eventId}`, eventId, ...what });
        await deliveries.create(trx, {
          ...{ accountId, eventId, jobId: randomUUID() },
          url: 'https://example.com/hook',
        });
      });
      await sql`update events set created_at = now() - ${daysAgo} * interval '1 day'
        where account_id = ${accountId} and event_id = ${eventId}`.execute(records.db);
      return eventId;
    };
    const [old, fresh] = [await tell(91), await tell(89)];
    expect((await purge(records.db, retention)).events).to.equal(1);
    const { rows } = await sql<{ id: string }>`
      select event_id as id from events where account_id = ${accountId}
      union all select event_id from deliveries where account_id = ${accountId}`.execute(records.db);
    expect(rows.map(({ id }) => id)).to.deep.equal([fresh, fresh]);
    expect(fresh).not.to.equal(old);
  });
});
