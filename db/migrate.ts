import { promises as fs } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileMigrationProvider, Migrator } from 'kysely/migration';
import { type DatabaseConfig, readDatabaseConfig, readLogConfig } from '../config.ts';
import { createLog, type Log } from '../log.ts';
import { exitOnConfigError } from '../process.ts';
import { connect, type Db } from './connect.ts';
import { createBoss, ensureQueues } from './queue.ts';

const migrationFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * Brings our schema, pg-boss's own and the queues up to date. Two processes at once are safe: one works, the other
 * waits. Needs a direct connection, since the lock belongs to a session.
 */
export async function migrate(config: DatabaseConfig, log: Log): Promise<void> {
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

async function migrateQueue(config: DatabaseConfig, onError: (error: Error) => void): Promise<void> {
  const boss = createBoss({ url: config.directUrl, backend: config.backend, max: 2, role: 'migrate' });
  boss.on('error', onError);
  await boss.start();
  try {
    await ensureQueues(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}

if (import.meta.main) {
  await exitOnConfigError(async () => {
    await migrate(readDatabaseConfig(process.env), createLog(readLogConfig(process.env)));
  });
}
