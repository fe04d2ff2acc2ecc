import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { BatchRef } from './batches.ts';
import type { Db, Trx } from './connect.ts';
import { enqueueDelivery } from './queue.ts';

export type DeliveryState = 'pending' | 'delivered' | 'failed';

export interface Delivery extends BatchRef {
  url: string;
  state: DeliveryState;
  /** Attempts made so far, in all and since it was owed or last sent again. */
  attempts: number;
  roundAttempts: number;
  /** When the next attempt is due; null once it has ended. */
  nextAttemptAt: Date | null;
  jobId: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

export interface Attempt {
  attemptNo: number;
  attemptedAt: Date;
  durationMs: number;
  status: number | null;
  error: string | null;
}

/** How an attempt ended: with a status, or with a word why none came. */
export type AttemptResult = { status: number; error: null } | { status: null; error: string };

/** What follows from an attempt; a delay says when to try again. */
export type Verdict = 'delivered' | 'failed' | { retryAfterSeconds: number };

/** Owes a batch's delivery and enqueues its first attempt, in the transaction that ends the batch. */
export async function owe(trx: Trx, boss: PgBoss, { accountId, batchId, url }: BatchRef & { url: string }) {
  const jobId = await enqueueDelivery(boss, trx, { accountId, batchId, url });
  await trx.insertInto('deliveries').values({ accountId, batchId, url, jobId }).execute();
}

/** The delivery a job is to attempt; null when it has ended or another job has taken its place. */
export async function begin(db: Db, ref: BatchRef, jobId: string): Promise<Delivery | null> {
  const delivery = await find(db, ref);
  return delivery?.jobId === jobId && delivery.state === 'pending' ? delivery : null;
}

/** Null when the account has no batch with this id that owes or owed one. */
export async function find(db: Db, { accountId, batchId }: BatchRef): Promise<Delivery | null> {
  const row = await db
    .selectFrom('deliveries')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .executeTakeFirst();
  return row ?? null;
}

export interface DeliveryFilter {
  state?: DeliveryState;
  limit: number;
  offset?: number;
  /** Goes on after this one, at the cost of the first page. */
  after?: { createdAt: Date; batchId: string };
}

/** An account's deliveries, newest first. */
export function list(db: Db, accountId: number, filter: DeliveryFilter): Promise<Delivery[]> {
  return filtered(db, accountId, filter)
    .select(columns)
    .orderBy('createdAt', 'desc')
    .orderBy('batchId', 'desc')
    .limit(filter.limit)
    .offset(filter.offset ?? 0)
    .execute();
}

/** How many there are, counted up to `max`. */
export async function count(
  db: Db,
  accountId: number,
  filter: Omit<DeliveryFilter, 'limit'>,
  max: number,
): Promise<number> {
  const some = filtered(db, accountId, filter).select('batchId').limit(max);
  const { rows } = await db
    .selectFrom(some.as('some'))
    .select(sql<number>`count(*)`.as('rows'))
    .executeTakeFirstOrThrow();
  return rows;
}

/** Every attempt at a delivery, first to last. */
export function attemptsOf(db: Db, { accountId, batchId }: BatchRef): Promise<Attempt[]> {
  return db
    .selectFrom('attempts')
    .select(['attemptNo', 'attemptedAt', 'durationMs', 'status', 'error'])
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .orderBy('attemptNo')
    .execute();
}

/** Puts an attempt on record and, if it is to be repeated, enqueues the next one in the same transaction. */
export async function recordAttempt(
  trx: Trx,
  boss: PgBoss,
  delivery: Delivery,
  attempt: AttemptResult & { durationMs: number },
  verdict: Verdict,
): Promise<void> {
  const current = await lock(trx, delivery);
  if (current?.state !== 'pending' || current.jobId !== delivery.jobId) return;
  const { accountId, batchId } = delivery;
  const attemptNo = current.attempts + 1;
  await trx
    .insertInto('attempts')
    .values({ accountId, batchId, attemptNo, ...attempt })
    .execute();
  const counted = { attempts: attemptNo, roundAttempts: current.roundAttempts + 1 };
  if (typeof verdict === 'string') await end(trx, delivery, counted, verdict);
  else await schedule(trx, boss, delivery, counted, verdict.retryAfterSeconds);
}

/** Sends a delivery again, whatever became of it before, from the beginning of the schedule. Null when there is none. */
export async function resend(trx: Trx, boss: PgBoss, ref: BatchRef): Promise<Delivery | null> {
  const delivery = await lock(trx, ref);
  if (!delivery) return null;
  const { attempts } = delivery;
  await schedule(trx, boss, delivery, { attempts, roundAttempts: 0 }, 0);
  return lock(trx, ref);
}

const columns = [
  'accountId',
  'batchId',
  'url',
  'state',
  'attempts',
  'roundAttempts',
  'nextAttemptAt',
  'jobId',
  'createdAt',
  'endedAt',
] as const;

interface Counted {
  attempts: number;
  roundAttempts: number;
}

async function lock(trx: Trx, { accountId, batchId }: BatchRef): Promise<Delivery | null> {
  const row = await trx
    .selectFrom('deliveries')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

async function end(
  trx: Trx,
  { accountId, batchId }: BatchRef,
  counted: Counted,
  state: 'delivered' | 'failed',
) {
  await trx
    .updateTable('deliveries')
    .set({ ...counted, state, endedAt: sql`now()`, nextAttemptAt: null, jobId: null })
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .execute();
}

async function schedule(
  trx: Trx,
  boss: PgBoss,
  { accountId, batchId, url }: BatchRef & { url: string },
  counted: Counted,
  inSeconds: number,
): Promise<void> {
  const jobId = await enqueueDelivery(boss, trx, {
    accountId,
    batchId,
    url,
    inSeconds,
    isRetry: counted.attempts > 0,
  });
  await trx
    .updateTable('deliveries')
    .set({
      ...counted,
      state: 'pending',
      endedAt: null,
      nextAttemptAt: sql`now() + ${inSeconds} * interval '1 second'`,
      jobId,
    })
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .execute();
}

function filtered(db: Db, accountId: number, { state, after }: Omit<DeliveryFilter, 'limit'>) {
  return db
    .selectFrom('deliveries')
    .where('accountId', '=', accountId)
    .$if(state !== undefined, (query) => query.where('state', '=', state as DeliveryState))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, batch_id) < (${after?.createdAt}, ${after?.batchId}::uuid)`),
    );
}
