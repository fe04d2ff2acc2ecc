import { promises as fs } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import {
  FileMigrationProvider,
  type MigrationProvider,
  type MigrationResultSet,
  Migrator,
} from 'kysely/migration';
import type { Log } from '../log.ts';
import { connect, type Db } from './connect.ts';
import { allowSchemaChanges, distribute } from './distribution.ts';
import { makeLateIndexes } from './late-indexes.ts';
import { type BossOptions, createBoss, ensureQueues } from './queue.ts';
import { isContention } from './trouble.ts';

const ownFolder = fileURLToPath(new URL('./migrations', import.meta.url));

export interface MigrateOptions {
  /** Past a pooler: the lock belongs to a session. */
  directUrl: string;
  backend: BossOptions['backend'];
  /** Where the migrations are; by default our own. */
  folder?: string;
}

/**
 * Brings our schema, pg-boss's own and the queues up to date. Two processes at once are safe: one works, the
 * other waits.
 */
export async function migrate(config: MigrateOptions, log: Log): Promise<void> {
  const onError = (error: Error) => log.error('A migration lost its connection', { error });
  const { db, close } = connect(config.directUrl, 2, onError);
  try {
    const migrator = migratorFor(db, config.folder, config.backend === 'citus');
    const { error, results = [] } = await untilUnlocked(() => migrator.migrateToLatest(), log);
    for (const { migrationName, status } of results) log.info(`Migration ${migrationName}: ${status}`);
    if (error) throw error;
    if (config.backend === 'citus') {
      for (const table of await distribute(db)) log.info(`Table ${table}: distributed`);
    }
    if (config.folder === undefined) await makeLateIndexes(db, log);
  } finally {
    await close();
  }
  await migrateQueue(config, onError);
  log.info('The database is up to date');
}

/** Names of the migrations that this code brings and the database lacks; empty when all is well. */
export async function pendingMigrations(db: Db, folder?: string): Promise<string[]> {
  const migrations = await migratorFor(db, folder).getMigrations();
  return migrations.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
}

function migratorFor(db: Db, migrationFolder = ownFolder, isCluster = false): Migrator {
  const provider = hasty(new FileMigrationProvider({ fs, path, migrationFolder }), isCluster);
  return new Migrator({ db, provider });
}

const lockMs = 2000;
const triesMax = 20;
const pauseMs = 3000;

/** Migrations that give up a lock they do not get: whoever comes after them in the line would wait with them. */
function hasty(provider: MigrationProvider, isCluster: boolean): MigrationProvider {
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

/** Tries again, in a transaction of its own each time, as long as others hold what is to be changed. */
async function untilUnlocked(act: () => Promise<MigrationResultSet>, log: Log): Promise<MigrationResultSet> {
  for (let tries = 1; ; tries++) {
    const done = await act();
    if (!isContention(done.error) || tries === triesMax) return done;
    log.warn('A migration waits for others to let go of a table', { tries });
    await sleep(pauseMs);
  }
}

async function migrateQueue(config: MigrateOptions, onError: (error: Error) => void): Promise<void> {
  const boss = createBoss({ url: config.directUrl, backend: config.backend, max: 2, role: 'migrate' });
  boss.on('error', onError);
  await boss.start();
  try {
    await ensureQueues(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}
