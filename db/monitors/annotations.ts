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

/** Returns the annotations of monitors, latest `at` first. */
export function list(
  db: Db,
  accountId: number,
  monitorIds: string[],
  { limit, offset = 0, after }: PageParams<{ at: Date; annotationId: number }>,
): Promise<AnnotationRow[]> {
  const rows = db
    .selectFrom('annotations')
    .where('accountId', '=', accountId)
    .where('monitorId', '=', sql<string>`any(${monitorIds}::uuid[])`);
  return newestFirst(rows, ['at', 'annotationId'], after && [after.at, after.annotationId])
    .select(columns)
    .limit(limit)
    .offset(offset)
    .execute();
}

export function count(db: Db, { accountId, monitorId }: MonitorRef, max: number): Promise<number> {
  const rows = db
    .selectFrom('annotations')
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .orderBy('at');
  return countUpTo(db, rows, max);
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
