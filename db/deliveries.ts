import { sql, type UpdateObject } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { BatchRef } from './batches.ts';
import type { Db, Trx } from './connect.ts';
import { deliveryQueue, enqueueDelivery } from './queue.ts';
import type { DB } from './tables.ts';
import * as turns from './turns.ts';

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

/** The id a receiver knows a delivery by, the same for every attempt and resend (Standard Webhooks, `webhook-id`). */
export function messageId(batchId: string): string {
  return `msg_${batchId}`;
}

/** Owes a batch's delivery and enqueues its first attempt, in the transaction that ends the batch. */
export async function owe(trx: Trx, boss: PgBoss, { accountId, batchId, url }: BatchRef & { url: string }) {
  const jobId = await enqueue(trx, boss, { accountId, batchId, url }, 0);
  await trx.insertInto('deliveries').values({ accountId, batchId, url, jobId }).execute();
}

/** The delivery a job is to attempt in its turn; null when it has ended or another job has taken its place. */
export async function begin(
  db: Db,
  ref: BatchRef,
  { jobId, turn }: { jobId: string; turn: number },
): Promise<Delivery | null> {
  await turns.serve(db, deliveryQueue, turn);
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
  // In the order of the list: without one Postgres reads the table from its beginning.
  const some = filtered(db, accountId, filter)
    .select('batchId')
    .orderBy('createdAt', 'desc')
    .orderBy('batchId', 'desc')
    .limit(max);
  const { rows } = await db
    .selectFrom(some.as('some'))
    .select(sql<number>`count(*)`.as('rows'))
    .executeTakeFirstOrThrow();
  return rows;
}

/** The last hundred attempts at a delivery, first to last. */
export async function attemptsOf(db: Db, { accountId, batchId }: BatchRef): Promise<Attempt[]> {
  const newest = await db
    .selectFrom('attempts')
    .select(['attemptNo', 'attemptedAt', 'durationMs', 'status', 'error'])
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .orderBy('attemptNo', 'desc')
    .limit(100)
    .execute();
  return newest.reverse();
}

/**
 * Puts an attempt on record and, if it is to be repeated, enqueues the next one in the same transaction. What follows
 * is not for an attempt to say whose delivery was sent again meanwhile: another job decides by now.
 */
export async function recordAttempt(
  trx: Trx,
  boss: PgBoss,
  delivery: Delivery,
  { status, error, durationMs }: AttemptResult & { durationMs: number },
  verdict: Verdict,
): Promise<void> {
  const current = await lock(trx, delivery);
  if (!current) return;
  const { accountId, batchId } = delivery;
  const attempts = current.attempts + 1;
  await trx
    .insertInto('attempts')
    .values({ accountId, batchId, attemptNo: attempts, status, error, durationMs })
    .execute();
  if (current.state !== 'pending' || current.jobId !== delivery.jobId) {
    return update(trx, delivery, { attempts });
  }
  const counted = { attempts, roundAttempts: current.roundAttempts + 1 };
  if (typeof verdict === 'string') {
    const ended = { state: verdict, endedAt: sql<Date>`now()`, nextAttemptAt: null, jobId: null };
    await update(trx, delivery, { ...counted, ...ended });
  } else {
    await schedule(trx, boss, delivery, counted, verdict.retryAfterSeconds);
  }
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

async function schedule(
  trx: Trx,
  boss: PgBoss,
  delivery: BatchRef & { url: string },
  counted: Counted,
  inSeconds: number,
): Promise<void> {
  await update(trx, delivery, {
    ...counted,
    state: 'pending',
    endedAt: null,
    nextAttemptAt: sql<Date>`now() + ${inSeconds} * interval '1 second'`,
    jobId: await enqueue(trx, boss, delivery, inSeconds),
  });
}

/** Each attempt takes a turn of its own, so that one account's thousand dead receivers stand behind each other. */
async function enqueue(
  trx: Trx,
  boss: PgBoss,
  { accountId, batchId, url }: BatchRef & { url: string },
  inSeconds: number,
): Promise<string> {
  const turn = await turns.take(trx, accountId, deliveryQueue, 1);
  return enqueueDelivery(boss, trx, { accountId, batchId, url, turn, inSeconds });
}

async function update(
  trx: Trx,
  { accountId, batchId }: BatchRef,
  values: UpdateObject<DB, 'deliveries'>,
): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set(values)
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
