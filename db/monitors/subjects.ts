import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { InputOf } from '../../schemas/check-types.ts';
import type { RemovalReason } from '../../schemas/monitor-types.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo } from '../postgres/keyset.ts';
import { toSearchPatterns } from '../postgres/text.ts';
import { latestUrl } from './baselines.ts';
import type { MonitorRef } from './monitors.ts';
import type { GroupFilter } from './run-tallies.ts';

/** A URL or query that a monitor checks. */
export interface Subject {
  subjectId: number;
  input: InputOf;
}

// A subject stays the same if these fields change.
const ignoredFields = ['tag', 'competitor_urls', 'include'];
/** How far a query reads. The first competitor sets `full`. A list may have one query at several depths. */
const depthFields = ['end_page', 'full'];

/** Returns the same text for the same query at any depth. */
function toKeyAtAnyDepth(input: object): string {
  return serializeFields(input, [...ignoredFields, ...depthFields]);
}

function serializeFields(input: object, ignored: readonly string[]): string {
  const fields = Object.entries(input).filter(([name]) => !ignored.includes(name));
  return JSON.stringify(fields.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Returns the SHA-256 of all fields that identify a subject. Inputs that differ in one of these fields are different
 * subjects with separate baselines.
 */
export function computeFingerprint(input: object): Buffer {
  return createHash('sha256').update(serializeFields(input, ignoredFields)).digest();
}

/** Number of inputs between two turns of the event loop. A fingerprint takes up to 40 µs. */
const inputsPerTurn = 50;

/**
 * Keeps the last input of each subject, at the position of the subject's first input. Inputs of the same subject differ
 * only in `ignoredFields`.
 */
export async function removeSameSubjects(inputs: InputOf[]): Promise<InputOf[]> {
  return [...(await mapByFingerprint(inputs)).values()];
}

/** Returns inputs by fingerprint in hex. If several inputs have the same fingerprint, returns the last of them. */
async function mapByFingerprint(inputs: InputOf[]): Promise<Map<string, InputOf>> {
  const found = new Map<string, InputOf>();
  for (const [index, input] of inputs.entries()) {
    if (index % inputsPerTurn === inputsPerTurn - 1) await setImmediate();
    found.set(computeFingerprint(input).toString('hex'), input);
  }
  return found;
}

/** Returns the inputs that are not in the current list of a monitor at any depth. */
export async function withoutCurrent(
  db: Db,
  { accountId, monitorId }: MonitorRef,
  inputs: InputOf[],
): Promise<InputOf[]> {
  const added = await mapByFingerprint(inputs);
  const fingerprints = Array.from(added.keys(), (hex) => Buffer.from(hex, 'hex'));
  const { rows } = await sql<{ hex: string }>`
    select encode(fingerprint, 'hex') as hex from subjects
    where account_id = ${accountId} and monitor_id = ${monitorId} and left_at is null
      and fingerprint = any(${fingerprints}::bytea[])`.execute(db);
  for (const { hex } of rows) added.delete(hex);
  const rest = [...added.values()];
  const known = await findAtOtherDepths(db, { accountId, monitorId }, rest);
  return rest.filter((_, index) => !known.has(index));
}

/**
 * Returns the ids of the current subjects that differ from inputs only in the depth, by index of the input. Skips
 * nulls.
 */
async function findAtOtherDepths(
  db: Db,
  ref: MonitorRef,
  inputs: ReadonlyArray<object | null>,
): Promise<Map<number, number[]>> {
  const queries = inputs.flatMap((input, index) => (input && 'keyword' in input ? { input, index } : []));
  if (queries.length === 0) return new Map();
  // In SQL, every input would be compared with every subject, because Postgres has no statistics about a new list.
  const current = await listCurrent(db, ref);
  const byKey = Map.groupBy(current, ({ input }) => toKeyAtAnyDepth(input));
  const found = queries.map(({ input, index }) => ({ index, same: byKey.get(toKeyAtAnyDepth(input)) }));
  return new Map(
    found.flatMap(({ index, same }) => (same ? [[index, same.map(({ subjectId }) => subjectId)]] : [])),
  );
}

/** Returns the current subjects of a monitor in the order of the list. With `ids`, returns only these subjects. */
export function listCurrent(db: Db, ref: MonitorRef, ids?: readonly number[]): Promise<Subject[]> {
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

interface Replacement {
  /** Ordered and distinct. */
  inputs: InputOf[];
  /** Reason for the removal of subjects that are not in `inputs`. */
  removalReason: RemovalReason;
  /** Run that read the sitemap; null for a manual change. */
  runId: string | null;
}

/**
 * Replaces the subjects of a monitor that the transaction has locked. Inputs that already have a subject keep this
 * subject, also if only their depth changes. A removed subject that is added again keeps its history.
 */
export async function replace(
  trx: Trx,
  ref: MonitorRef,
  { inputs, removalReason, runId }: Replacement,
): Promise<void> {
  const fingerprints = inputs.map(computeFingerprint);
  await changeDepths(trx, ref, inputs, fingerprints);
  await markRemoved(trx, ref, sql`not fingerprint = any(${fingerprints}::bytea[])`, removalReason, runId);
  await insert(trx, ref, { inputs, fingerprints, firstPosition: 0, runId });
}

/**
 * Lets an input without a subject take over a subject that differs only in the depth: one that would be removed, or
 * else the last removed one.
 */
async function changeDepths(
  trx: Trx,
  ref: MonitorRef,
  inputs: InputOf[],
  fingerprints: Buffer[],
): Promise<void> {
  if (!inputs.some((input) => 'keyword' in input)) return;
  const known = await findByFingerprint(trx, ref, fingerprints);
  const added = inputs.flatMap((input, index) => {
    const fingerprint = fingerprints[index];
    return fingerprint && !known.has(fingerprint.toString('hex')) ? { input, fingerprint } : [];
  });
  if (added.length === 0) return;
  const keywords = added.flatMap(({ input }) => ('keyword' in input ? input.keyword : []));
  const kept = new Set(known.values());
  const sameKeyword = await trx
    .selectFrom('subjects')
    .select(['subjectId', 'input'])
    .where('accountId', '=', ref.accountId)
    .where('monitorId', '=', ref.monitorId)
    .where(sql<boolean>`input->>'keyword' = any(${keywords}::text[])`)
    .orderBy('leftAt', (order) => order.desc().nullsFirst())
    .orderBy('position')
    .execute();
  const free = Map.groupBy(
    sameKeyword.filter(({ subjectId }) => !kept.has(subjectId)),
    ({ input }) => toKeyAtAnyDepth(input),
  );
  const pairs = added.flatMap(({ input, fingerprint }) => {
    const subjectId = free.get(toKeyAtAnyDepth(input))?.shift()?.subjectId;
    return subjectId === undefined ? [] : { subjectId, fingerprint };
  });
  if (pairs.length === 0) return;
  await sql`
    update subjects set fingerprint = pairs.fingerprint
    from unnest(${pairs.map(({ subjectId }) => subjectId)}::bigint[],
      ${pairs.map(({ fingerprint }) => fingerprint)}::bytea[]) as pairs (subject_id, fingerprint)
    where account_id = ${ref.accountId} and subjects.subject_id = pairs.subject_id`.execute(trx);
}

/** Returns the length of the current list of a monitor as JSON in bytes, and the position for a new entry. */
export async function measure(
  db: Db,
  { accountId, monitorId }: MonitorRef,
): Promise<{ bytes: number; nextPosition: number }> {
  const { rows } = await sql<{ bytes: number; nextPosition: number }>`
    select coalesce(sum(octet_length(input::text)), 0)::int as bytes, coalesce(max(position) + 1, 0) as next_position
    from subjects
    where account_id = ${accountId} and monitor_id = ${monitorId} and left_at is null`.execute(db);
  return rows[0] ?? { bytes: 0, nextPosition: 0 };
}

/**
 * Appends inputs to the list of a monitor that the transaction has locked. The current list must not contain the
 * inputs at any depth.
 */
export async function append(
  trx: Trx,
  ref: MonitorRef,
  inputs: InputOf[],
  firstPosition: number,
): Promise<void> {
  const fingerprints = inputs.map(computeFingerprint);
  await changeDepths(trx, ref, inputs, fingerprints);
  await insert(trx, ref, { inputs, fingerprints, firstPosition, runId: null });
}

async function insert(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  {
    inputs,
    fingerprints,
    firstPosition,
    runId,
  }: { inputs: InputOf[]; fingerprints: Buffer[]; firstPosition: number; runId: string | null },
): Promise<void> {
  const positions = inputs.map((_, index) => firstPosition + index);
  const texts = inputs.map((input) => JSON.stringify(input));
  await sql`
    insert into subjects (account_id, monitor_id, fingerprint, input, position, joined_run_id)
    select account_id, ${monitorId}::uuid, fingerprint, input::json, position, ${runId}::uuid
    from accounts cross join unnest(${fingerprints}::bytea[], ${texts}::text[], ${positions}::integer[])
      as given (fingerprint, input, position)
    where account_id = ${accountId}
    on conflict (account_id, monitor_id, fingerprint) do update
      set position = excluded.position, input = excluded.input, left_at = null, left_run_id = null, left_reason = null,
        joined_at = case when subjects.left_at is null then subjects.joined_at else excluded.joined_at end,
        joined_run_id = case when subjects.left_at is null then subjects.joined_run_id else excluded.joined_run_id end
      where subjects.left_at is not null or subjects.position <> excluded.position
        or subjects.input::text <> excluded.input::text`.execute(trx);
}

/** Removes subjects, for example indexed URLs. Returns the number of removed subjects. */
export function removeSubjects(
  trx: Trx,
  ref: MonitorRef,
  subjectIds: readonly number[],
  reason: RemovalReason,
  runId: string | null,
): Promise<number> {
  return markRemoved(trx, ref, sql`subject_id = any(${subjectIds}::bigint[])`, reason, runId);
}

async function markRemoved(
  trx: Trx,
  { accountId, monitorId }: MonitorRef,
  which: ReturnType<typeof sql>,
  reason: RemovalReason,
  runId: string | null,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update subjects set left_at = now(), left_run_id = ${runId}::uuid, left_reason = ${reason}
    where account_id = ${accountId} and monitor_id = ${monitorId} and left_at is null and ${which}`.execute(
    trx,
  );
  return Number(numAffectedRows ?? 0);
}

export async function listRemovedUrls(db: Db, ref: MonitorRef, reason: RemovalReason): Promise<Set<string>> {
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
 * Assigns subjects that joined or left in skipped runs to this run. The run then reports these subjects. A subject that
 * joined and left again meanwhile is not reported.
 */
export async function reassignSkipped(
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

/**
 * Returns the id of the subject of each input, each id once; null for an unknown input. A query whose depth has changed
 * since has the subject of the new depth, if there is only one.
 */
export async function findIds(
  db: Db,
  ref: MonitorRef,
  inputs: readonly object[],
): Promise<Array<number | null>> {
  const fingerprints = inputs.map(computeFingerprint);
  const known = await findByFingerprint(db, ref, fingerprints);
  const ids = fingerprints.map((fingerprint) => known.get(fingerprint.toString('hex')) ?? null);
  const unknown = inputs.map((input, index) => (ids[index] === null ? input : null));
  const others = await findAtOtherDepths(db, ref, unknown);
  const taken = new Set(ids);
  for (const [index, [subjectId, ...more]] of others) {
    if (subjectId === undefined || more.length > 0 || taken.has(subjectId)) continue;
    taken.add(subjectId);
    ids[index] = subjectId;
  }
  return ids;
}

/** Returns the ids of the current and removed subjects with these fingerprints, by fingerprint in hex. */
async function findByFingerprint(
  db: Db,
  { accountId, monitorId }: MonitorRef,
  fingerprints: Buffer[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('subjects')
    .select(['subjectId', sql<string>`encode(fingerprint, 'hex')`.as('hex')])
    .where('accountId', '=', accountId)
    .where('monitorId', '=', monitorId)
    .where('fingerprint', '=', sql<Buffer>`any(${fingerprints}::bytea[])`)
    .execute();
  return new Map(rows.map(({ subjectId, hex }) => [hex, subjectId]));
}

/** Returns the URLs that joined or left the sitemap in a run. */
export async function listSitemapChanges(
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

/** Returns the distinct targets and competitors of a monitor's current queries, as sent. */
export async function listTargetsAndCompetitors(
  db: Db,
  { accountId, monitorId }: MonitorRef,
): Promise<{ targets: string[]; competitors: string[] }> {
  const { rows } = await sql<{ targets: string[] | null; competitors: string[] | null }>`
    select array_agg(distinct input->>'target_url') as targets,
      array_agg(distinct competitor) filter (where competitor is not null) as competitors
    from subjects
    left join lateral json_array_elements_text(input->'competitor_urls') as named (competitor) on true
    where account_id = ${accountId} and monitor_id = ${monitorId}::uuid and left_at is null
      and input->>'target_url' is not null`.execute(db);
  return { targets: rows[0]?.targets ?? [], competitors: rows[0]?.competitors ?? [] };
}

export interface SubjectRow {
  subjectId: number;
  /** Position in the list. A subject that leaves keeps its position. */
  position: number;
  input: InputOf;
  joinedAt: Date;
  /** Null while the subject is checked. */
  leftAt: Date | null;
  /** Null if `leftAt` is null. */
  leftReason: RemovalReason | null;
  /** Best rank, and when the subject first had this rank. Both are null before the first rank, and for URLs. */
  best: number | null;
  bestAt: Date | null;
  /** Page that ranked in the last answer; null for none, and for URLs. */
  rankedUrl: string | null;
}

interface SubjectFilter extends GroupFilter {
  subjectId?: number;
  subjectIds?: number[];
  /** Part of the URL, or of the keyword and location, in any case. */
  search?: string;
}

interface SubjectWindow {
  limit: number;
  offset?: number;
  after?: { position: number; subjectId: number };
}

/** Returns a monitor's subjects in the order of the list, including subjects that have left. */
export async function list(
  db: Db,
  ref: MonitorRef,
  { limit, offset = 0, after, ...filter }: SubjectFilter & SubjectWindow,
): Promise<SubjectRow[]> {
  const rows = await filtered(db, ref, filter)
    .select(['subjects.subjectId', 'position', 'input', 'joinedAt', 'leftAt', 'leftReason', 'best', 'bestAt'])
    .select(latestUrl.as('rankedUrl'))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(position, subjects.subject_id) > (${after?.position}, ${after?.subjectId})`),
    )
    .limit(limit)
    .offset(offset)
    .execute();
  return rows;
}

export async function listIds(db: Db, ref: MonitorRef, filter: SubjectFilter): Promise<number[]> {
  const rows = await filtered(db, ref, filter).select('subjects.subjectId').execute();
  return rows.map(({ subjectId }) => subjectId);
}

/** Returns the competitors of a monitor's queries, each once, in the order in which they first appear. */
export async function listCompetitorUrls(
  db: Db,
  { accountId, monitorId }: MonitorRef,
  limit: number,
): Promise<string[]> {
  // `place` is less than 16, because a query has at most 10 competitors.
  const { rows } = await sql<{ url: string }>`
    select url from subjects
    cross join lateral json_array_elements_text(input->'competitor_urls') with ordinality as listed (url, place)
    where account_id = ${accountId} and monitor_id = ${monitorId}
    group by url order by min(position::bigint * 16 + place) limit ${limit}`.execute(db);
  return rows.map(({ url }) => url);
}

export function count(db: Db, ref: MonitorRef, filter: SubjectFilter, max: number): Promise<number> {
  return countUpTo(db, filtered(db, ref, filter), max);
}

function filtered(
  db: Db,
  { accountId, monitorId }: MonitorRef,
  { subjectId, subjectIds, search, ...inputFields }: SubjectFilter,
) {
  let query = db
    .selectFrom('subjects')
    .leftJoin('baselines', (join) =>
      join
        .onRef('baselines.accountId', '=', 'subjects.accountId')
        .onRef('baselines.monitorId', '=', 'subjects.monitorId')
        .onRef('baselines.subjectId', '=', 'subjects.subjectId'),
    )
    .where('subjects.accountId', '=', accountId)
    .where('subjects.monitorId', '=', monitorId)
    .orderBy('position')
    .orderBy('subjects.subjectId');
  if (subjectId !== undefined) query = query.where('subjects.subjectId', '=', subjectId);
  if (subjectIds !== undefined)
    query = query.where('subjects.subjectId', '=', sql<number>`any(${subjectIds}::bigint[])`);
  if (search !== undefined) {
    const text = sql`concat_ws(' ', subjects.input->>'keyword', subjects.input->>'url', subjects.input->>'location')`;
    query = query.where(sql<boolean>`${text} ~* all(${toSearchPatterns(search)}::text[])`);
  }
  for (const [field, value] of Object.entries(inputFields))
    if (value !== undefined) query = query.where(sql<boolean>`subjects.input->>${field} = ${value}`);
  return query;
}
