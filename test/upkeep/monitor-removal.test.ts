import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import * as annotations from '../../db/monitors/annotations.ts';
import * as runs from '../../db/monitors/monitor-runs.ts';
import * as deliveries from '../../db/notifications/deliveries.ts';
import * as events from '../../db/notifications/events.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { purge } from '../../upkeep/retention.ts';
import { type Monitored, monitored } from '../support/monitored.ts';
import { borrowRecords, type Records } from '../support/records.ts';

const days = { days: 90, historyDays: 400 };

describe('what monitors leave behind', () => {
  let records: Records;
  let accountId: number;

  before(async () => {
    records = await borrowRecords();
    accountId = await records.account();
  });

  after(() => records.giveBack());

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

  it('goes in steps once a monitor is deleted and nothing of it is at work', async () => {
    const [idle, busy, kept] = [
      await withRun('skipped'),
      await withRun('preparing'),
      await withRun('skipped'),
    ];
    await remove(idle);
    await remove(busy);
    // An annotation, three subjects in two steps, a run and the monitor.
    expect((await purge(records.db, days, { stepMax: 2 })).deletedMonitors).to.equal(6);
    expect(await left(idle)).to.deep.equal([0, 0, 0, 0]);
    expect(await left(busy)).to.deep.equal([1, 3, 1, 1]);
    await inTransaction(records.db, (trx) =>
      runs.update(trx, busy, { status: 'skipped', reason: 'deleted', finishedAt: new Date() }),
    );
    expect((await purge(records.db, days)).deletedMonitors).to.equal(6);
    expect(await left(busy)).to.deep.equal([0, 0, 0, 0]);
    expect(await left(kept)).to.deep.equal([1, 3, 1, 1]);
  });

  it('goes with its delivery when it was told before the days of results', async () => {
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
    expect((await purge(records.db, days)).events).to.equal(1);
    const { rows } = await sql<{ id: string }>`
      select event_id as id from events where account_id = ${accountId}
      union all select event_id from deliveries where account_id = ${accountId}`.execute(records.db);
    expect(rows.map(({ id }) => id)).to.deep.equal([fresh, fresh]);
    expect(fresh).not.to.equal(old);
  });
});
