import type { PgBoss } from 'pg-boss';
import { type BossOptions, createBoss } from '../../db/queue/queue.ts';

/** What Postgres says to whoever is in a database that is dropped. */
const endedByAdministrator = '57P01';

/**
 * A queue of a test's own; not yet started. A pool tells that it has ended before its connections have, so one may
 * still be there when the database is dropped, which nobody has to know of; all else goes on being thrown.
 */
export function createTestBoss(options: BossOptions): PgBoss {
  const boss = createBoss(options);
  boss.on('error', (error: Error & { code?: string }) => {
    if (error.code !== endedByAdministrator) throw error;
  });
  return boss;
}
