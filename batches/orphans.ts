import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { uncounted } from '../accounts/allowance.ts';
import * as chunks from '../db/batches/chunks.ts';
import * as items from '../db/batches/items.ts';
import type { OrphanedChunk } from '../db/batches/orphans.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { enqueueChunks } from '../db/queue/queue.ts';
import { record } from './record.ts';

/** Gives a chunk whose job is gone a new job in its old turn. False when somebody else did so first. */
export async function reenqueue(trx: Trx, boss: PgBoss, orphan: OrphanedChunk): Promise<boolean> {
  const jobId = randomUUID();
  if (!(await chunks.replaceJob(trx, orphan, jobId))) return false;
  await enqueueChunks(boss, trx, orphan.type, [{ ...orphan, jobId }]);
  return true;
}

/**
 * Fails what is left of a chunk that killed its workers again and again, with refunds; nobody is blamed for it.
 * Answers how many items.
 */
export async function abandon(trx: Trx, boss: PgBoss, orphan: OrphanedChunk): Promise<number> {
  const lost = await chunks.unsettledOf(trx, orphan);
  const failed = lost.map((input) => items.failedItem(input, 'checker_failed'));
  return (await record(trx, { boss, allowance: uncounted }, orphan, failed)).inserted;
}
