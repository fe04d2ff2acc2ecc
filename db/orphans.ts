import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { BatchType } from '../schemas/batch.ts';
import type { ChunkRef } from './chunks.ts';
import * as chunks from './chunks.ts';
import { type Db, inTransaction, type Trx } from './connect.ts';
import * as items from './items.ts';
import { chunkQueues, deliveryQueue, enqueueChunks, enqueueDelivery } from './queue.ts';
import * as turns from './turns.ts';

/** An unfinished chunk whose job will never run again. */
export interface OrphanedChunk extends ChunkRef {
  type: BatchType;
  turn: number;
  jobId: string;
  /** True when the job was tried as often as it may be; false when it is just gone. */
  isOutOfRetries: boolean;
}

export interface OrphanedDelivery {
  accountId: number;
  batchId: string;
  jobId: string | null;
}

const liveStates = sql`('created', 'retry', 'active')`;

/** At most `limit` of them, oldest first. */
export async function findChunks(db: Db, limit: number): Promise<OrphanedChunk[]> {
  const queueOf = sql`case chunks.type when 'http' then ${chunkQueues.http} when 'index' then ${chunkQueues.index}
    else ${chunkQueues.keyword} end`;
  const { rows } = await sql<OrphanedChunk>`
    select chunks.account_id, chunks.batch_id, chunk_id, chunks.type, first_turn + ordinal as turn, chunks.job_id,
      coalesce(job.state::text = 'failed', false) as is_out_of_retries
    from chunks
    join batches using (account_id, batch_id)
    left join pgboss.job on job.name = ${queueOf} and job.id = chunks.job_id
    where chunks.settled < chunks.size and batch_id is not null
      and (job.id is null or job.state::text not in ${liveStates})
    order by chunks.created_at limit ${limit}`.execute(db);
  return rows;
}

/** Gives an orphaned chunk a new job in its old turn. False when somebody else did so first. */
export function reenqueue(db: Db, boss: PgBoss, orphan: OrphanedChunk): Promise<boolean> {
  const { accountId, batchId, chunkId, type, turn, jobId: lostJobId } = orphan;
  return inTransaction(db, async (trx) => {
    const jobId = randomUUID();
    const { numUpdatedRows } = await trx
      .updateTable('chunks')
      .set({ jobId })
      .where('accountId', '=', accountId)
      .where('chunkId', '=', chunkId)
      .where('jobId', '=', lostJobId)
      .whereRef('settled', '<', 'size')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await enqueueChunks(boss, trx, type, [{ jobId, accountId, batchId, chunkId, turn }]);
    return true;
  });
}

/** Fails what is left of a chunk that killed its workers again and again, with refunds. Answers how many items. */
export function abandon(db: Db, boss: PgBoss, orphan: OrphanedChunk): Promise<number> {
  return inTransaction(db, async (trx) => {
    const lost = await chunks.unsettled(trx, orphan, orphan.chunkId);
    const failed = lost.map((input) => items.failedItem(input, 'checker_failed'));
    return (await items.record(trx, boss, orphan, failed)).inserted;
  });
}

/** Pending deliveries whose job is gone; at most `limit`. */
export async function findDeliveries(db: Db, limit: number): Promise<OrphanedDelivery[]> {
  const { rows } = await sql<OrphanedDelivery>`
    select account_id, batch_id, job_id from deliveries
    left join pgboss.job on job.name = ${deliveryQueue} and job.id = deliveries.job_id
    where deliveries.state = 'pending' and (job.id is null or job.state::text not in ${liveStates})
    order by deliveries.next_attempt_at limit ${limit}`.execute(db);
  return rows;
}

/** Gives a delivery a new job, due when the lost one was. False when somebody else did so first. */
export function reenqueueDelivery(db: Db, boss: PgBoss, orphan: OrphanedDelivery): Promise<boolean> {
  const { accountId, batchId, jobId } = orphan;
  return inTransaction(db, async (trx) => {
    const due = await lockDue(trx, orphan);
    if (due === null) return false;
    const turn = await turns.take(trx, accountId, deliveryQueue, 1);
    const nextJobId = await enqueueDelivery(boss, trx, { accountId, batchId, turn, ...due });
    const { numUpdatedRows } = await trx
      .updateTable('deliveries')
      .set({ jobId: nextJobId })
      .where('accountId', '=', accountId)
      .where('batchId', '=', batchId)
      .where('jobId', 'is not distinct from', jobId)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

/** Where to and in how many seconds; null when it has ended or has another job by now. */
async function lockDue(
  trx: Trx,
  { accountId, batchId, jobId }: OrphanedDelivery,
): Promise<{ url: string; inSeconds: number } | null> {
  const row = await trx
    .selectFrom('deliveries')
    .select('url')
    .select(sql<number>`greatest(0, ceil(extract(epoch from next_attempt_at - now())))::int`.as('inSeconds'))
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .where('state', '=', 'pending')
    .where('jobId', 'is not distinct from', jobId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}
