import { createHash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { type MigrationProvider, Migrator } from 'kysely/migration';
import type pg from 'pg';
import type { Db as BossDb } from 'pg-boss';
import type { Log } from '../process/log.ts';
import { OperatorError } from '../process/operator-error.ts';
import { connect, type Db } from './postgres/connect.ts';
import { allowSchemaChanges, distribute } from './postgres/distribution.ts';
import { isContention } from './postgres/trouble.ts';
import { type BossOptions, createBoss, ensureQueues } from './queue/queue.ts';
import { makeAhead, weekly } from './retention/partitions.ts';

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));
const functionsFolder = fileURLToPath(new URL('./functions', import.meta.url));

const lockId = 7_165_321;

export interface MigrateOptions {
  /** Past a pooler: the lock belongs to a session. */
  directUrl: string;
  backend: BossOptions['backend'];
  /** Folder of the migrations; by default our own. */
  folder?: string;
  patience?: Patience;
}

/**
 * Brings the SQL functions, our tables, their partitions, pg-boss's tables and the queues up to date. Of two processes
 * at once, the second waits for the first. No statement of another process waits longer than `patience.lockMs` behind
 * it. Errors: OperatorError when others hold a table to the end; the database's own.
 */
export async function migrate(config: MigrateOptions, log: Log): Promise<void> {
  const { directUrl, backend, folder = migrationsFolder, patience = usualPatience } = config;
  const { lockMs } = patience;
  const isCluster = backend === 'citus';
  const onError = (error: Error) => log.error('A migration lost its connection', { error });
  const { db, close } = connect(directUrl, 2, onError);
  const unlocked = <T>(what: string, act: () => Promise<T>) => untilUnlocked(act, what, patience, log);
  try {
    await db.connection().execute(async (session) => {
      // Held until the connection is closed.
      await sql`select pg_advisory_lock(${lockId})`.execute(session);
      const inSchemaChange = (trx: Db) => prepare(trx, { lockMs, isCluster });
      await unlocked('A change of functions', () => loadFunctions(db, inSchemaChange));
      await unlocked('A migration', () => migrateToLatest(migratorFor(db, folder, inSchemaChange), log));
      // The table exists only after the migrations.
      await recordFunctions(db);
      if (isCluster) {
        const distributed = await unlocked('The distribution of tables', () => distribute(db, lockMs));
        for (const table of distributed) log.info(`Table ${table}: distributed`);
      }
      for (const name of await unlocked('A partition', () => makeAhead(db, weekly)))
        log.info(`Partition ${name} is made`);
    });
  } finally {
    await close();
  }
  await unlocked('A migration of the queue', () => migrateQueue({ directUrl, backend, lockMs }, onError));
  log.info('The database is up to date');
}

/**
 * Names of the migrations that this code brings and the database lacks. If only its SQL functions were never loaded,
 * this is `functions`.
 */
export async function pendingMigrations(db: Db, folder = migrationsFolder): Promise<string[]> {
  const migrations = await migratorFor(db, folder).getMigrations();
  const pending = migrations.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
  if (pending.length > 0 || (await hasLoadedFunctions(db))) return pending;
  return ['functions'];
}

/**
 * Name of the row that records these functions. Rows of earlier releases stay, so that their processes remain ready
 * during an upgrade.
 */
async function functionsChore(): Promise<string> {
  const texts = await readSql(functionsFolder);
  return `functions ${createHash('sha256').update(JSON.stringify(texts)).digest('hex')}`;
}

async function recordFunctions(db: Db): Promise<void> {
  const chore = await functionsChore();
  await db
    .insertInto('chores')
    .values({ chore })
    .onConflict((conflict) => conflict.column('chore').doUpdateSet({ doneAt: sql`now()` }))
    .execute();
}

async function hasLoadedFunctions(db: Db): Promise<boolean> {
  const chore = await functionsChore();
  const row = await db.selectFrom('chores').select('chore').where('chore', '=', chore).executeTakeFirst();
  return row !== undefined;
}

type Prepare = (trx: Db) => Promise<void>;

/** Statements queue behind a waiting lock, so a migration gives up a lock that it does not get soon. */
async function prepare(
  trx: Db,
  { lockMs, isCluster }: { lockMs: number; isCluster: boolean },
): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(lockMs)}, true)`.execute(trx);
  if (isCluster) await allowSchemaChanges(trx);
}

/** Creates or replaces every function of `db/functions/`, before the migrations that make triggers of them. */
async function loadFunctions(db: Db, prepareTransaction: Prepare): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await prepareTransaction(trx);
    // Their tables may not exist yet.
    await sql`set local check_function_bodies = off`.execute(trx);
    for (const text of Object.values(await readSql(functionsFolder))) await sql.raw(text).execute(trx);
  });
}

/** Each migration is a transaction of its own, so that none holds the locks of another while it waits for its own. */
async function migrateToLatest(migrator: Migrator, log: Log): Promise<void> {
  for (;;) {
    const { error, results = [] } = await migrator.migrateUp();
    for (const { migrationName, status } of results) log.info(`Migration ${migrationName}: ${status}`);
    if (error) throw error;
    if (results.length === 0) return;
  }
}

function migratorFor(db: Db, folder: string, prepareTransaction: Prepare = async () => {}): Migrator {
  const provider: MigrationProvider = {
    getMigrations: async () => {
      const migrations = Object.entries(await readSql(folder)).map(([name, text]) => {
        const up = async (trx: Db) => {
          await prepareTransaction(trx);
          await sql.raw(text).execute(trx);
        };
        return [name, { up }];
      });
      return Object.fromEntries(migrations);
    },
  };
  return new Migrator({ db, provider });
}

/** Texts of the `.sql` files of a folder, by their names without the extension, in alphabetical order. */
async function readSql(folder: string): Promise<Record<string, string>> {
  const names = (await fs.readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const texts = names.map(async (name) => [
    path.basename(name, '.sql'),
    await fs.readFile(path.join(folder, name), 'utf8'),
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

/** How a change of the schema waits for those who hold what it changes. */
interface Patience {
  /**
   * How long it waits for a lock; statements that come after it wait too. A transaction should wait for all its locks
   * for less than the second after which Postgres resolves a deadlock, so that it is the migration that gives up.
   */
  lockMs: number;
  /** How often it comes back, and after what pause, in which those who waited go through. */
  triesMax: number;
  pauseMs: number;
}

/** A minute and a half at most. No migration waits for more than four tables that others use. */
const usualPatience: Patience = { lockMs: 200, triesMax: 60, pauseMs: 1300 };

/**
 * Acts again, from the beginning each time, as long as others hold what is to be changed. Errors: an OperatorError
 * when they do so to the end; any other as it is thrown.
 */
async function untilUnlocked<T>(
  act: () => Promise<T>,
  what: string,
  { lockMs, triesMax, pauseMs }: Patience,
  log: Log,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (!isContention(error)) throw error;
      if (tries === triesMax) throw stillLocked(what, triesMax, lockMs, error);
      log.warn(`${what} waits for others to let go of a table`, { tries });
      await sleep(pauseMs);
    }
  }
}

function stillLocked(what: string, tries: number, lockMs: number, cause: unknown): OperatorError {
  return new OperatorError(
    `${what} was not made: in ${tries} tries of ${lockMs} ms others did not let go of a table (pg_stat_activity names ` +
      `long transactions). What is up to date stays so; run npm run migrate again.`,
    { cause },
  );
}

/**
 * Brings pg-boss's own tables and our queues up to date, on connections of its own. Gives up a lock that it does not
 * get within `lockMs` (isContention); what was done until then stays, and the next call goes on. Errors: the
 * database's own.
 */
async function migrateQueue(
  { directUrl, backend, lockMs }: { directUrl: string; backend: BossOptions['backend']; lockMs: number },
  onError: (error: Error) => void,
): Promise<void> {
  const { pool } = connect(directUrl, 2, onError);
  const boss = createBoss({ url: directUrl, backend, max: 2, role: 'migrate', db: hasty(pool, lockMs) });
  boss.on('error', onError);
  try {
    await boss.start();
    await ensureQueues(boss);
  } finally {
    await boss.stop({ graceful: false });
    await pool.end();
  }
}

/** In its transactions pg-boss waits for 30 s, and all who want the table after it. */
const ownTimeout = /^\s*SET LOCAL lock_timeout = \d+;/m;

function hasty(pool: pg.Pool, lockMs: number): BossDb {
  return {
    executeSql: async (text, values) => {
      const client = await pool.connect();
      try {
        await client.query(`set lock_timeout = ${lockMs}`);
        const done = await client.query(
          text.replace(ownTimeout, `SET LOCAL lock_timeout = ${lockMs};`),
          values,
        );
        client.release();
        return done;
      } catch (error) {
        // It may be in the middle of a transaction that has failed.
        client.release(true);
        throw error;
      }
    },
  };
}
