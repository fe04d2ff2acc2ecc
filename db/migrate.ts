import { promises as fs } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileMigrationProvider, Migrator } from 'kysely/migration';
import type { Log } from '../log.ts';
import { connect, type Db } from './connect.ts';
import { type BossOptions, createBoss, ensureQueues } from './queue.ts';

const migrationFolder = fileURLToPath(new URL('./migrations', import.meta.url));

export interface MigrateOptions {
  /** Past a pooler: the lock belongs to a session. */
  directUrl: string;
  backend: BossOptions['backend'];
}

/**
 * Brings our schema, pg-boss's own and the queues up to date. Two processes at once are safe: one works, the
 * other waits.
 */
export async function migrate(config: MigrateOptions, log: Log): Promise<void> {
  const onError = (error: Error) => log.error('A migration lost its connection', { error });
  const { db, close } = connect(config.directUrl, 2, onError);
  try {
    const { error, results = [] } = await migratorFor(db).migrateToLatest();
    for (const { migrationName, status } of results) log.info(`Migration ${migrationName}: ${status}`);
    if (error) throw error;
  } finally {
    await close();
  }
  await migrateQueue(config, onError);
  log.info('The database is up to date');
}

/** Names of the migrations that this code brings and the database lacks; empty when all is well. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const migrations = await migratorFor(db).getMigrations();
  return migrations.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
}

function migratorFor(db: Db): Migrator {
  return new Migrator({ db, provider: new FileMigrationProvider({ fs, path, migrationFolder }) });
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
