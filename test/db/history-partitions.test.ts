import { expect } from 'chai';
import { sql } from 'kysely';
import * as history from '../../db/batches/history.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import {
  createAhead,
  createUpTo,
  findCurrentId,
  idsPerDay,
  list,
  type Partition,
  partitionDays,
  toBound,
} from '../../db/retention/partitions.ts';
import { purge } from '../../upkeep/retention.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { useRecords } from '../support/records.ts';

const kept = { days: 90, historyDays: 1100 };

describe('the partitions of the history', () => {
  // With a single connection, the statistics of rows read are complete.
  const records = useRecords({ connections: 1, isForEach: true });
  let accountId: number;
  /** The id of now, from which other times are computed. */
  let now: number;

  beforeEach(async () => {
    accountId = await records.account();
    now = await findCurrentId(records.db);
  });

  const partitions = async () => (await list(records.db)).filter(({ table }) => table === 'history');

  /** Inserts an index check for each of these days ago; negative ones are in the future. */
  async function add(...daysAgo: number[]): Promise<void> {
    for (const [at, days] of daysAgo.entries()) {
      await sql`
        insert into history (account_id, request_id, type, state, input, series, is_indexed, checked_at)
        values (${accountId}, ${now - at}, 'index', 'success', '{"url": "https://a.example/"}', sha256('a'), true,
          date_trunc('milliseconds', ${toBound('history', now - days * idsPerDay)}::timestamptz))`.execute(
        records.db,
      );
    }
  }

  const daysAgo = async () => {
    const { rows } = await sql<{ days: number }>`
      select round(extract(epoch from now() - checked_at) / 86400)::int as days from history order by checked_at`.execute(
      records.db,
    );
    return rows.map(({ days }) => days);
  };

  it('have no gaps, reach at least four weeks ahead, and new ones cover a sixth of the retention', async () => {
    await sql`drop table ${sql.table((await partitions()).at(-1)?.name ?? '')}`.execute(records.db);
    expect(partitionDays('history', kept.historyDays)).to.equal(183);
    expect(await createAhead(records.db, kept)).to.have.lengthOf(1);
    expect(await createAhead(records.db, kept)).to.deep.equal([]);
    const all = await partitions();
    expect(all[0]).to.include({ name: 'history_first', from: 0 });
    for (const [at, { from }] of all.slice(1).entries()) expect(from).to.equal(all[at]?.to);
    const { from = 0, to = 0 } = all.at(-1) ?? {};
    expect(to - from).to.equal(183 * idsPerDay);
    expect(to).to.be.at.least(now + 28 * idsPerDay);
  });

  it('have the same limits in the time zone of any session', async () => {
    const all = await partitions();
    await sql`set timezone = 'Asia/Kathmandu'`.execute(records.db);
    expect(await partitions()).to.deep.equal(all);
    await inTransaction(records.db, (trx) => createUpTo(trx, now + 400 * idsPerDay));
    const last = (await partitions()).at(-1) as Partition;
    expect(last.to).to.be.above(now + 400 * idsPerDay);
    await sql`reset timezone`.execute(records.db);
    expect((await partitions()).at(-1)).to.deep.equal(last);
  });

  itOnOneServer('are not read for a page that newer ones fill', async () => {
    const names = (await partitions()).map(({ name }) => name);
    await add(3, 2, 1, -8, -9, -10);
    // With so few rows, Postgres would not use an index.
    await sql`set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off`.execute(
      records.db,
    );
    const readBy = async (limit: number) => {
      const before = await scans();
      expect(
        await history.list(records.db, accountId, { type: 'index', days: 1100, limit }),
      ).to.have.lengthOf(limit);
      const after = await scans();
      return names.filter((name) => before.get(name) !== after.get(name));
    };
    const [first, ...later] = names;
    expect(await readBy(3))
      .to.include.members(later.slice(0, 1))
      .and.not.include(first);
    expect(await readBy(4)).to.include(first);
  });

  async function scans(): Promise<Map<string, string>> {
    await sql`select pg_stat_force_next_flush()`.execute(records.db);
    const { rows } = await sql<{ name: string; scans: string }>`
      select relname as name, concat_ws(' ', seq_scan, idx_scan) as scans
      from pg_stat_user_tables where relname like 'history%'`.execute(records.db);
    return new Map(rows.map(({ name, scans }) => [name, scans]));
  }

  it('are dropped when all their entries have expired; in others, expired ones are deleted or hidden', async () => {
    await inThePast(1200, 1105, 1010, 200);
    await add(1300, 1199, 1102, 1050, 300, 101, 99, 1);
    expect(await purge(records.db, kept)).to.include({ historyPoints: 0, partitions: 2 });
    expect(await daysAgo()).to.deep.equal([1102, 1050, 300, 101, 99, 1]);
    const asked = { type: 'index' as const, days: kept.historyDays };
    expect(await history.count(records.db, accountId, asked, 100)).to.equal(5);
    expect(await history.list(records.db, accountId, { ...asked, limit: 100 })).to.have.lengthOf(5);
    // With a shorter retention, one partition has expired rows and rows to keep. Its expired rows are deleted one by
    // one.
    expect(await purge(records.db, { days: 90, historyDays: 100 })).to.include({
      historyPoints: 1,
      partitions: 2,
    });
    expect(await daysAgo()).to.deep.equal([99, 1]);
  });

  /** Splits the first partition, which is empty, at these days ago. */
  async function inThePast(...cuts: number[]): Promise<void> {
    const [first] = (await partitions()) as [Partition];
    await sql`drop table history_first`.execute(records.db);
    const bounds = [...cuts.map((days) => now - days * idsPerDay), first.to].map((id) =>
      toBound('history', id),
    );
    for (const [at, to] of bounds.entries()) {
      const from = bounds[at - 1] ?? sql`minvalue`;
      await sql`
        create table ${sql.table(`history_past_${at}`)} partition of history for values from (${from}) to (${to})`.execute(
        records.db,
      );
    }
  }
});
