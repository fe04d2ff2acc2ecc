import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Db } from '../../db/postgres/connect.ts';
import { jobChannel, queueOf } from '../../db/queue/queue.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import { eventually } from './eventually.ts';
import type { Answer, TestService } from './service.ts';

/** Makes the waiting jobs of a queue due, or one of them, and wakes the workers. */
export async function makeJobsDue(db: Db, queue: string, jobId?: string): Promise<void> {
  await sql`update pgboss.job set start_after = now()
    where name = ${queue} and state < 'active' and id = coalesce(${jobId ?? null}::uuid, id)`.execute(db);
  await sql`select pg_notify(${jobChannel}, ${queue})`.execute(db);
}

/**
 * Makes the next job of a queue due. Returns the seconds that were skipped; 0 if a job was already due or no job waits.
 */
export async function moveToNextJob(db: Db, queue: string): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from min(start_after) - now())::float8 as seconds from pgboss.job
    where name = ${queue} and state < 'active'`.execute(db);
  const seconds = rows[0]?.seconds ?? 0;
  if (seconds <= 0) return 0;
  await sql`update pgboss.job set start_after = start_after - ${seconds} * interval '1 second'
    where name = ${queue} and state < 'active'`.execute(db);
  await sql`select pg_notify(${jobChannel}, ${queue})`.execute(db);
  return seconds;
}

/** Waits until a batch has ended, skips its pauses, and returns it with its results. */
export async function endedWithoutPauses(
  service: TestService,
  token: string,
  { batch_id: batchId, type }: { batch_id: string; type: CheckType },
  onMove: (seconds: number) => void = () => {},
): Promise<Answer['body']> {
  return eventually(async () => {
    const rows = service.db.selectFrom('batches').select('completedAt').where('batchId', '=', batchId);
    // The API is called once, since all results are checked against the document.
    if ((await rows.executeTakeFirst())?.completedAt)
      return (await service.call(`/batch/${batchId}`, { token })).body;
    onMove(await moveToNextJob(service.db, queueOf(type)));
    return null;
  });
}

/**
 * Makes the jobs of a queue due again after its last worker was killed. Otherwise, pg-boss detects this only after up
 * to fifteen seconds.
 */
export async function replaceLostWorker(db: Db, boss: PgBoss, queue: string): Promise<void> {
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour'
    where name = ${queue} and state = 'active'`.execute(db);
  await sql`update pgboss.queue set monitor_claim_on = null, monitor_on = null where name = ${queue}`.execute(
    db,
  );
  await boss.supervise(queue);
  await makeJobsDue(db, queue);
}
