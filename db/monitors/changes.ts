import { sql } from 'kysely';
import { type ChangeKind, getChangeKind } from '../../schemas/change-kinds.ts';
import type { RankQuery } from '../../schemas/keyword.ts';
import { visibilityCurve } from '../../schemas/visibility.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo } from '../postgres/keyset.ts';
import { latestUrl } from './baselines.ts';
import type { MonitorRef } from './monitors.ts';
import type { GroupFilter } from './run-tallies.ts';

/** A notified change of a subject. Never updated. */
export interface ChangeRow {
  /** Later changes have greater ids. */
  changeId: number;
  monitorId: string;
  /** The first run that found the change. */
  runId: string;
  /** Run that notified the change: `runId`, or the run that confirmed a loss. */
  notifiedBy: string;
  subjectId: number;
  kind: ChangeKind;
  /** Changed fields with their last notified values. */
  before: Record<string, unknown>;
  /** Changed fields with their new values. */
  after: Record<string, unknown>;
  /** Check that found the change; null for changes of a sitemap. */
  requestId: number | null;
  /** When the change was notified. */
  at: Date;
  /** Input of the subject; null after the subject's row was deleted. */
  input: object | null;
}

type NewChange = Omit<ChangeRow, 'changeId' | 'monitorId' | 'input'>;

/**
 * The fields of `GroupFilter` select subjects by their current input. Subjects whose rows were deleted do not match.
 */
interface ChangeFilter extends GroupFilter {
  monitorId?: string;
  kind?: ChangeKind;
  subjectId?: number;
  /** Run that first found or notified the change. */
  runId?: string;
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
}

/** Inserts changes, at most one per subject, fact and run. Returns the inserted changes in the same order. */
export async function add(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  changes: NewChange[],
): Promise<Array<NewChange & { changeId: number }>> {
  if (changes.length === 0) return [];
  const rows = changes.map(({ runId, notifiedBy, subjectId, requestId, ...others }, place) => ({
    place,
    run_id: runId,
    told_by: notifiedBy,
    subject_id: subjectId,
    request_id: requestId,
    fact: getChangeKind(others.kind).fact ?? 'answer',
    ...others,
  }));
  // The statement selects from `accounts`, so that a cluster runs the whole statement on the account's node.
  const { rows: added } = await sql<{ changeId: number; subjectId: number; kind: ChangeKind }>`
    insert into changes
      (account_id, monitor_id, run_id, told_by, subject_id, fact, kind, before, after, request_id, at)
    select accounts.account_id, ${monitorId}::uuid, run_id, told_by, subject_id, fact, kind, before, after, request_id,
      at
    from accounts cross join json_to_recordset(${JSON.stringify(rows)}::json) as given (place int, run_id uuid,
      told_by uuid, subject_id bigint, fact text, kind text, before jsonb, after jsonb, request_id bigint, at timestamptz)
    where accounts.account_id = ${accountId}
    order by place
    on conflict do nothing
    returning change_id, subject_id, kind`.execute(trx);
  const ids = new Map(added.map(({ changeId, subjectId, kind }) => [`${subjectId} ${kind}`, changeId]));
  return changes.flatMap((change) => {
    const changeId = ids.get(`${change.subjectId} ${change.kind}`);
    return changeId === undefined ? [] : [{ ...change, changeId }];
  });
}

/** Returns changes, newest first. */
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
      'toldBy as notifiedBy',
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

export function count(db: Db, accountId: number, filter: ChangeFilter, max: number): Promise<number> {
  return countUpTo(db, filtered(db, accountId, filter), max);
}

/**
 * Counts changes by monitor and kind, the most frequent kind first. With `runIds`, counts the changes that these runs
 * notified.
 */
export function countByKind(
  db: Db,
  accountId: number,
  { monitorIds, from, runIds }: { monitorIds?: string[]; from?: Date; runIds?: string[] },
): Promise<Array<{ monitorId: string; kind: ChangeKind; changes: number }>> {
  let query = db
    .selectFrom('changes')
    .select(['monitorId', 'kind', sql<number>`count(*)::int`.as('changes')])
    .where('accountId', '=', accountId)
    .groupBy(['monitorId', 'kind'])
    .orderBy('changes', 'desc')
    .orderBy('kind');
  if (monitorIds) query = query.where('monitorId', '=', sql<string>`any(${monitorIds}::uuid[])`);
  if (from) query = query.where('at', '>=', from);
  if (runIds) query = query.where('toldBy', '=', sql<string>`any(${runIds}::uuid[])`);
  return query.execute();
}

export interface NotifiedMove {
  monitorId: string;
  input: RankQuery;
  /** Null if the target was not ranked. */
  before: number | null;
  after: number | null;
  /** Page that ranks now; null for none. */
  url: string | null;
}

const moveKinds: ChangeKind[] = ['ranked', 'not_ranked', 'rank_up', 'rank_down'];

/** Returns the rank changes that runs notified. Those that change the visibility most come first. */
export async function listMoves(
  db: Db,
  accountId: number,
  { runIds, limit }: { runIds: string[]; limit: number },
): Promise<{ rows: NotifiedMove[]; total: number }> {
  const { rows } = await sql<NotifiedMove & { total: number }>`
    select moves.monitor_id, input, was as before, is_now as after, coalesce(after->>'ranked_url', ${latestUrl}) as url,
      count(*) over ()::int as total
    from (
      select *, (before->>'rank')::int as was, (after->>'rank')::int as is_now, ${[...visibilityCurve.weights]}::float8[] as weights
      from changes
      where account_id = ${accountId} and told_by = any(${runIds}::uuid[]) and kind = any(${moveKinds}::text[])) as moves
    join monitors on monitors.account_id = ${accountId} and monitors.monitor_id = moves.monitor_id
    join subjects on subjects.account_id = ${accountId} and subjects.subject_id = moves.subject_id
    left join baselines on baselines.account_id = ${accountId} and baselines.monitor_id = moves.monitor_id
      and baselines.subject_id = moves.subject_id
    where deleted_at is null
    order by abs(coalesce(weights[was], 0) - coalesce(weights[is_now], 0)) desc,
      abs(coalesce(was, 101) - coalesce(is_now, 101)) desc, change_id
    limit ${limit}`.execute(db);
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}

function filtered(db: Db, accountId: number, filter: ChangeFilter) {
  const { monitorId, kind, subjectId, runId, from, to, ...inputFields } = filter;
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
  for (const [field, value] of Object.entries(inputFields))
    if (value !== undefined) query = query.where(sql<boolean>`subjects.input->>${field} = ${value}`);
  return query;
}
