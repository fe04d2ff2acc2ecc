import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import { startEmbedded } from '../../local/embedded.ts';
import { createLog } from '../../log.ts';
import { evenInterrupted } from '../interrupted.ts';

/** A Postgres of the bench's own, with fsync on, whose folder is gone when it is stopped or the bench interrupted. */
export interface Server {
  /** Makes a database, migrates it, and answers its address. */
  create(name: string): Promise<string>;
  /** Writes all that is in memory, so that nobody does in the middle of what is measured. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

const settings = [
  'shared_buffers=1GB',
  'max_wal_size=8GB',
  'checkpoint_timeout=30min',
  'effective_cache_size=8GB',
  // What is loaded into a table that the same transaction has made is not written twice.
  'wal_level=minimal',
  'max_wal_senders=0',
];

export async function startServer(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-stored-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const postgres = await startEmbedded(folder, { settings }).catch(async (error) => {
    await remove();
    throw error;
  });
  const stop = evenInterrupted(async () => {
    await postgres.stop();
    await remove();
  });
  const asAdmin = async (statement: string) => {
    const client = new pg.Client({ connectionString: postgres.adminUrl });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  return {
    create: async (name) => {
      await asAdmin(`create database ${name} owner sonde`);
      const url = new URL(postgres.url);
      url.pathname = `/${name}`;
      await migrate(
        { directUrl: url.href, backend: 'postgres' },
        createLog({ level: 'error', format: 'json' }),
      );
      return url.href;
    },
    settle: () => asAdmin('checkpoint'),
    stop,
  };
}
