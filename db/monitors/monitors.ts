/**
 * Lock order of monitors, before that of batches: idempotency key, monitor, run, subjects, batch and all that follows.
 */
import { sql, type UpdateObject } from 'kysely';
import type { CheckType, OptionsOf } from '../../schemas/check-types.ts';
import type { MonitorStatus, Notify, PausedReason, Schedule } from '../../schemas/monitor-words.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type Window } from '../postgres/keyset.ts';
import type { DB } from '../tables.ts';

/** The account is part of every reference, so that no caller finds a monitor of another account. */
export interface MonitorRef {
  accountId: number;
  monitorId: string;
}

/** The settings of a monitor; changed by PATCH only. */
export interface MonitorTerms {
  name: string;
  /** Where its list is read from at every run; null where it is a list of the caller's. */
  sitemapUrl: string | null;
  schedule: Schedule;
  /** Options of all checks of a run. */
  options: OptionsOf;
  /** Addresses leave once they are indexed; null where they stay. */
  stopWhen: 'indexed' | null;
  notify: Notify;
  /** The least number of places that a rank must move. */
  rankThreshold: number;
  /** Whether a second check must confirm losses. */
  confirmLosses: boolean;
  /** What a run may check, and so cost, at most. */
  subjectsMax: number;
  /** The caller's own word for it; null when none was given. */
  reference: string | null;
}

/** A monitor: what was chosen of it, and how it stands. */
export interface MonitorRow extends MonitorRef, MonitorTerms {
  /** What is checked of its subjects; never changes. */
  type: CheckType;
  /** Changed by pausing and resuming, by runs that cannot be paid, and to completed when no subjects are left. */
  status: MonitorStatus;
  /** Null unless it is paused. */
  pausedReason: PausedReason | null;
  /** How many subjects are checked now; moved with them. */
  subjects: number;
  /** Grows with whatever the next run is made of. */
  revision: number;
  /** Runs in a row that could not be paid for. */
  shortfalls: number;
  /** When its sitemap was last asked for; null before, and for lists. */
  sitemapReadAt: Date | null;
  /** How many addresses its sitemap had when it was last not believed, half of them gone; null after it was. */
  doubtedCount: number | null;
  /** When it is due; null unless it is active and not deleted. */
  nextRunAt: Date | null;
  /** When a run last began; null before the first. */
  lastRunAt: Date | null;
  /** The token with a monthly limit that its runs count against; null for none. Changed with each PATCH and resume. */
  tokenId: number | null;
  createdAt: Date;
  /** When it was deleted, which hides it until its rows are removed; null unless that happened. */
  deletedAt: Date | null;
}

export type NewMonitor = MonitorRef &
  MonitorTerms &
  Pick<MonitorRow, 'type' | 'subjects' | 'nextRunAt' | 'sitemapReadAt' | 'tokenId'>;

/** Stores a monitor, active; its subjects follow. */
export function create(trx: Trx, monitor: NewMonitor): Promise<MonitorRow> {
  return trx
    .insertInto('monitors')
    .values({ ...monitor, ...asText(monitor) })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Null when the account has no such monitor; one that is deleted is none unless it is asked for. */
export async function find(
  db: Db | Trx,
  ref: MonitorRef,
  { orDeleted = false } = {},
): Promise<MonitorRow | null> {
  const row = await selectOf(db, ref).executeTakeFirst();
  return row && (orDeleted || row.deletedAt === null) ? row : null;
}

/** Locks a monitor, so that no other transaction changes it, or starts or ends a run of it. */
export async function lock(
  trx: Trx,
  ref: MonitorRef,
  { orDeleted = false } = {},
): Promise<MonitorRow | null> {
  const row = await selectOf(trx, ref).forNoKeyUpdate().executeTakeFirst();
  return row && (orDeleted || row.deletedAt === null) ? row : null;
}

/** Updates a monitor that the transaction has locked. */
export async function update(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  { schedule, notify, options, ...values }: Partial<Omit<MonitorRow, keyof MonitorRef>>,
): Promise<void> {
  // Callers may pass a whole row, and a cluster refuses to set the account.
  const { accountId: _account, monitorId: _monitor, ...others }: typeof values & Partial<MonitorRef> = values;
  const changed: UpdateObject<DB, 'monitors'> = {
    ...others,
    ...(schedule && { schedule: JSON.stringify(schedule) }),
    ...(notify && { notify: JSON.stringify(notify) }),
    ...(options && { options: JSON.stringify(options) }),
  };
  await trx
    .updateTable('monitors')
    .set(changed)
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .execute();
}

/** Pauses the monitors of an account, and removes where their webhooks go. */
export async function stopAll(trx: Trx, accountId: number): Promise<void> {
  await sql`
    update monitors set notify = notify || '{"webhook_url": null}', next_run_at = null,
      status = case status when 'active' then 'paused' else status end,
      paused_reason = case status when 'active' then 'by_hand' else paused_reason end
    where account_id = ${accountId} and deleted_at is null`.execute(trx);
}

/** Where the webhooks of an account's monitors go, each URL once. */
export async function webhookUrls(trx: Trx, accountId: number): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select distinct notify ->> 'webhook_url' as url from monitors
    where account_id = ${accountId} and deleted_at is null and notify ->> 'webhook_url' is not null`.execute(
    trx,
  );
  return rows.map(({ url }) => url);
}

interface MonitorFilter {
  status?: MonitorStatus;
  type?: CheckType;
}
type MonitorWindow = Window<{ createdAt: Date; monitorId: string }>;

/** An account's monitors, newest first. */
export function list(
  db: Db,
  accountId: number,
  filter: MonitorFilter & MonitorWindow,
): Promise<MonitorRow[]> {
  return filtered(db, accountId, filter)
    .select(columns)
    .limit(filter.limit)
    .offset(filter.offset ?? 0)
    .execute();
}

/** Counts them, up to `max`. */
export function count(db: Db | Trx, accountId: number, filter: MonitorFilter, max: number): Promise<number> {
  return countUpTo(db, filtered(db, accountId, filter), max);
}

/** All that a row has. */
export const columns = [
  'accountId',
  'monitorId',
  'name',
  'type',
  'sitemapUrl',
  'schedule',
  'options',
  'stopWhen',
  'notify',
  'rankThreshold',
  'confirmLosses',
  'subjectsMax',
  'reference',
  'status',
  'pausedReason',
  'subjects',
  'revision',
  'shortfalls',
  'sitemapReadAt',
  'doubtedCount',
  'nextRunAt',
  'lastRunAt',
  'tokenId',
  'createdAt',
  'deletedAt',
] as const;

function selectOf(db: Db | Trx, { accountId, monitorId }: MonitorRef) {
  return db
    .selectFrom('monitors')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId);
}

/** Locks the row of an account, so that two transactions cannot both create its last allowed monitor. */
export async function lockOwner(trx: Trx, accountId: number): Promise<void> {
  await trx
    .selectFrom('accounts')
    .select('accountId')
    .where('accountId', '=', accountId)
    .forNoKeyUpdate()
    .execute();
}

/** When each sitemap of an account was last asked for, but for one monitor's; those that never were are left out. */
export async function sitemapReadings(
  db: Db,
  { accountId, monitorId }: MonitorRef,
): Promise<Array<{ sitemapUrl: string; readAt: Date }>> {
  const rows = await db
    .selectFrom('monitors')
    .select(['sitemapUrl', 'sitemapReadAt'])
    .where('accountId', '=', accountId)
    .where('monitorId', '<>', monitorId)
    .where('sitemapReadAt', 'is not', null)
    .execute();
  return rows.flatMap(({ sitemapUrl, sitemapReadAt: readAt }) =>
    sitemapUrl && readAt ? [{ sitemapUrl, readAt }] : [],
  );
}

function filtered(
  db: Db | Trx,
  accountId: number,
  { status, type, after }: MonitorFilter & Pick<MonitorWindow, 'after'>,
) {
  const rows = db
    .selectFrom('monitors')
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .$if(status !== undefined, (query) => query.where('status', '=', status as MonitorStatus))
    .$if(type !== undefined, (query) => query.where('type', '=', type as CheckType));
  return newestFirst(
    rows,
    ['createdAt', 'monitorId'],
    after && [after.createdAt, sql`${after.monitorId}::uuid`],
  );
}

function asText({ schedule, notify, options }: Pick<MonitorTerms, 'schedule' | 'notify' | 'options'>) {
  return {
    schedule: JSON.stringify(schedule),
    notify: JSON.stringify(notify),
    options: JSON.stringify(options),
  };
}
