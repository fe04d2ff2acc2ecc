import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Db, Trx } from '../../db/connect.ts';
import { channelOfJobs } from '../../db/queue.ts';

/** Makes what waits in a queue for its time due, or one job of it, and has workers look at once. */
export async function makeJobsDue(db: Db | Trx, queue: string, jobId?: string): Promise<void> {
  await sql`update pgboss.job set start_after = now()
    where name = ${queue} and state < 'active' and id = coalesce(${jobId ?? null}::uuid, id)`.execute(db);
  await sql`select pg_notify(${channelOfJobs}, ${queue})`.execute(db);
}

/**
 * What else takes up to fifteen seconds after the last worker of a queue has been killed: its silence is noticed, and
 * what it held is due again.
 */
export async function noticeDeath(db: Db, boss: PgBoss, queue: string): Promise<void> {
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour'
    where name = ${queue} and state = 'active'`.execute(db);
  await sql`update pgboss.queue set monitor_claim_on = null, monitor_on = null where name = ${queue}`.execute(
    db,
  );
  await boss.supervise(queue);
  await makeJobsDue(db, queue);
}
