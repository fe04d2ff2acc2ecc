import { sql, type UpdateObject } from 'kysely';
import type { DeliveryState } from '../../schemas/webhook.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type PageParams } from '../postgres/keyset.ts';
import { deliveryQueue, liveJobStates } from '../queue/queue.ts';
import type { DB } from '../tables.ts';
import * as events from './events.ts';

export interface DeliveryRef {
  accountId: number;
  /** Id of the batch that ended, or of a row in `events`. */
  eventId: string;
  /** True finds deliveries of test batches. False finds all other deliveries. If missing, all deliveries are found. */
  isTest?: boolean;
}

/** A webhook for the end of a batch or for another event. */
export interface Delivery extends DeliveryRef {
  /** Event type, such as `batch.completed`. */
  event: string;
  /** The same for every attempt and resend (Standard Webhooks, `webhook-id`). */
  messageId: string;
  /** URL as it was sent. */
  url: string;
  /** A resend sets the state to `pending` again. */
  state: DeliveryState;
  attempts: number;
  /** Number of attempts since the delivery was created or last resent. */
  roundAttempts: number;
  /** Null after the delivery has ended. */
  nextAttemptAt: Date | null;
  /** Job of the next attempt; null after the delivery has ended. A job that finds another id here does nothing. */
  jobId: string | null;
  createdAt: Date;
  /** Null while the delivery is pending. */
  endedAt: Date | null;
}

/**
 * Creates a pending delivery. Call this in the transaction of the job. The database refuses a second delivery of an
 * event.
 */
export async function create(trx: Trx, row: DeliveryRef & { url: string; jobId: string }): Promise<void> {
  await trx.insertInto('deliveries').values(row).execute();
}

/** Returns whether the account's newest delivery is pending. Reads one row, however long the backlog is. */
export async function isNewestPending(trx: Trx, accountId: number): Promise<boolean> {
  const newest = await trx
    .selectFrom('deliveries')
    .select('state')
    .where('accountId', '=', accountId)
    .orderBy('createdAt', 'desc')
    .orderBy('eventId', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.state === 'pending';
}

export async function find(db: Db, ref: DeliveryRef): Promise<Delivery | null> {
  return (await selectDelivery(db, ref).executeTakeFirst()) ?? null;
}

/** Finds a delivery by the message id of its event or batch. */
export async function findByMessage(
  db: Db,
  { accountId, messageId, isTest }: { accountId: number; messageId: string; isTest: boolean },
): Promise<Delivery | null> {
  const event = await events.findByMessage(db, accountId, messageId);
  const eventId =
    event?.eventId ?? /^msg_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(messageId)?.[1];
  return eventId ? find(db, { accountId, eventId, isTest }) : null;
}

export async function lock(trx: Trx, ref: DeliveryRef): Promise<Delivery | null> {
  return (await selectDelivery(trx, ref).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

/**
 * Locks a pending delivery. Returns the URL, and the seconds until the delivery is due. Returns null if the delivery
 * has ended or has another job.
 */
export async function lockDue(
  trx: Trx,
  ref: DeliveryRef & { jobId: string | null },
): Promise<{ url: string; inSeconds: number } | null> {
  const row = await selectDelivery(trx, ref)
    .select(sql<number>`greatest(0, ceil(extract(epoch from next_attempt_at - now())))::int`.as('inSeconds'))
    .where('state', '=', 'pending')
    .where('jobId', 'is not distinct from', ref.jobId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Updates a delivery that the transaction has locked. */
export async function update(
  trx: Trx,
  { accountId, eventId }: DeliveryRef,
  values: UpdateObject<DB, 'deliveries'>,
): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set(values)
    .where('accountId', '=', accountId)
    .where('eventId', '=', eventId)
    .execute();
}

/** `isTest`: true lists deliveries of test batches; false lists all other deliveries. */
type DeliveryFilter = { state?: DeliveryState; isTest?: boolean };
type DeliveryWindow = PageParams<{ createdAt: Date; eventId: string }>;

/** Returns an account's deliveries, newest first. */
export function list(
  db: Db,
  accountId: number,
  filter: DeliveryFilter & DeliveryWindow,
): Promise<Delivery[]> {
  return filtered(db, accountId, filter)
    .selectAll()
    .select(selectEvent(accountId))
    .limit(filter.limit)
    .offset(filter.offset ?? 0)
    .execute();
}

export function count(db: Db, accountId: number, filter: DeliveryFilter, max: number): Promise<number> {
  return countUpTo(db, filtered(db, accountId, filter), max);
}

/** Selects the event. A cluster can lock the row of the delivery only if the subquery names the account. */
function selectEvent(accountId: number) {
  const event = (column: 'event' | 'message_id') => sql<string | null>`(select ${sql.ref(column)} from events
    where events.account_id = ${accountId} and events.event_id = deliveries.event_id)`;
  return [
    sql<string>`coalesce(${event('event')}, 'batch.completed')`.as('event'),
    sql<string>`coalesce(${event('message_id')}, 'msg_' || deliveries.event_id)`.as('messageId'),
  ] as const;
}

function matchesTest(accountId: number, isTest: boolean) {
  return sql<boolean>`${isTest} = exists (select from batches
    where batches.account_id = ${accountId} and batches.batch_id = deliveries.event_id and is_test)`;
}

function selectDelivery(db: Db, { accountId, eventId, isTest }: DeliveryRef) {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .select(selectEvent(accountId))
    .where('accountId', '=', accountId)
    .where('eventId', '=', eventId)
    .$if(isTest !== undefined, (query) => query.where(matchesTest(accountId, isTest === true)));
}

function filtered(
  db: Db,
  accountId: number,
  { state, isTest, after }: DeliveryFilter & Pick<DeliveryWindow, 'after'>,
) {
  const rows = db
    .selectFrom('deliveries')
    .where('accountId', '=', accountId)
    .$if(isTest !== undefined, (query) => query.where(matchesTest(accountId, isTest === true)))
    .$if(state !== undefined, (query) => query.where('state', '=', state as DeliveryState));
  return newestFirst(rows, ['createdAt', 'eventId'], after && [after.createdAt, sql`${after.eventId}::uuid`]);
}

export interface Attempt {
  /** From 1, including attempts before a resend. */
  attemptNo: number;
  attemptedAt: Date;
  durationMs: number;
  /** HTTP status; null without a response. */
  status: number | null;
  /** Error code; null with a response. */
  error: string | null;
}

/** Result of an attempt: the HTTP status, or an error code. */
export type AttemptResult = ({ status: number; error: null } | { status: null; error: string }) & {
  durationMs: number;
};

/** Records an attempt. The primary key allows one attempt per number. */
export async function recordAttempt(
  trx: Trx,
  { accountId, eventId }: DeliveryRef,
  attemptNo: number,
  { status, error, durationMs }: AttemptResult,
): Promise<void> {
  await trx
    .insertInto('attempts')
    .values({ accountId, eventId, attemptNo, status, error, durationMs })
    .execute();
}

/** Returns the last hundred attempts of a delivery, oldest first. */
export async function listAttempts(db: Db, { accountId, eventId }: DeliveryRef): Promise<Attempt[]> {
  const newest = await db
    .selectFrom('attempts')
    .select(['attemptNo', 'attemptedAt', 'durationMs', 'status', 'error'])
    .where('accountId', '=', accountId)
    .where('eventId', '=', eventId)
    .orderBy('attemptNo', 'desc')
    .limit(100)
    .execute();
  return newest.reverse();
}

/** A pending delivery whose job is lost. */
export interface OrphanedDelivery extends DeliveryRef {
  /** The lost job; null if the delivery never had a job. */
  jobId: string | null;
}

/** Returns at most `limit` orphaned deliveries, longest overdue first. */
export async function findOrphanedDeliveries(db: Db, limit: number): Promise<OrphanedDelivery[]> {
  const { rows } = await sql<OrphanedDelivery>`
    with pending as materialized (
      select account_id, event_id, job_id, next_attempt_at from deliveries where state = 'pending')
    select account_id, event_id, job_id from pending
    left join pgboss.job on job.name = ${deliveryQueue} and job.id = pending.job_id
    where job.id is null or job.state::text not in ${liveJobStates}
    order by pending.next_attempt_at limit ${limit}`.execute(db);
  return rows;
}
