import { sql, type UpdateObject } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type Window } from '../postgres/keyset.ts';
import { deliveryQueue, liveJobStates } from '../queue/queue.ts';
import type { DB } from '../tables.ts';

/** Failed: given up, after the last of ten attempts or where the receiver answers that it is gone. */
export type DeliveryState = 'pending' | 'delivered' | 'failed';

export interface DeliveryRef {
  accountId: number;
  /** The batch whose end is the event, or the id of a row in `events`. */
  eventId: string;
  /** If given, only a delivery of test work, or only one of live work, is found. */
  isTest?: boolean;
}

/** A webhook for the end of a batch or for another event. */
export interface Delivery extends DeliveryRef {
  /** What happened, such as `batch.completed`; never changes. */
  event: string;
  /** The id a receiver knows it by, the same for every attempt and resend (Standard Webhooks, `webhook-id`). */
  messageId: string;
  /** Where to, as it was sent. */
  url: string;
  /** Set by the attempt that ends it; a resend sets it to pending again. */
  state: DeliveryState;
  /** Attempts recorded so far. */
  attempts: number;
  /** Of those, made since it was owed or last sent again, which sets it to 0. */
  roundAttempts: number;
  /** When the next attempt is due; null once it has ended. */
  nextAttemptAt: Date | null;
  /**
   * The job that makes the next attempt; null once it has ended. A job that finds another here has lost its
   * place.
   */
  jobId: string | null;
  /** When its batch ended. */
  createdAt: Date;
  /** When it was delivered or given up; null while it is pending. */
  endedAt: Date | null;
}

/** Creates a pending delivery, in the transaction of its job. The database refuses a second one of the same event. */
export async function create(trx: Trx, row: DeliveryRef & { url: string; jobId: string }): Promise<void> {
  await trx.insertInto('deliveries').values(row).execute();
}

/** Returns null when the account has no delivery of this event, or only one of the other kind. */
export async function find(db: Db | Trx, ref: DeliveryRef): Promise<Delivery | null> {
  const { accountId, isTest } = ref;
  const rows = selectOf(db, ref).$if(isTest !== undefined, (query) =>
    query.where(isOfKind(accountId, isTest === true)),
  );
  return (await rows.executeTakeFirst()) ?? null;
}

/** The same by the id of the message, which tells of a batch or of another event. */
export async function findByMessage(
  db: Db,
  { accountId, messageId, isTest }: { accountId: number; messageId: string; isTest: boolean },
): Promise<Delivery | null> {
  const event = await db
    .selectFrom('events')
    .select('eventId')
    .where('accountId', '=', accountId)
    .where('messageId', '=', messageId)
    .executeTakeFirst();
  const eventId =
    event?.eventId ?? /^msg_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(messageId)?.[1];
  return eventId ? find(db, { accountId, eventId, isTest }) : null;
}

/** The same, and nobody else decides about it until the transaction ends. */
export async function lock(trx: Trx, ref: DeliveryRef): Promise<Delivery | null> {
  return (await selectOf(trx, ref).forNoKeyUpdate().executeTakeFirst()) ?? null;
}

/**
 * A pending delivery with the job it has, locked, and in how many seconds it is due; null when that is no
 * longer so.
 */
export async function lockDue(
  trx: Trx,
  ref: DeliveryRef & { jobId: string | null },
): Promise<{ url: string; inSeconds: number } | null> {
  const row = await selectOf(trx, ref)
    .select(sql<number>`greatest(0, ceil(extract(epoch from next_attempt_at - now())))::int`.as('inSeconds'))
    .where('state', '=', 'pending')
    .where('jobId', 'is not distinct from', ref.jobId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Writes what became of a delivery that the transaction has locked. */
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

/** `isTest`: of batches of test tokens, or all others; both where nothing is said. */
type DeliveryFilter = { state?: DeliveryState; isTest?: boolean };
type DeliveryWindow = Window<{ createdAt: Date; eventId: string }>;

/** An account's deliveries, newest first. */
export function list(
  db: Db,
  accountId: number,
  filter: DeliveryFilter & DeliveryWindow,
): Promise<Delivery[]> {
  return filtered(db, accountId, filter)
    .select([...columns, ...eventOf(accountId)])
    .limit(filter.limit)
    .offset(filter.offset ?? 0)
    .execute();
}

/** How many there are, counted up to `max`. */
export function count(db: Db, accountId: number, filter: DeliveryFilter, max: number): Promise<number> {
  return countUpTo(db, filtered(db, accountId, filter), max);
}

const columns = [
  'accountId',
  'eventId',
  'url',
  'state',
  'attempts',
  'roundAttempts',
  'nextAttemptAt',
  'jobId',
  'createdAt',
  'endedAt',
] as const;

/** What it tells of. The account is named once more: a cluster locks no row beside a table that could be anywhere. */
function eventOf(accountId: number) {
  const event = (column: 'event' | 'message_id') => sql<string | null>`(select ${sql.ref(column)} from events
    where events.account_id = ${accountId} and events.event_id = deliveries.event_id)`;
  return [
    sql<string>`coalesce(${event('event')}, 'batch.completed')`.as('event'),
    sql<string>`coalesce(${event('message_id')}, 'msg_' || deliveries.event_id)`.as('messageId'),
  ] as const;
}

/** Whether a test token asked for the batch it tells of; nothing else is a test. */
function isOfKind(accountId: number, isTest: boolean) {
  return sql<boolean>`${isTest} = exists (select from batches
    where batches.account_id = ${accountId} and batches.batch_id = deliveries.event_id and is_test)`;
}

function selectOf(db: Db | Trx, { accountId, eventId }: DeliveryRef) {
  return db
    .selectFrom('deliveries')
    .select([...columns, ...eventOf(accountId)])
    .where('accountId', '=', accountId)
    .where('eventId', '=', eventId);
}

function filtered(
  db: Db,
  accountId: number,
  { state, isTest, after }: DeliveryFilter & Pick<DeliveryWindow, 'after'>,
) {
  const rows = db
    .selectFrom('deliveries')
    .where('accountId', '=', accountId)
    .$if(isTest !== undefined, (query) => query.where(isOfKind(accountId, isTest === true)))
    .$if(state !== undefined, (query) => query.where('state', '=', state as DeliveryState));
  return newestFirst(rows, ['createdAt', 'eventId'], after && [after.createdAt, sql`${after.eventId}::uuid`]);
}

/** One try at a delivery. */
export interface Attempt {
  /** From 1 on, over all rounds of the delivery. */
  attemptNo: number;
  attemptedAt: Date;
  durationMs: number;
  /** Null exactly when no HTTP answer came; `error` then says why. */
  status: number | null;
  /** Why no answer came, in a word for programs; null exactly when one did. */
  error: string | null;
}

/** How an attempt ended: with a status, or with a word why none came. */
export type AttemptResult = ({ status: number; error: null } | { status: null; error: string }) & {
  durationMs: number;
};

/** Notes an attempt that was made. The database refuses a second one of the same number. */
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

/** The last hundred attempts at a delivery, first to last. */
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

/** A pending delivery whose job is gone. */
export interface OrphanedDelivery extends DeliveryRef {
  /** The job that is gone; null where it never had one. */
  jobId: string | null;
}

/** Returns at most `limit` orphaned deliveries, the longest due first. */
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
