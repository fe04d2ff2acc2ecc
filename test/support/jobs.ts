import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Db, Trx } from '../../db/postgres/connect.ts';
import { channelOfJobs, queueOf } from '../../db/queue/queue.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import { eventually } from './eventually.ts';
import type { Answer, TestService } from './service.ts';

/** Makes what waits in a queue for its time due, or one job of it, and has workers look at once. */
export async function makeJobsDue(db: Db | Trx, queue: string, jobId?: string): Promise<void> {
  await sql`update pgboss.job set start_after = now()
    where name = ${queue} and state < 'active' and id = coalesce(${jobId ?? null}::uuid, id)`.execute(db);
  await sql`select pg_notify(${channelOfJobs}, ${queue})`.execute(db);
}

/**
 * Moves the clock of a queue on to its next job. Returns by how many seconds; 0 when a job is due already, or none
 * waits.
 */
export async function moveToNextJob(db: Db, queue: string): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from min(start_after) - now())::float8 as seconds from pgboss.job
    where name = ${queue} and state < 'active'`.execute(db);
  const seconds = rows[0]?.seconds ?? 0;
  if (seconds <= 0) return 0;
  await sql`update pgboss.job set start_after = start_after - ${seconds} * interval '1 second'
    where name = ${queue} and state < 'active'`.execute(db);
  await sql`select pg_notify(${channelOfJobs}, ${queue})`.execute(db);
  return seconds;
}

/** Answers a batch with its results when it has ended, on a clock that does not stop for its pauses. */
export async function endedWithoutPauses(
  service: TestService,
  token: string,
  { batch_id: batchId, type }: { batch_id: string; type: CheckType },
  onMove: (seconds: number) => void = () => {},
): Promise<Answer['body']> {
  return eventually(async () => {
    const rows = service.db.selectFrom('batches').select('completedAt').where('batchId', '=', batchId);
    // The answer is asked for once: all its results are held to the document.
    if ((await rows.executeTakeFirst())?.completedAt)
      return (await service.call(`/batch/${batchId}`, { token })).body;
    onMove(await moveToNextJob(service.db, queueOf(type)));
    return null;
  });
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
