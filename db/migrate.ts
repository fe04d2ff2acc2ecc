import { promises as fs } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { FileMigrationProvider, type MigrationProvider, Migrator } from 'kysely/migration';
import type { Log } from '../log.ts';
import { alone } from './alone.ts';
import { connect, type Db } from './connect.ts';
import { allowSchemaChanges, distribute } from './distribution.ts';
import { writeFirstIds } from './first-ids.ts';
import { makeLateIndexes } from './late-indexes.ts';
import { migrateQueue } from './migrate-queue.ts';
import { type Partitioning, partitionTables } from './partitioning.ts';
import { makeAhead, weekly } from './partitions.ts';
import type { BossOptions } from './queue.ts';
import { type Patience, untilUnlocked, usualPatience } from './unlocked.ts';

const ownFolder = fileURLToPath(new URL('./migrations', import.meta.url));

const shapingLockId = 7_165_322;

export interface MigrateOptions {
  /** Past a pooler: the lock belongs to a session. */
  directUrl: string;
  backend: BossOptions['backend'];
  /** Where the migrations are; by default our own. */
  folder?: string;
  patience?: Patience;
}

/**
 * Brings our schema, pg-boss's own and the queues up to date. Two processes at once are safe: one works, the
 * other waits. Nobody who serves is held up for longer than `patience.lockMs` at a time. Errors: OperatorError when
 * others hold a table to the end; the database's own.
 */
export async function migrate(config: MigrateOptions, log: Log): Promise<void> {
  const { patience = usualPatience } = config;
  const { lockMs } = patience;
  const onError = (error: Error) => log.error('A migration lost its connection', { error });
  // One for the lock, and two for who makes an index and says how far it is.
  const { db, close } = connect(config.directUrl, 3, onError);
  try {
    const isCluster = config.backend === 'citus';
    const migrator = migratorFor(db, config.folder, { lockMs, isCluster });
    await untilUnlocked(() => migrateToLatest(migrator, log), 'A migration', patience, log);
    if (isCluster) {
      const spread = () => distribute(db, lockMs);
      const tables = await untilUnlocked(spread, 'The distribution of tables', patience, log);
      for (const table of tables) log.info(`Table ${table}: distributed`);
    }
    if (config.folder === undefined) {
      const waits = () => log.info('Tables are being shaped by another process, which is waited for');
      const shape = () => shapeTables(db, { isCluster, patience }, log);
      await db.connection().execute((session) => alone(session, shapingLockId, shape, waits));
    }
  } finally {
    await close();
  }
  await untilUnlocked(
    () => migrateQueue({ ...config, lockMs }, onError),
    'A migration of the queue',
    patience,
    log,
  );
  log.info('The database is up to date');
}

/** What takes long where tables are large: indexes and partitions, beside those who serve. */
async function shapeTables(db: Db, options: Partitioning, log: Log): Promise<void> {
  await makeLateIndexes(db, log);
  await partitionTables(db, options, log);
  const ahead = () => makeAhead(db, weekly);
  for (const name of await untilUnlocked(ahead, 'A partition', options.patience, log))
    log.info(`Partition ${name} is made`);
  await writeFirstIds(db);
}

/** Names of the migrations that this code brings and the database lacks; empty when all is well. */
export async function pendingMigrations(db: Db, folder?: string): Promise<string[]> {
  const migrations = await migratorFor(db, folder).getMigrations();
  return migrations.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
}

/** Each in a transaction of its own, so that none holds the tables of another while it waits for its own. */
async function migrateToLatest(migrator: Migrator, log: Log): Promise<void> {
  for (;;) {
    const { error, results = [] } = await migrator.migrateUp();
    for (const { migrationName, status } of results) log.info(`Migration ${migrationName}: ${status}`);
    if (error) throw error;
    if (results.length === 0) return;
  }
}

function migratorFor(db: Db, migrationFolder = ownFolder, haste: Haste = quick): Migrator {
  const provider = new FileMigrationProvider({ fs, path, migrationFolder });
  return new Migrator({ db, provider: hasty(provider, haste) });
}

interface Haste {
  lockMs: number;
  isCluster: boolean;
}

const quick: Haste = { lockMs: usualPatience.lockMs, isCluster: false };

/** Migrations that give up a lock they do not get: whoever comes after them in the line would wait with them. */
function hasty(provider: MigrationProvider, { lockMs, isCluster }: Haste): MigrationProvider {
  return {
    getMigrations: async () => {
      const named = Object.entries(await provider.getMigrations());
      const hurried = named.map(([name, { up }]) => [
        name,
        {
          up: async (db: Db) => {
            await sql`select set_config('lock_timeout', ${String(lockMs)}, true)`.execute(db);
            if (isCluster) await allowSchemaChanges(db);
            await up(db);
          },
        },
      ]);
      return Object.fromEntries(hurried);
    },
  };
}
