import { expect } from 'chai';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { list } from '../../db/partitions.ts';
import { captureLog, silentLog } from '../support/log.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { TestWindows } from '../support/windows.ts';

const migrating = (url: string) => ({
  directUrl: url,
  backend: 'postgres' as const,
  patience: { lockMs: 2000, triesMax: 1000, pauseMs: 200 },
});

describe('tables that are made partitions', () => {
  let windows: TestWindows;

  beforeEach(async () => {
    windows = await TestWindows.open();
    for (const table of ['items', 'chunks']) await makeWhole(windows.records.db, table);
  });

  afterEach(() => windows.close());

  /** The table as it was before there were any, with the ids that can come into use now. */
  async function makeWhole(db: Db, table: string): Promise<void> {
    const { rows } = await sql<{ name: string; definition: string }>`
      select tgname as name, pg_get_triggerdef(oid) as definition from pg_trigger
      where tgrelid = to_regclass(${table}) and not tgisinternal`.execute(db);
    await sql
      .raw(`
      alter table ${table} detach partition ${table}_first;
      drop table ${table};
      alter table ${table}_first rename to ${table};
      do $$ declare name text; begin
        for name in select indexname from pg_indexes where tablename = '${table}' loop
          execute format('alter index %I rename to %I', name, replace(name, '${table}_first', '${table}'));
        end loop;
      end $$`)
      .execute(db);
    for (const { definition } of rows) await sql.raw(definition).execute(db);
    if (table === 'items')
      await sql`alter table items add unique (account_id, batch_id, position)`.execute(db);
  }

  itOnOneServer('wait for whoever holds them, and come again after who died before the end', async () => {
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
    const tired = { ...migrating(url), patience: { lockMs: 2000, triesMax: 2, pauseMs: 20 } };
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
