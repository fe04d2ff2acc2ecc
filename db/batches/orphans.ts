import { sql } from 'kysely';
import { type CheckType, checkTypeNames } from '../../schemas/check-types.ts';
import type { DeliveryRef } from '../notifications/deliveries.ts';
import type { Db } from '../postgres/connect.ts';
import { deliveryQueue, queueOf } from '../queue/queue.ts';
import type { ChunkRef } from './chunks.ts';

/** An unfinished chunk whose job will never run again; one that waits has none to lose. */
export interface OrphanedChunk extends ChunkRef {
  type: CheckType;
  jobId: string;
  /** True when the job was tried as often as it may be; false when it is just gone. */
  isOutOfRetries: boolean;
}

/** A pending delivery whose job is gone. */
export interface OrphanedDelivery extends DeliveryRef {
  /** The job that is gone; null where it never had one. */
  jobId: string | null;
}

const liveStates = sql`('created', 'retry', 'active')`;

/**
 * At most `limit` of them, oldest first. Chunks of a type that this process does not know are left to those
 * that do: it could not tell in which queue to look for their jobs.
 */
export async function findChunks(db: Db, limit: number): Promise<OrphanedChunk[]> {
  // First the chunks of all accounts, then their jobs: the two are not on one machine of a cluster.
  const { rows } = await sql<OrphanedChunk>`
    with unsettled as materialized (
      select account_id, batch_id, chunk_id, chunks.type, queue, job_id, created_at
      from chunks
      join unnest(${[...checkTypeNames]}::text[], ${checkTypeNames.map(queueOf)}::text[]) as known (type, queue)
        on known.type = chunks.type
      where settled < size and job_id is not null)
    select account_id, batch_id, chunk_id, type, job_id,
      coalesce(job.state::text = 'failed', false) as is_out_of_retries
    from unsettled left join pgboss.job on job.name = unsettled.queue and job.id = unsettled.job_id
    where job.id is null or job.state::text not in ${liveStates}
    order by unsettled.created_at limit ${limit}`.execute(db);
  return rows;
}

/** At most `limit` of them, the longest due first. */
export async function findDeliveries(db: Db, limit: number): Promise<OrphanedDelivery[]> {
  const { rows } = await sql<OrphanedDelivery>`
    with pending as materialized (
      select account_id, event_id, job_id, next_attempt_at from deliveries where state = 'pending')
    select account_id, event_id, job_id from pending
    left join pgboss.job on job.name = ${deliveryQueue} and job.id = pending.job_id
    where job.id is null or job.state::text not in ${liveStates}
    order by pending.next_attempt_at limit ${limit}`.execute(db);
  return rows;
}
