import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { BatchRef } from './batches.ts';
import type { Db, Trx } from './connect.ts';
import { enqueueDelivery } from './queue.ts';

export interface Delivery extends BatchRef {
  url: string;
  state: 'pending' | 'delivered' | 'failed';
  /** Attempts made so far. */
  attempts: number;
  jobId: string | null;
}

/** How an attempt ended: with a status, or with a word why none came. */
export type AttemptResult = { status: number; error: null } | { status: null; error: string };

/** What follows from an attempt; a delay says when to try again. */
export type Verdict = 'delivered' | 'failed' | { retryAfterSeconds: number };

/** Owes a batch's delivery and enqueues its first attempt, in the transaction that ends the batch. */
export async function owe(trx: Trx, boss: PgBoss, { accountId, batchId, url }: BatchRef & { url: string }) {
  const jobId = await enqueueDelivery(boss, trx, { account_id: accountId, batch_id: batchId });
  await trx.insertInto('deliveries').values({ accountId, batchId, url, jobId }).execute();
}

/** The delivery a job is to attempt; null when it has ended or another job has taken its place. */
export async function begin(
  db: Db,
  { accountId, batchId }: BatchRef,
  jobId: string,
): Promise<Delivery | null> {
  const row = await db
    .selectFrom('deliveries')
    .select(['accountId', 'batchId', 'url', 'state', 'attempts', 'jobId'])
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .where('jobId', '=', jobId)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return row ?? null;
}

/** Puts an attempt on record and, if it is to be repeated, enqueues the next one in the same transaction. */
export async function recordAttempt(
  trx: Trx,
  boss: PgBoss,
  delivery: Delivery,
  attempt: AttemptResult & { durationMs: number },
  verdict: Verdict,
): Promise<void> {
  const { accountId, batchId } = delivery;
  const current = await trx
    .selectFrom('deliveries')
    .select(['attempts', 'state'])
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .where('jobId', '=', delivery.jobId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (current?.state !== 'pending') return;
  const attemptNo = current.attempts + 1;
  await trx
    .insertInto('attempts')
    .values({ accountId, batchId, attemptNo, ...attempt })
    .execute();
  const next =
    typeof verdict === 'string'
      ? { state: verdict, endedAt: sql<Date>`now()`, nextAttemptAt: null, jobId: null }
      : {
          nextAttemptAt: sql<Date>`now() + ${verdict.retryAfterSeconds} * interval '1 second'`,
          jobId: await enqueueDelivery(
            boss,
            trx,
            { account_id: accountId, batch_id: batchId },
            verdict.retryAfterSeconds,
          ),
        };
  await trx
    .updateTable('deliveries')
    .set({ attempts: attemptNo, ...next })
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .execute();
}
