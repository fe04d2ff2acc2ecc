import { expect } from 'chai';
import { sql } from 'kysely';
import { migrate } from '../../db/migrate.ts';
import { list } from '../../db/partitions.ts';
import type { BossOptions } from '../../db/queue.ts';
import { captureLog, silentLog } from '../support/log.ts';
import { borrowEmptyDatabase, isCluster } from '../support/postgres.ts';
import { makeWhole } from '../support/whole-tables.ts';
import { TestWindows } from '../support/windows.ts';

const ours = isCluster ? ('citus' as const) : ('postgres' as const);
const migrating = (url: string, backend: BossOptions['backend'] = ours) => ({
  directUrl: url,
  backend,
  patience: { lockMs: 2000, triesMax: 1000, pauseMs: 200 },
});

describe('tables that are made partitions', () => {
  let windows: TestWindows;

  beforeEach(async () => {
    windows = await TestWindows.open();
    for (const table of ['items', 'chunks'] as const) await makeWhole(windows.records.db, table);
  });

  afterEach(() => windows.close());

  it('wait for whoever holds them, and come again after who died before the end', async () => {
    const { db, url } = windows.records;
    const accountId = await windows.records.account(100);
    await windows.submit(accountId, 30);
    const held = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    const holder = db.transaction().execute(async (trx) => {
      await sql`select from items`.execute(trx);
      holding.resolve();
      await held.promise;
    });
    await holding.promise;
    const { log, lines } = captureLog();
    const tired = { ...migrating(url), patience: { lockMs: 500, triesMax: 2, pauseMs: 20 } };
    const error = await migrate(tired, log).catch((thrown: Error) => thrown);
    expect(String(error)).to.match(/partitioning of items was not made: in 2 tries/);
    expect(lines.join(''))
      .to.match(/Table chunks is partitioned/)
      .and.not.match(/Table items is partitioned/);
    await windows.submit(accountId, 30);
    held.resolve();
    await holder;
    await migrate(migrating(url), silentLog);
    expect((await list(db)).map(({ name }) => name)).to.include('items_first');
    for (const chunk of await windows.queuedOf(accountId)) await windows.settle(chunk);
    await windows.expectWhole(accountId);
  });
});

describe('partitions of a database that was one Postgres', () => {
  (isCluster ? it : it.skip)('are spread over a cluster with all they hold', async () => {
    const borrow = async () => {
      const database = await borrowEmptyDatabase();
      await migrate(migrating(database.url, 'postgres'), silentLog);
      return database;
    };
    const windows = await TestWindows.open({ borrow });
    try {
      const { db, url } = windows.records;
      const accountId = await windows.records.account(100);
      await windows.submit(accountId, 30);
      const [first, ...rest] = await windows.queuedOf(accountId);
      if (first) await windows.settle(first);
      const before = await list(db);
      await migrate(migrating(url), silentLog);
      expect(await list(db)).to.deep.equal(before);
      const { rows } = await sql<{ name: string }>`
        select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
        where relispartition`.execute(db);
      expect(rows.map(({ name }) => name)).to.have.members(before.map(({ name }) => name));
      for (const chunk of rest) await windows.settle(chunk);
      await windows.expectWhole(accountId);
      const { log, lines } = captureLog();
      await migrate(migrating(url), log);
      expect(lines.join('')).not.to.match(/distributed|artition/);
    } finally {
      await windows.close();
    }
  });
});
