import type { Db, Trx } from '../postgres/connect.ts';

/** Something that is told besides the end of a batch. */
export interface Event {
  accountId: number;
  /** The `webhook-id` of its delivery. */
  messageId: string;
  /** Stands where a batch's delivery has its batch's. */
  eventId: string;
  /** What happened, such as `monitor.changed`. */
  event: string;
  /** Null for what is not about a monitor. */
  monitorId: string | null;
  /** Null for what no run of it brought. */
  runId: string | null;
  /** Whether an answer paid for telling it. */
  isPaid: boolean;
  /** What is sent, the same at every attempt. */
  body: object;
}

/** Stores an event; its delivery follows. The database refuses a second one of the same message. */
export async function create(trx: Trx, event: Event): Promise<void> {
  await trx
    .insertInto('events')
    .values({ ...event, body: JSON.stringify(event.body) })
    .execute();
}

/** Null when the account has no such event. */
export async function find(db: Db | Trx, ref: { accountId: number; eventId: string }): Promise<Event | null> {
  const row = await selectOf(db, ref.accountId).where('eventId', '=', ref.eventId).executeTakeFirst();
  return row ?? null;
}

/** The same by its message. */
export async function findByMessage(
  db: Db | Trx,
  accountId: number,
  messageId: string,
): Promise<Event | null> {
  return (await selectOf(db, accountId).where('messageId', '=', messageId).executeTakeFirst()) ?? null;
}

/** The monitors that events tell of, by the events' ids; none where it is another thing, or deleted. */
export function monitorsOf(
  db: Db,
  accountId: number,
  eventIds: string[],
): Promise<Array<{ eventId: string; monitorId: string; name: string }>> {
  if (eventIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('events')
    .innerJoin('monitors', (join) =>
      join
        .onRef('monitors.accountId', '=', 'events.accountId')
        .onRef('monitors.monitorId', '=', 'events.monitorId'),
    )
    .select(['eventId', 'monitors.monitorId', 'monitors.name'])
    .where('events.accountId', '=', accountId)
    .where('eventId', 'in', eventIds)
    .where('monitors.deletedAt', 'is', null)
    .execute();
}

function selectOf(db: Db | Trx, accountId: number) {
  return db
    .selectFrom('events')
    .select(['accountId', 'messageId', 'eventId', 'event', 'monitorId', 'runId', 'isPaid', 'body'])
    .where('accountId', '=', accountId);
}
