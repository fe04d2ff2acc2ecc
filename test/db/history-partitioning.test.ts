import { expect } from 'chai';
import { sql } from 'kysely';
import { migrate } from '../../db/migrate.ts';
import { boundAt, currentId, idsPerDay } from '../../db/partition-bounds.ts';
import { list } from '../../db/partitions.ts';
import { captureLog, silentLog } from '../support/log.ts';
import { isCluster } from '../support/postgres.ts';
import { makeWhole } from '../support/whole-tables.ts';
import { TestWindows } from '../support/windows.ts';

describe('a history that is made partitions', () => {
  let windows: TestWindows;
  let accountId: number;

  beforeEach(async () => {
    windows = await TestWindows.open();
    accountId = await windows.records.account(100);
    await windows.submit(accountId, 60);
    const [first, second] = await windows.queuedOf(accountId);
    for (const chunk of [first, second]) if (chunk) await windows.settle(chunk);
    await makeWhole(db(), 'history');
  });

  afterEach(() => windows.close());

  const db = () => windows.records.db;
  const migrating = () => ({
    directUrl: windows.records.url,
    backend: isCluster ? ('citus' as const) : ('postgres' as const),
    patience: { lockMs: 2000, triesMax: 1000, pauseMs: 200 },
  });
  const points = async () => {
    const { rows } = await sql`select * from history order by request_id`.execute(db());
    return rows;
  };

  async function expectPartitioned(): Promise<void> {
    const { rows } = await sql<{ table: string; definition: string }>`
      select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = any(array['history', 'history_first']::regclass[]) and contype = 'p'`.execute(db());
    const definition = 'PRIMARY KEY (account_id, request_id, checked_at)';
    expect(rows).to.have.deep.members([
      { table: 'history', definition },
      { table: 'history_first', definition },
    ]);
    const { rows: left } = await sql`
      select conrelid::regclass from pg_constraint where conname = 'before_partitions'
      union all select to_regclass('history_key') where to_regclass('history_key') is not null`.execute(db());
    expect(left, 'what only the change of places needs').to.deep.equal([]);
    const names = (await list(db())).filter(({ table }) => table === 'history').map(({ name }) => name);
    expect(names[0]).to.equal('history_first');
    expect(names.length).to.be.above(1);
  }

  it('keeps all that was in it, and takes in what comes after', async () => {
    const before = await points();
    expect(before.length).to.equal(20);
    await migrate(migrating(), silentLog);
    expect(await points()).to.deep.equal(before);
    await expectPartitioned();
    for (const chunk of await windows.queuedOf(accountId)) await windows.settle(chunk);
    expect((await points()).length).to.equal(60);
    await windows.expectWhole(accountId);
    const { log, lines } = captureLog();
    await migrate(migrating(), log);
    expect(lines.join('')).not.to.match(/artition|Index/);
  });

  it('is made so once by two migrations at the same time', async () => {
    const { log, lines } = captureLog();
    await Promise.all([migrate(migrating(), log), migrate(migrating(), log), migrate(migrating(), log)]);
    const said = lines.map((line) => JSON.parse(line).message);
    expect(said.filter((one) => one === 'Table history is partitioned')).to.have.lengthOf(1);
    expect(said.filter((one) => one === 'Index history_key is made')).to.have.lengthOf(1);
    await expectPartitioned();
  });

  it('goes on where somebody died: a key that is not valid is made anew, a bound that is proved is kept', async () => {
    await sql`create unique index history_key on history (account_id, request_id, checked_at)`.execute(db());
    if (!isCluster)
      await sql`update pg_index set indisvalid = false where indexrelid = 'history_key'::regclass`.execute(
        db(),
      );
    const until = (Math.floor((await currentId(db())) / idsPerDay) + 20) * idsPerDay;
    await sql`
      alter table history
      add constraint before_partitions check (checked_at < ${boundAt('history', until)})`.execute(db());
    await migrate(migrating(), silentLog);
    await expectPartitioned();
    const [first] = (await list(db())).filter(({ table }) => table === 'history');
    expect(first?.to).to.equal(until);
  });
});
