import type { PgBoss } from 'pg-boss';
import type { Allowance, UnpaidWork } from '../accounts/allowance.ts';

import * as batches from '../db/batches/batches.ts';
import type { NewItem } from '../db/batches/items.ts';
import * as outcomes from '../db/batches/outcomes.ts';
import * as spending from '../db/ledger/token-spending.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { enqueueRun } from '../db/queue/queue.ts';
import { owe } from '../webhooks/owe.ts';
import * as window from './window.ts';

export interface Recorded {
  /** Items that had no outcome before; what others recorded first is not touched, counted or refunded. */
  inserted: number;
  /** True when the batch has ended, now or earlier. */
  isOver: boolean;
}

/** Dependencies of settling. */
export interface Till {
  boss: PgBoss;
  allowance: Pick<Allowance, 'spend'>;
}

/** How outcomes have come about, where that makes a difference. */
export interface Circumstances {
  /** How long the job that brought them had been due when it was taken up; missing where none brought them. */
  waitedMs?: window.WaitedMs;
  /** They are the rest, which will not be checked: what that adds to the allowance. */
  canceled?: UnpaidWork;
}

/**
 * Records outcomes of a batch: inserts them, advances the counters, refunds the failed ones, enqueues the account's
 * next chunks for those that have come to their end and, if these were the last, ends the batch, owes its delivery and
 * lets its run go on, all in the caller's transaction.
 */
export async function record(
  trx: Trx,
  { boss, allowance }: Till,
  { accountId, batchId }: batches.BatchRef,
  items: NewItem[],
  { waitedMs = null, canceled }: Circumstances = {},
): Promise<Recorded> {
  const isCanceled = canceled !== undefined;
  const batch = await outcomes.record(trx, { accountId, batchId }, items, { isCanceled });
  if (!batch) return { inserted: 0, isOver: true };
  const { inserted, isOver, webhookUrl, type, endedJobs } = batch;
  await window.succeed(trx, boss, { accountId, type }, { endedJobs, waitedMs });
  if (isOver) {
    // After the account's row, as everywhere.
    await allowance.spend(accountId, canceled ?? unpaidAtEnd(batch), trx);
    if (webhookUrl) await owe(trx, boss, { accountId, eventId: batchId, url: webhookUrl });
    const runId = await batches.runOf(trx, { accountId, batchId });
    if (runId) await enqueueRun(boss, trx, { accountId, runId });
  }
  const { tokenId, chargedMonth: month, refunded } = batch;
  // After the account's row, as a charge does.
  if (tokenId !== null && refunded > 0) await spending.giveBack(trx, { tokenId, month }, refunded);
  return { inserted: inserted.length, isOver };
}

/** A receiver's call that no answer pays for. */
function unpaidAtEnd({ webhookUrl, successful, isTest }: outcomes.RecordedOutcomes): UnpaidWork {
  // Of a test it was counted when that was accepted.
  return { deliveries: webhookUrl && successful === 0 && !isTest ? 1 : 0 };
}
