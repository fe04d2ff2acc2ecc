import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { uncountedAllowance } from '../accounts/allowance.ts';
import { recordBatchOutcomes } from '../batches/record.ts';
import * as singleCheck from '../batches/single-check.ts';
import * as chunks from '../db/batches/chunks.ts';
import * as items from '../db/batches/items.ts';
import * as singleChecks from '../db/batches/single-checks.ts';
import * as deliveries from '../db/notifications/deliveries.ts';
import * as mails from '../db/notifications/mails.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import { findUnderfilled, refill } from '../db/queue/job-windows.ts';
import { enqueueChunks, enqueueDelivery, enqueueMailJob } from '../db/queue/queue.ts';

export interface SweepResult {
  singleChecksRefunded: number;
  chunksReenqueued: number;
  itemsFailed: number;
  /** Waiting chunks that were enqueued because the job window of their account was not full. */
  chunksEnqueued: number;
  deliveriesReenqueued: number;
  mailsReenqueued: number;
}

const orphansMax = 500;
const windowsMax = 500;

/**
 * Repairs the work of crashed processes. Each repair has its own transaction. Passes errors to `failed` and continues.
 */
export async function sweepOrphans(
  db: Db,
  boss: PgBoss,
  failed: (error: unknown) => void,
): Promise<SweepResult> {
  const repairEach = async <T>(
    found: T[],
    repair: (trx: Trx, orphan: T) => Promise<number | boolean>,
  ): Promise<number> => {
    let count = 0;
    for (const orphan of found) {
      try {
        count += Number(await inTransaction(db, (trx) => repair(trx, orphan)));
      } catch (error) {
        failed(error);
      }
    }
    return count;
  };

  const singleChecksRefunded = await repairEach(
    await singleChecks.findOrphans(db, orphansMax),
    (trx, check) => singleCheck.refundCheck(trx, check, 'checker_failed'),
  );
  const orphanedChunks = await chunks.findOrphanedChunks(db, orphansMax);
  const outOfRetries = orphanedChunks.filter(({ isOutOfRetries }) => isOutOfRetries);
  const itemsFailed = await repairEach(outOfRetries, (trx, orphan) => failChunk(trx, boss, orphan));
  const withoutJob = orphanedChunks.filter(({ isOutOfRetries }) => !isOutOfRetries);
  const chunksReenqueued = await repairEach(withoutJob, (trx, orphan) => reenqueueChunk(trx, boss, orphan));
  const chunksEnqueued = await repairEach(await findUnderfilled(db, windowsMax), (trx, window) =>
    refill(trx, boss, window),
  );
  const deliveriesReenqueued = await repairEach(
    await deliveries.findOrphanedDeliveries(db, orphansMax),
    (trx, orphan) => reenqueueDelivery(trx, boss, orphan),
  );
  const mailsReenqueued = await repairEach(await mails.findOrphanedMails(db, orphansMax), (trx, orphan) =>
    reenqueueMail(trx, boss, orphan),
  );
  return {
    ...{ singleChecksRefunded, chunksReenqueued, itemsFailed, chunksEnqueued },
    ...{ deliveriesReenqueued, mailsReenqueued },
  };
}

/**
 * Fails and refunds the remaining items of a chunk whose job has no retries left. The refunds do not count as unbilled
 * work of the account. Returns the number of items.
 */
async function failChunk(trx: Trx, boss: PgBoss, orphan: chunks.OrphanedChunk): Promise<number> {
  const open = await chunks.listUnsettledOfChunk(trx, orphan);
  const failed = open.map((input) => items.createFailedItem(input, 'checker_failed'));
  return (await recordBatchOutcomes(trx, { boss, allowance: uncountedAllowance }, orphan, failed)).inserted;
}

/** Enqueues a new job for a chunk. Returns false if another process was faster, as do the next two functions. */
async function reenqueueChunk(trx: Trx, boss: PgBoss, orphan: chunks.OrphanedChunk): Promise<boolean> {
  const jobId = randomUUID();
  if (!(await chunks.replaceJob(trx, orphan, jobId))) return false;
  await enqueueChunks(boss, trx, orphan.type, [{ ...orphan, jobId }]);
  return true;
}

/** Enqueues a new job for the same time as the lost job. */
async function reenqueueDelivery(
  trx: Trx,
  boss: PgBoss,
  orphan: deliveries.OrphanedDelivery,
): Promise<boolean> {
  const due = await deliveries.lockDue(trx, orphan);
  if (due === null) return false;
  const jobId = await enqueueDelivery(boss, trx, { ...orphan, ...due });
  await deliveries.update(trx, orphan, { jobId });
  return true;
}

async function reenqueueMail(
  trx: Trx,
  boss: PgBoss,
  { mailId, jobId }: mails.OrphanedMail,
): Promise<boolean> {
  const mail = await mails.lock(trx, mailId);
  if (mail?.state !== 'pending' || mail.jobId !== jobId) return false;
  const job = { mailId, accountId: mail.accountId ?? 0, inSeconds: 0 };
  await mails.update(trx, mailId, { jobId: await enqueueMailJob(boss, trx, job) });
  return true;
}
