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
import { isContention } from './postgres/errors.ts';
import { type BossOptions, createBoss, ensureQueues } from './queue/queue.ts';
import { createAhead } from './retention/partitions.ts';

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));
const functionsFolder = fileURLToPath(new URL('./functions', import.meta.url));

const lockId = 7_165_321;

interface MigrateOptions {
  /** URL that does not lead through a pooler, because the lock belongs to a session. */
  directUrl: string;
  backend: BossOptions['backend'];
  /** Folder of the migrations. Default: `db/migrations`. */
  folder?: string;
  lockTimeout?: LockTimeout;
}

/**
 * Updates the SQL functions, the tables, their partitions, the tables of pg-boss, and the queues. Concurrent calls wait
 * for each other. Delays statements of other processes by at most `lockMs` per lock. Throws OperatorError if a table
 * stays locked. Also throws the errors of the database.
 */
export async function migrate(config: MigrateOptions, log: Log): Promise<void> {
  const { directUrl, backend, folder = migrationsFolder } = config;
  const lockTimeout = config.lockTimeout ?? defaultLockTimeout;
  const { lockMs } = lockTimeout;
  const isCluster = backend === 'citus';
  const onError = (error: Error) => log.error('The migration lost its database connection', { error });
  const { db, close } = connect(directUrl, 2, onError);
  const retried = <T>(step: string, run: () => Promise<T>) => retryWhileLocked(run, step, lockTimeout, log);
  try {
    await db.connection().execute(async (session) => {
      // The lock is held until the connection is closed.
      await sql`select pg_advisory_lock(${lockId})`.execute(session);
      const inSchemaChange = (trx: Db) => prepare(trx, { lockMs, isCluster });
      await retried('Loading SQL functions', () => loadFunctions(db, inSchemaChange));
      await retried('The migration', () => migrateToLatest(createMigrator(db, folder, inSchemaChange), log));
      // This step comes after the migrations, because they create the table `chores`.
      await recordFunctions(db);
      if (isCluster) {
        const distributed = await retried('Distributing tables', () => distribute(db, lockMs));
        for (const table of distributed) log.info(`Table ${table}: distributed`);
      }
      for (const name of await retried('Creating partitions', () => createAhead(db)))
        log.info(`Partition ${name}: created`);
    });
  } finally {
    await close();
  }
  await retried('Migrating the queue', () => migrateQueue({ directUrl, backend, lockMs }, onError));
  log.info('The database is up to date');
}

/**
 * Returns the names of missing migrations. If all migrations have run, but the current SQL functions are not loaded,
 * returns `functions`.
 */
export async function pendingMigrations(db: Db, folder = migrationsFolder): Promise<string[]> {
  const migrations = await createMigrator(db, folder).getMigrations();
  const pending = migrations.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
  if (pending.length > 0 || (await hasLoadedFunctions(db))) return pending;
  return ['functions'];
}

/**
 * Returns the name of the chore that records the loading of these functions. The rows of earlier releases stay in
 * `chores`, so that processes of these releases remain ready during an upgrade.
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

/** Sets a short lock timeout, because a lock that waits blocks later statements of other processes. */
async function prepare(
  trx: Db,
  { lockMs, isCluster }: { lockMs: number; isCluster: boolean },
): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(lockMs)}, true)`.execute(trx);
  if (isCluster) await allowSchemaChanges(trx);
}

/**
 * Creates or replaces all functions of `db/functions/`. Runs before the migrations, because triggers use the functions.
 */
async function loadFunctions(db: Db, prepareTransaction: Prepare): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await prepareTransaction(trx);
    // The tables that the functions use may not exist yet.
    await sql`set local check_function_bodies = off`.execute(trx);
    for (const text of Object.values(await readSql(functionsFolder))) await sql.raw(text).execute(trx);
  });
}

/**
 * Runs each migration in its own transaction. So no migration waits for a lock while it holds the locks of another
 * migration.
 */
async function migrateToLatest(migrator: Migrator, log: Log): Promise<void> {
  for (;;) {
    const { error, results = [] } = await migrator.migrateUp();
    for (const { migrationName, status } of results) log.info(`Migration ${migrationName}: ${status}`);
    if (error) throw error;
    if (results.length === 0) return;
  }
}

function createMigrator(db: Db, folder: string, prepareTransaction: Prepare = async () => {}): Migrator {
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

/** Returns the `.sql` files of a folder in alphabetical order, by name without the extension. */
async function readSql(folder: string): Promise<Record<string, string>> {
  const names = (await fs.readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const texts = names.map(async (name) => [
    path.basename(name, '.sql'),
    await fs.readFile(path.join(folder, name), 'utf8'),
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

/** Lock timeout and retries of schema changes. */
interface LockTimeout {
  /**
   * Maximum wait for a lock. Later statements of other processes wait as long. All waits of a transaction together
   * should be shorter than the deadlock timeout of one second. In a deadlock, the migration then fails instead of
   * another transaction.
   */
  lockMs: number;
  /** Maximum number of attempts. Other statements run in the pauses between attempts. */
  attemptsMax: number;
  pauseMs: number;
}

/** All attempts together take a minute and a half. No migration locks more than four tables that are in use. */
const defaultLockTimeout: LockTimeout = { lockMs: 200, attemptsMax: 60, pauseMs: 1300 };

/** Retries a step until it gets its locks. Throws OperatorError after the last attempt. */
async function retryWhileLocked<T>(
  run: () => Promise<T>,
  step: string,
  { lockMs, attemptsMax, pauseMs }: LockTimeout,
  log: Log,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isContention(error)) throw error;
      if (attempt === attemptsMax) throw createLockedError(step, attemptsMax, lockMs, error);
      log.warn(`${step}: waiting for a table lock`, { tries: attempt });
      await sleep(pauseMs);
    }
  }
}

function createLockedError(step: string, attempts: number, lockMs: number, cause: unknown): OperatorError {
  return new OperatorError(
    `${step} failed: a table was locked in all ${attempts} attempts of ${lockMs} ms. Find the long transaction in ` +
      `pg_stat_activity, wait for it or end it, and run npm run migrate again.`,
    { cause },
  );
}

/**
 * Updates the tables of pg-boss and the queues, on separate connections. Throws an error with `isContention` if a lock
 * takes longer than `lockMs`. The caller must then call this again for the remaining changes. Also throws the errors of
 * the database.
 */
async function migrateQueue(
  { directUrl, backend, lockMs }: { directUrl: string; backend: BossOptions['backend']; lockMs: number },
  onError: (error: Error) => void,
): Promise<void> {
  const { pool } = connect(directUrl, 2, onError);
  const db = withLockTimeout(pool, lockMs);
  const boss = createBoss({ url: directUrl, backend, max: 2, role: 'migrate', db });
  boss.on('error', onError);
  try {
    await boss.start();
    await ensureQueues(boss);
  } finally {
    await boss.stop({ graceful: false });
    await pool.end();
  }
}

// pg-boss sets a lock timeout of 30 s. It is replaced by `lockMs`, because all other users of the table would wait for
// 30 s.
const bossTimeout = /^\s*SET LOCAL lock_timeout = \d+;/m;

function withLockTimeout(pool: pg.Pool, lockMs: number): BossDb {
  return {
    executeSql: async (text, values) => {
      const client = await pool.connect();
      try {
        await client.query(`set lock_timeout = ${lockMs}`);
        const done = await client.query(
          text.replace(bossTimeout, `SET LOCAL lock_timeout = ${lockMs};`),
          values,
        );
        client.release();
        return done;
      } catch (error) {
        // The connection is closed, because it may be inside a failed transaction.
        client.release(true);
        throw error;
      }
    },
  };
}
