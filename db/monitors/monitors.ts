/** Lock order: idempotency key, monitor, run, subjects, then the locks of batches. */
import { sql, type UpdateObject } from 'kysely';
import type { CheckType, OptionsOf } from '../../schemas/check-types.ts';
import type { MonitorStatus, Notify, PausedReason, Schedule } from '../../schemas/monitor-types.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type PageParams } from '../postgres/keyset.ts';
import type { DB } from '../tables.ts';

/** Reference to a monitor. It contains the account, so that no caller finds a monitor of another account. */
export interface MonitorRef {
  accountId: number;
  monitorId: string;
}

/** Settings of a monitor. Runs never change them. */
export interface MonitorSettings {
  name: string;
  /** Sitemap that is read at every run; null for a fixed list of subjects. */
  sitemapUrl: string | null;
  schedule: Schedule;
  options: OptionsOf;
  /** Condition for the removal of a URL from the monitor; null if URLs are never removed. */
  stopWhen: 'indexed' | null;
  notify: Notify;
  /** Minimum rank change to notify. */
  rankThreshold: number;
  /** True if a second check must confirm losses. */
  confirmLosses: boolean;
  /** Maximum number of subjects. This limits the credits per run. */
  subjectsMax: number;
  /** Chosen by the caller; null if none was given. */
  reference: string | null;
}

export interface MonitorRow extends MonitorRef, MonitorSettings {
  /** Never changes. */
  type: CheckType;
  /** Changed by pausing, by resuming, and by runs that cannot be paid. `completed` when no subjects are left. */
  status: MonitorStatus;
  /** Null if the monitor is not paused. */
  pausedReason: PausedReason | null;
  /** Number of current subjects. */
  subjects: number;
  /** Number of current subjects that are checked with an AI Overview, for one more credit. */
  overviews: number;
  /** Incremented with each change that affects the next run. */
  revision: number;
  /** Number of consecutive runs that could not be paid. */
  shortfalls: number;
  /** When the sitemap was last requested; null before the first request, and for fixed lists. */
  sitemapReadAt: Date | null;
  /**
   * Number of URLs in the last sitemap, if the sitemap was not trusted; else null. A sitemap is not trusted if it lacks
   * more than half of the monitor's URLs.
   */
  doubtedCount: number | null;
  /** Set if the monitor is active and not deleted; otherwise null. */
  nextRunAt: Date | null;
  /** When a run last started; null before the first run. */
  lastRunAt: Date | null;
  /** Token whose monthly limit the runs count against; null without such a token. Set by each PATCH and resume. */
  tokenId: number | null;
  createdAt: Date;
  /** When the monitor was deleted; else null. A deleted monitor is hidden until its rows are removed. */
  deletedAt: Date | null;
}

type NewMonitor = MonitorRef &
  MonitorSettings &
  Pick<MonitorRow, 'type' | 'subjects' | 'nextRunAt' | 'sitemapReadAt' | 'tokenId'> &
  Partial<Pick<MonitorRow, 'overviews'>>;

/** Inserts the row of an active monitor. The caller inserts its subjects. */
export function create(trx: Trx, monitor: NewMonitor): Promise<MonitorRow> {
  return trx
    .insertInto('monitors')
    .values({
      ...monitor,
      schedule: JSON.stringify(monitor.schedule),
      notify: JSON.stringify(monitor.notify),
      options: JSON.stringify(monitor.options),
    })
    .returning(monitorColumns)
    .executeTakeFirstOrThrow();
}

/** Finds a monitor that is not deleted. */
export async function find(db: Db, ref: MonitorRef): Promise<MonitorRow | null> {
  const row = await selectMonitor(db, ref).where('deletedAt', 'is', null).executeTakeFirst();
  return row ?? null;
}

/**
 * Locks a monitor. Other transactions cannot change the monitor, or start or end one of its runs. Without `orDeleted`,
 * returns null for a deleted monitor.
 */
export async function lock(
  trx: Trx,
  ref: MonitorRef,
  { orDeleted = false } = {},
): Promise<MonitorRow | null> {
  const row = await selectMonitor(trx, ref).forNoKeyUpdate().executeTakeFirst();
  return row && (orDeleted || row.deletedAt === null) ? row : null;
}

/** Updates a monitor that the transaction has locked. */
export async function update(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  { schedule, notify, options, ...values }: Partial<Omit<MonitorRow, keyof MonitorRef>>,
): Promise<void> {
  // Callers may pass a whole row. Citus rejects an update that sets the distribution column `account_id`.
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

/** Pauses the monitors of an account, and removes their webhook URLs. */
export async function pauseAllAndClearWebhooks(trx: Trx, accountId: number): Promise<void> {
  await sql`
    update monitors set notify = notify || '{"webhook_url": null}', next_run_at = null,
      status = case when status = 'active' then 'paused' else status end,
      paused_reason = case when status = 'active' then 'by_hand' else paused_reason end
    where account_id = ${accountId} and deleted_at is null`.execute(trx);
}

/** Returns the distinct webhook URLs of an account's monitors. */
export async function listWebhookUrls(trx: Trx, accountId: number): Promise<string[]> {
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
type MonitorWindow = PageParams<{ createdAt: Date; monitorId: string }>;

/** Returns an account's monitors, newest first. */
export function list(
  db: Db,
  accountId: number,
  filter: MonitorFilter & MonitorWindow,
): Promise<MonitorRow[]> {
  return filtered(db, accountId, filter)
    .select(monitorColumns)
    .limit(filter.limit)
    .offset(filter.offset ?? 0)
    .execute();
}

export function count(db: Db, accountId: number, filter: MonitorFilter, max: number): Promise<number> {
  return countUpTo(db, filtered(db, accountId, filter), max);
}

export const monitorColumns = [
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
  'overviews',
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

function selectMonitor(db: Db, { accountId, monitorId }: MonitorRef) {
  return db
    .selectFrom('monitors')
    .select(monitorColumns)
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId);
}

/** Locks the row of an account, so that two transactions cannot both create the last allowed monitor. */
export async function lockAccount(trx: Trx, accountId: number): Promise<void> {
  await trx
    .selectFrom('accounts')
    .select('accountId')
    .where('accountId', '=', accountId)
    .forNoKeyUpdate()
    .execute();
}

/** Returns the times at which the sitemaps of the account's other monitors were last requested. */
export async function listSitemapReadings(
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
  db: Db,
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
