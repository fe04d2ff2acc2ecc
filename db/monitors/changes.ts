import { sql } from 'kysely';
import type { ChangeKind } from '../../schemas/change-kinds.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo } from '../postgres/keyset.ts';
import type { MonitorRef } from './monitors.ts';

/** What was told of a subject; inserted once and never changed. */
export interface ChangeRow {
  /** Grows in the order in which changes were told. */
  changeId: number;
  monitorId: string;
  /** The run that saw it first. */
  runId: string;
  /** The run that told it: the same, or the one that found that a loss had stood. */
  toldBy: string;
  subjectId: number;
  kind: ChangeKind;
  /** The fields of the answer that differ, as last told. */
  before: Record<string, unknown>;
  /** The same as they are now. */
  after: Record<string, unknown>;
  /** The check whose answer it is; null exactly when no answer tells it, but a sitemap. */
  requestId: number | null;
  /** When it was told. */
  at: Date;
  /** What the subject is, as its checks repeat it; null once it is removed. */
  input: object | null;
}

export type NewChange = Omit<ChangeRow, 'changeId' | 'monitorId' | 'input'>;

/** Which changes of an account are meant: those of which all that is said is true. */
export interface ChangeFilter {
  /** Of this monitor alone. */
  monitorId?: string;
  kind?: ChangeKind;
  /** About this subject alone. */
  subjectId?: number;
  /** Those that this run saw first or told. */
  runId?: string;
  /**
   * About queries with this tag, as their subjects have it now; of one that is removed nobody knows it any
   * more.
   */
  tag?: string;
  /** The same of the device that they are asked for. */
  device?: string;
  /** The same of the country. */
  country?: string;
  /** Told at this moment or later. */
  from?: Date;
  /** Told before this moment. */
  to?: Date;
}

/** Tells changes; a subject that has one of the run already has no other. Answers those that were told, in order. */
export async function add(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  changes: NewChange[],
): Promise<Array<NewChange & { changeId: number }>> {
  if (changes.length === 0) return [];
  const rows = changes.map(({ runId, toldBy, subjectId, requestId, ...others }, place) => ({
    place,
    run_id: runId,
    told_by: toldBy,
    subject_id: subjectId,
    request_id: requestId,
    ...others,
  }));
  // Beside the account's row, so that a cluster hands the whole statement to the node which has that.
  const { rows: told } = await sql<{ changeId: number; subjectId: number }>`
    insert into changes
      (account_id, monitor_id, run_id, told_by, subject_id, kind, before, after, request_id, at)
    select accounts.account_id, ${monitorId}::uuid, run_id, told_by, subject_id, kind, before, after, request_id, at
    from accounts cross join json_to_recordset(${JSON.stringify(rows)}::json) as told (place int, run_id uuid,
      told_by uuid, subject_id bigint, kind text, before jsonb, after jsonb, request_id bigint, at timestamptz)
    where accounts.account_id = ${accountId}
    order by place
    on conflict do nothing
    returning change_id, subject_id`.execute(trx);
  const idOf = new Map(told.map(({ changeId, subjectId }) => [subjectId, changeId]));
  return changes.flatMap((change) => {
    const changeId = idOf.get(change.subjectId);
    return changeId === undefined ? [] : [{ ...change, changeId }];
  });
}

/** Newest first, on from after `after`. */
export async function list(
  db: Db,
  accountId: number,
  {
    limit,
    offset = 0,
    after,
    ...filter
  }: ChangeFilter & { limit: number; offset?: number; after?: { changeId: number } },
): Promise<ChangeRow[]> {
  const rows = await filtered(db, accountId, filter)
    .select([
      'changes.changeId',
      'changes.monitorId',
      'runId',
      'toldBy',
      'changes.subjectId',
      'kind',
      'before',
      'after',
    ])
    .select(['requestId', 'at', 'subjects.input'])
    .$if(after !== undefined, (query) => query.where('changes.changeId', '<', after?.changeId ?? 0))
    .limit(limit)
    .offset(offset)
    .execute();
  return rows as ChangeRow[];
}

/** How many there are, counted up to `max`. */
export function count(db: Db, accountId: number, filter: ChangeFilter, max: number): Promise<number> {
  return countUpTo(db, filtered(db, accountId, filter), max);
}

/** How many of each kind were told, by monitor; the most first. */
export async function countByKind(
  db: Db,
  accountId: number,
  { from, monitorIds }: { from: Date; monitorIds: string[] },
): Promise<Array<{ monitorId: string; kind: ChangeKind; changes: number }>> {
  const rows = await db
    .selectFrom('changes')
    .select(['monitorId', 'kind', sql<number>`count(*)::int`.as('changes')])
    .where('accountId', '=', accountId)
    .where('monitorId', '=', sql<string>`any(${monitorIds}::uuid[])`)
    .where('at', '>=', from)
    .groupBy(['monitorId', 'kind'])
    .orderBy('changes', 'desc')
    .orderBy('kind')
    .execute();
  return rows;
}

/** How many of each kind some runs told, by monitor; the most first. */
export async function countByRuns(
  trx: Trx,
  accountId: number,
  runIds: string[],
): Promise<Array<{ monitorId: string; kind: ChangeKind; changes: number }>> {
  return trx
    .selectFrom('changes')
    .select(['monitorId', 'kind', sql<number>`count(*)::int`.as('changes')])
    .where('accountId', '=', accountId)
    .where('toldBy', '=', sql<string>`any(${runIds}::uuid[])`)
    .groupBy(['monitorId', 'kind'])
    .orderBy('changes', 'desc')
    .orderBy('kind')
    .execute();
}

function filtered(db: Db, accountId: number, filter: ChangeFilter) {
  const { monitorId, kind, subjectId, runId, from, to, ...asked } = filter;
  let query = db
    .selectFrom('changes')
    .leftJoin('subjects', (join) =>
      join
        .onRef('subjects.accountId', '=', 'changes.accountId')
        .onRef('subjects.subjectId', '=', 'changes.subjectId')
        .on('subjects.accountId', '=', accountId),
    )
    .where('changes.accountId', '=', accountId)
    .orderBy('changes.changeId', 'desc');
  if (monitorId !== undefined) query = query.where('changes.monitorId', '=', monitorId);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (subjectId !== undefined) query = query.where('changes.subjectId', '=', subjectId);
  if (runId !== undefined)
    query = query.where((is) => is.or([is('runId', '=', runId), is('toldBy', '=', runId)]));
  if (from !== undefined) query = query.where('at', '>=', from);
  if (to !== undefined) query = query.where('at', '<', to);
  for (const [field, value] of Object.entries(asked))
    if (value !== undefined) query = query.where(sql<boolean>`subjects.input->>${field} = ${value}`);
  return query;
}
