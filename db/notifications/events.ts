import type { Db, Trx } from '../postgres/connect.ts';

/** An event with a webhook, other than the end of a batch. */
export interface WebhookEvent {
  accountId: number;
  /** `webhook-id` of the event's delivery. */
  messageId: string;
  /** `eventId` of the event's delivery. In a delivery about a batch, `eventId` is the id of the batch. */
  eventId: string;
  /** Event type, such as `monitor.changed`. */
  event: string;
  /** Null if the event is not about a monitor. */
  monitorId: string | null;
  /** Null if the event is not about a run. */
  runId: string | null;
  /** True if a paid check covers the delivery. The delivery is then not unbilled work. */
  isPaid: boolean;
  /** Request body. It is the same at every attempt. */
  body: object;
}

/** Inserts an event without a delivery. The primary key allows one event per message id. */
export async function create(trx: Trx, event: WebhookEvent): Promise<void> {
  await trx
    .insertInto('events')
    .values({ ...event, body: JSON.stringify(event.body) })
    .execute();
}

export async function find(
  db: Db,
  ref: { accountId: number; eventId: string },
): Promise<WebhookEvent | null> {
  const row = await selectEvents(db, ref.accountId).where('eventId', '=', ref.eventId).executeTakeFirst();
  return row ?? null;
}

export async function findByMessage(
  db: Db,
  accountId: number,
  messageId: string,
): Promise<WebhookEvent | null> {
  return (await selectEvents(db, accountId).where('messageId', '=', messageId).executeTakeFirst()) ?? null;
}

/** Returns the monitors of the given events. Leaves out events that have no monitor or whose monitor was deleted. */
export function listMonitors(
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

function selectEvents(db: Db, accountId: number) {
  return db
    .selectFrom('events')
    .select(['accountId', 'messageId', 'eventId', 'event', 'monitorId', 'runId', 'isPaid', 'body'])
    .where('accountId', '=', accountId);
}
