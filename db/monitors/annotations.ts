import { sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type PageParams } from '../postgres/keyset.ts';
import type { MonitorRef } from './monitors.ts';

/** A note in the charts of a monitor. Never changed. */
export interface AnnotationRow {
  annotationId: number;
  /** Can be before the monitor's first run, or in the future. */
  at: Date;
  /** 1 to 500 characters. */
  text: string;
  createdAt: Date;
}

const columns = ['annotationId', 'at', 'text', 'createdAt'] as const;

/** Returns annotations, latest `at` first. */
export function list(
  db: Db,
  ref: MonitorRef,
  { limit, offset = 0, after }: PageParams<{ at: Date; annotationId: number }>,
): Promise<AnnotationRow[]> {
  const cursor: [Date, number] | undefined = after && [after.at, after.annotationId];
  return newestFirst(selectOfMonitor(db, ref), ['at', 'annotationId'], cursor)
    .select(columns)
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Returns the annotations of several monitors, latest `at` first. */
export function listByMonitors(
  db: Db,
  accountId: number,
  monitorIds: string[],
  limit: number,
): Promise<AnnotationRow[]> {
  return db
    .selectFrom('annotations')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('monitorId', '=', sql<string>`any(${monitorIds}::uuid[])`)
    .orderBy('at', 'desc')
    .orderBy('annotationId', 'desc')
    .limit(limit)
    .execute();
}

export function count(db: Db, ref: MonitorRef, max: number): Promise<number> {
  return countUpTo(db, selectOfMonitor(db, ref).orderBy('at'), max);
}

export async function add(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  { at, text, createdAt }: Omit<AnnotationRow, 'annotationId'>,
): Promise<AnnotationRow> {
  return trx
    .insertInto('annotations')
    .values({ accountId, monitorId, at, text, createdAt })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function remove(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  annotationId: number,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('annotations')
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .where('annotationId', '=', annotationId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

function selectOfMonitor(db: Db, { accountId, monitorId }: MonitorRef) {
  return db.selectFrom('annotations').where('accountId', '=', accountId).where('monitorId', '=', monitorId);
}
