import type { PgBoss } from 'pg-boss';
import { type BossOptions, createBoss } from '../../db/queue/queue.ts';

/** The error of Postgres for connections to a database that is dropped. */
const adminShutdown = '57P01';

/**
 * Creates a queue client for a test, not started. A pool reports its end before its connections are closed, so one may
 * still be open when the database is dropped. That error is ignored, others are thrown.
 */
export function createTestBoss(options: BossOptions): PgBoss {
  const boss = createBoss(options);
  boss.on('error', (error: Error & { code?: string }) => {
    if (error.code !== adminShutdown) throw error;
  });
  return boss;
}
