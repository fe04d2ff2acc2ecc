import type pg from 'pg';
import type { Db as BossDb } from 'pg-boss';
import { connect } from '../postgres/connect.ts';
import { type BossOptions, createBoss, ensureQueues } from './queue.ts';

/**
 * Brings pg-boss's own tables and our queues up to date, on connections of its own. Gives up a lock that it does not
 * get within `lockMs` (isContention); what was done until then stays, and the next call goes on. Errors: the
 * database's own.
 */
export async function migrateQueue(
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
