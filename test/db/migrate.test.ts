import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type RawBuilder, sql } from 'kysely';
import { getRollbackPlans } from 'pg-boss';
import { migrate, pendingMigrations } from '../../db/migrate.ts';
import { list } from '../../db/retention/partitions.ts';
import { OperatorError } from '../../process/operator-error.ts';
import { eventually } from '../support/eventually.ts';
import { untilWaiting } from '../support/locks.ts';
import { captureLog, silentLog } from '../support/log.ts';
import { isCluster, itOnOneServer } from '../support/postgres.ts';
import { useRecords } from '../support/records.ts';

const folder = fileURLToPath(new URL('../support/migrations', import.meta.url));
const inTurn = fileURLToPath(new URL('../support/migrations-in-turn', import.meta.url));

const retries = { lockMs: 200, attemptsMax: 1000, pauseMs: 50 };

describe('a migration on a running system', () => {
  const records = useRecords({ connections: 4, isForEach: true });
  const backend = isCluster ? ('citus' as const) : ('postgres' as const);
  const options = () => ({ directUrl: records.url, backend, lockTimeout: retries });

  const write = sql`update api_tokens set name = 'x' where token_id = 0`;

  /** Runs a statement in a transaction that ends with `letGo`, after the statement `last`. */
  async function hold(statement: RawBuilder<unknown>, last?: RawBuilder<unknown>) {
    const [held, holding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = records.db.transaction().execute(async (trx) => {
      await statement.execute(trx);
      holding.resolve();
      await held.promise;
      await last?.execute(trx);
    });
    await holding.promise;
    const letGo = () => {
      held.resolve();
      return holder;
    };
    return { letGo };
  }

  itOnOneServer('yields to the holder of a table, and to all statements that wait behind it', async () => {
    const { db } = records;
    await sql`drop table kysely_migration, kysely_migration_lock`.execute(db);
    const { log, lines } = captureLog();
    const { letGo } = await hold(write);
    const migrated = migrate({ directUrl: records.url, backend: 'postgres', folder }, log);
    await untilWaiting(db, 1, '%api_tokens%');
    // Without a lock timeout of the migration, this write would wait until the holder is released.
    await write.execute(db);
    await eventually(async () => (lines.join('').includes('waiting for a table lock') ? true : null));
    expect(await pendingMigrations(db, folder)).to.deep.equal(['0001-index']);
    await letGo();
    await migrated;
    expect(await pendingMigrations(db, folder)).to.deep.equal([]);
  });

  itOnOneServer(
    'releases the tables of an earlier migration, and ends no transaction that it blocks',
    async () => {
      const { db } = records;
      await sql`drop table kysely_migration, kysely_migration_lock`.execute(db);
      // The second migration holds the lock of this row while it waits for our lock.
      const { letGo } = await hold(write, sql`update users set email = 'x' where user_id = 0`);
      const options = { directUrl: records.url, backend: 'postgres' as const, folder: inTurn };
      const migrated = migrate(options, silentLog);
      await untilWaiting(db, 1, '%api_tokens%');
      expect(await pendingMigrations(db, inTurn)).to.deep.equal(['0002-users-and-tokens']);
      await letGo();
      await migrated;
      expect(await pendingMigrations(db, inTurn)).to.deep.equal([]);
    },
  );

  it('replaces changed functions while triggers use them', async () => {
    const { db } = records;
    const definition = sql<{
      text: string;
    }>`select prosrc as text from pg_proc where proname = 'item_is_final'`;
    const { rows: before } = await definition.execute(db);
    await sql`
      create or replace function item_is_final() returns trigger language plpgsql as 'begin return new; end'`.execute(
      db,
    );
    expect((await definition.execute(db)).rows).not.to.deep.equal(before);
    await migrate(options(), silentLog);
    expect((await definition.execute(db)).rows).to.deep.equal(before);
  });

  it('retries functions that another migration is changing', async () => {
    const { db } = records;
    const { log, lines } = captureLog();
    const text = await readFile(new URL('../../db/functions/item_is_final.sql', import.meta.url), 'utf8');
    const holder = await db.startTransaction().execute();
    await sql.raw(text).execute(holder);
    const migrated = migrate(options(), log);
    await eventually(async () => (/functions: waiting for a table lock/.test(lines.join('')) ? true : null));
    await holder.rollback().execute();
    await migrated;
  });

  it('is pending for a release whose functions were never loaded, but not for the previous release', async () => {
    const { db } = records;
    const loaded = sql`delete from chores where chore like 'functions %' returning chore`;
    const { rows } = await loaded.execute(db);
    expect(rows).to.have.lengthOf(1);
    expect(await pendingMigrations(db)).to.deep.equal(['functions']);
    await migrate(options(), silentLog);
    // A function of a later release.
    await sql`insert into chores (chore) values ('functions 1234')`.execute(db);
    expect(await pendingMigrations(db)).to.deep.equal([]);
  });

  it('creates nothing twice when several run at once', async () => {
    const { db } = records;
    const last = (await list(db)).findLast(({ table }) => table === 'items')?.name ?? '';
    await sql`drop table ${sql.table(last)}`.execute(db);
    const { log, lines } = captureLog();
    const said = () => lines.map((line) => JSON.parse(line));
    const migrated = await db.transaction().execute(async (holder) => {
      await sql`select from items`.execute(holder);
      const all = Promise.all([migrate(options(), log), migrate(options(), log), migrate(options(), log)]);
      await eventually(async () => (said().some(({ tries }) => tries === 5) ? true : null));
      return { all };
    });
    await migrated.all;
    expect(said().filter(({ tries }) => tries === 1)).to.have.lengthOf(1);
    const made = said().filter(({ message }) => message.startsWith('Partition'));
    expect(made.map(({ message }) => message)).to.deep.equal([`Partition ${last}: created`]);
  });

  describe('of the queue', () => {
    // Restores the tables of the previous release of pg-boss.
    beforeEach(() => records.pool.query(getRollbackPlans()));

    const read = sql`select from pgboss.queue join pgboss.job using (name)`;

    async function isWaiting(): Promise<true | null> {
      const waiting = sql`select from pg_locks join pg_class on pg_class.oid = relation
        where not granted and relnamespace = 'pgboss'::regnamespace`;
      return (await waiting.execute(records.db)).rows.length > 0 ? true : null;
    }

    async function version(): Promise<number | undefined> {
      const { rows } = await sql<{ version: number }>`select version from pgboss.version`.execute(records.db);
      return rows[0]?.version;
    }

    it('also yields to other statements', async () => {
      const before = Number(await version());
      const { log, lines } = captureLog();
      const { letGo } = await hold(read);
      const migrated = migrate(options(), log);
      await eventually(isWaiting);
      // Waits behind the migration, and succeeds although the holder is not released.
      await read.execute(records.db);
      await eventually(async () =>
        /the queue: waiting for a table lock/.test(lines.join('')) ? true : null,
      );
      expect(await version()).to.equal(before);
      await letGo();
      await migrated;
      expect(await version()).to.equal(before + 1);
    });

    it('fails with an explanation if it cannot get the lock', async () => {
      const { letGo } = await hold(read);
      const failed = migrate({ ...options(), lockTimeout: { ...retries, attemptsMax: 2 } }, silentLog);
      const error = await failed.catch((thrown) => thrown);
      expect(error).to.be.instanceOf(OperatorError);
      expect(error.message).to.match(/^Migrating the queue failed: a table was locked in all 2 attempts/);
      await letGo();
      await migrate(options(), silentLog);
    });
  });
});
