import type { PgBoss } from 'pg-boss';
import * as batches from '../db/batches/batches.ts';
import * as chunks from '../db/batches/chunks.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { enqueueChunks } from '../db/queue/queue.ts';
import type { ItemError } from '../schemas/failures.ts';
import * as window from './window.ts';

/** The rest of a chunk, to be carried on by another job. */
export interface Rest {
  nextJobId: string;
  /** 0 where it is to go on at once. */
  startAfterSeconds: number;
  /** The failure that it waits to be over, which the batch then shows; null for any other pause. */
  waitingFor: ItemError | null;
}

/**
 * Hands what is left of a chunk to another job, in the caller's transaction; nothing, when a third one has taken its
 * place. One that is put off makes room for others of its account meanwhile, as one that has ended does.
 */
export async function handOver(
  trx: Trx,
  boss: PgBoss,
  work: chunks.Work,
  { nextJobId: jobId, startAfterSeconds, waitingFor }: Rest,
  waitedMs: window.WaitedMs,
): Promise<void> {
  if (!(await chunks.handOver(trx, work, jobId))) return;
  const { accountId, batchId, chunkId, turn, type } = work;
  if (waitingFor) await batches.setWaiting(trx, work, waitingFor, startAfterSeconds);
  if (startAfterSeconds > 0) await window.succeed(trx, boss, { accountId, type }, { endedJobs: 1, waitedMs });
  await enqueueChunks(boss, trx, type, [{ jobId, accountId, batchId, chunkId, turn, startAfterSeconds }]);
}
