import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { InputOf } from '../../schemas/check-types.ts';
import type { LeftReason } from '../../schemas/monitor-words.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import type { MonitorRef } from './monitors.ts';

/** One address or query that a monitor checks. */
export interface Subject {
  subjectId: number;
  /** As it stands in chunks and items. */
  input: InputOf;
}

/** What is beside the question: with another tag, or others to look for, it is the same subject. */
const besides = ['tag', 'competitor_urls', 'include'];

/**
 * What tells a monitor's subjects apart: SHA-256 of the input but for what is beside the question. With another option
 * it is another subject, which begins anew.
 */
export function fingerprintOf(input: object): Buffer {
  const fields = Object.entries(input).filter(([name]) => !besides.includes(name));
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields)).digest();
}

/** What a monitor checks now, in order; with ids only those of them. */
export function listCurrent(db: Db | Trx, ref: MonitorRef, ids?: readonly number[]): Promise<Subject[]> {
  return db
    .selectFrom('subjects')
    .select(['subjectId', 'input'])
    .where('accountId', '=', ref.accountId)
    .where('monitorId', '=', ref.monitorId)
    .where('leftAt', 'is', null)
    .$if(ids !== undefined, (query) => query.where('subjectId', '=', sql<number>`any(${ids}::bigint[])`))
    .orderBy('position')
    .execute();
}

export interface Replacement {
  /** In order, without equal ones. */
  inputs: InputOf[];
  /** Why those leave that are not among them. */
  leftReason: LeftReason;
  /** The run that found it so; null for a change by hand. */
  runId: string | null;
}

/** How many came, or came back, and how many left. */
export interface Replaced {
  joined: number;
  left: number;
}

/** Makes these the subjects of a monitor that the transaction has locked; those that were there stay the same. */
export async function replace(
  trx: Trx,
  ref: MonitorRef,
  { inputs, leftReason, runId }: Replacement,
): Promise<Replaced> {
  const { accountId, monitorId } = ref;
  const prints = inputs.map(fingerprintOf);
  const left = await leave(trx, ref, sql`not fingerprint = any(${prints}::bytea[])`, leftReason, runId);
  const positions = inputs.map((_, position) => position);
  const texts = inputs.map((input) => JSON.stringify(input));
  const { rows } = await sql<{ hasJoined: boolean }>`
    insert into subjects (account_id, monitor_id, fingerprint, input, position, joined_run_id)
    select account_id, ${monitorId}::uuid, fingerprint, input::json, position, ${runId}::uuid
    from accounts cross join unnest(${prints}::bytea[], ${texts}::text[], ${positions}::integer[])
      as given (fingerprint, input, position)
    where account_id = ${accountId}
    on conflict (account_id, monitor_id, fingerprint) do update
      set position = excluded.position, input = excluded.input, left_at = null, left_run_id = null, left_reason = null,
        joined_at = case when subjects.left_at is null then subjects.joined_at else excluded.joined_at end,
        joined_run_id = case when subjects.left_at is null then subjects.joined_run_id else excluded.joined_run_id end
      where subjects.left_at is not null or subjects.position <> excluded.position
        or subjects.input::text <> excluded.input::text
    returning joined_at = now() as has_joined`.execute(trx);
  return { joined: rows.filter(({ hasJoined }) => hasJoined).length, left };
}

/** Lets some of them leave, such as those that were found indexed. Answers how many did. */
export function leaveSome(
  trx: Trx,
  ref: MonitorRef,
  subjectIds: readonly number[],
  reason: LeftReason,
  runId: string | null,
): Promise<number> {
  return leave(trx, ref, sql`subject_id = any(${subjectIds}::bigint[])`, reason, runId);
}

async function leave(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  which: ReturnType<typeof sql>,
  reason: LeftReason,
  runId: string | null,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update subjects set left_at = now(), left_run_id = ${runId}::uuid, left_reason = ${reason}
    where account_id = ${accountId} and monitor_id = ${monitorId} and left_at is null and ${which}`.execute(
    trx,
  );
  return Number(numAffectedRows ?? 0);
}

/** The URLs that left for a reason. */
export async function urlsOfLeft(db: Db | Trx, ref: MonitorRef, reason: LeftReason): Promise<Set<string>> {
  const rows = await db
    .selectFrom('subjects')
    .select('input')
    .where('accountId', '=', ref.accountId)
    .where('monitorId', '=', ref.monitorId)
    .where('leftReason', '=', reason)
    .execute();
  return new Set(rows.flatMap(({ input }) => ('url' in input ? input.url : [])));
}

/**
 * Hands on to a run who joined and who left with readings of runs that were skipped then, so that it is told with this
 * one. Who joined and left again since the last run is not told at all.
 */
export async function carryMarks(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  runId: string,
): Promise<void> {
  const skipped = sql`(select run_id from monitor_runs
    where account_id = ${accountId} and monitor_id = ${monitorId} and status = 'skipped')`;
  await sql`
    update subjects set
      joined_run_id = case when joined_run_id not in ${skipped} then joined_run_id
        when left_at is null then ${runId}::uuid end,
      left_run_id = case when joined_run_id in ${skipped} then null
        when left_run_id in ${skipped} then ${runId}::uuid else left_run_id end
    where account_id = ${accountId} and monitor_id = ${monitorId}
      and (joined_run_id in ${skipped} or left_run_id in ${skipped})`.execute(trx);
}

/** The ids of a monitor's subjects by their fingerprints in hex; those that it does not have are not there. */
export async function idsByFingerprint(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  prints: Buffer[],
): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('subjects')
    .select(['subjectId', sql<string>`encode(fingerprint, 'hex')`.as('print')])
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .where('fingerprint', '=', sql<Buffer>`any(${prints}::bytea[])`)
    .execute();
  return new Map(rows.map(({ subjectId, print }) => [print, subjectId]));
}

/** The addresses that a sitemap brought with a run, and those that it no longer listed. */
export async function movedBy(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  runId: string,
): Promise<Array<{ subjectId: number; input: InputOf; hasLeft: boolean }>> {
  const { rows } = await sql<{ subjectId: number; input: InputOf; hasLeft: boolean }>`
    select subject_id, input, left_at is not null as has_left from subjects
    where account_id = ${accountId} and monitor_id = ${monitorId} and (
      (joined_run_id = ${runId} and left_at is null)
      or (left_run_id = ${runId} and left_reason = 'left_sitemap'))
    order by position`.execute(trx);
  return rows;
}
