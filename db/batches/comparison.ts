import { type RawBuilder, sql } from 'kysely';
import type { CheckType } from '../../schemas/check-types.ts';
import { type Change, changes } from '../../schemas/comparison.ts';
import type { Db } from '../postgres/connect.ts';
import { toSearchPatterns } from '../postgres/text.ts';
import * as batches from './batches.ts';
import type { ItemRow } from './items.ts';

/** An input with its items in two batches. An item is null if its batch does not contain the input. */
export interface ComparedInput {
  change: Change;
  now: ItemRow | null;
  before: ItemRow | null;
}

/**
 * Two lists of batches, all of one account and type. A list has several batches if one monitor run or one submission
 * was split.
 */
export interface ComparedBatches {
  now: batches.BatchRow[];
  before: batches.BatchRow[];
}

const candidatesMax = 1_000;

/**
 * Finds the batch that a batch is compared with by default. Returns null if no such batch still has results.
 * - If the batch checks the inputs of another batch of the same type again, this is the other batch.
 * - Otherwise, this is the latest of the thousand earlier batches with the same type and name (or reference).
 */
export async function findPrevious(db: Db, batch: batches.BatchRow): Promise<batches.BatchRow | null> {
  const { accountId, type, againOf, isTest } = batch;
  const repeated = againOf ? await batches.find(db, { accountId, batchId: againOf, isTest }) : null;
  if (repeated?.type === type && repeated.completedAt && !repeated.purgedAt) return repeated;
  const name = batch.name ?? batch.reference;
  if (name === null || batch.submissionId !== null) return null;
  const row = await selectCandidates(db, batch, sql`created_at < ${batch.createdAt}`)
    .where(sql<boolean>`coalesce(name, reference) = ${name}`)
    .where('submissionId', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Selects ended batches of the same type that still have results, newest first. Searches the account's last thousand
 * batches.
 */
function selectCandidates(
  db: Db,
  { accountId, type, isTest }: batches.BatchRow,
  isEligible: RawBuilder<unknown> = sql`true`,
) {
  const latest = db
    .selectFrom('batches')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('isTest', '=', isTest)
    .where(sql<boolean>`${isEligible}`)
    .orderBy('createdAt', 'desc')
    .orderBy('batchId', 'desc')
    .limit(candidatesMax);
  return db
    .selectFrom(latest.as('latest'))
    .selectAll()
    .where('type', '=', type)
    .where('completedAt', 'is not', null)
    .where('purgedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('batchId', 'desc');
}

/**
 * Returns ended batches of the same list, newest first, including the batch itself. Batches of the same type and name,
 * and batches that checked the same inputs again, are of the same list. Searches the account's last thousand batches.
 */
export async function listSameList(
  db: Db,
  batch: batches.BatchRow,
  limit: number,
): Promise<batches.BatchRow[]> {
  const family = [batch.batchId, batch.againOf].filter((id) => id !== null);
  const isRelated = sql<boolean>`(batch_id = any(${family}::uuid[]) or again_of = any(${family}::uuid[]) or
    submission_id is null and coalesce(name, reference) = ${batch.name ?? batch.reference}::text)`;
  return selectCandidates(db, batch).where(isRelated).limit(limit).execute();
}

/**
 * Direction in which the rank of a changed input moved. `level`: another page has the same rank, or the input has no
 * rank.
 */
export const directions = ['up', 'down', 'level'] as const;
export type Direction = (typeof directions)[number];

export interface ComparedCounts {
  changes: Record<Change, number>;
  /** Number of inputs with the change `changed`, by direction. */
  changed: Record<Direction, number>;
}

export async function count(db: Db, pair: ComparedBatches): Promise<ComparedCounts> {
  const { rows } = await sql<{ change: Change; direction: Direction; inputs: number }>`
    select change, ${direction} as direction, count(*)::int as inputs
    from (${selectCompared(pair)}) as compared group by 1, 2`.execute(db);
  const countIf = (isCounted: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(isCounted).reduce((sum, { inputs }) => sum + inputs, 0);
  const byChange = changes.map((change) => [change, countIf((row) => row.change === change)]);
  const byDirection = directions.map((name) => [
    name,
    countIf((row) => row.change === 'changed' && row.direction === name),
  ]);
  return { changes: Object.fromEntries(byChange), changed: Object.fromEntries(byDirection) };
}

const direction = sql`case when gain > 0 then 'up' when gain < 0 then 'down' else 'level' end`;

/**
 * Returns a page of inputs with one kind of change, and one direction if it is given. Ranks that moved most come first.
 * Otherwise, the order is the order of the later batch. `total` is the number of inputs on all pages.
 */
export async function page(
  db: Db,
  pair: ComparedBatches,
  {
    change,
    direction: wanted,
    search = '',
    limit,
    offset,
  }: { change: Change; direction?: Direction; search?: string; limit: number; offset: number },
): Promise<{ rows: ComparedInput[]; total: number }> {
  const { rows } = await sql<{ nowId: number | null; beforeId: number | null; total: number }>`
    select now_id, before_id, count(*) over ()::int as total from (${selectCompared(pair)}) as compared
    where change = ${change} and ${wanted ? sql`${direction} = ${wanted}` : sql`true`} and asked ~* all(${toSearchPatterns(search)}::text[])
    order by abs(gain) desc nulls last, place limit ${limit} offset ${offset}`.execute(db);
  return {
    rows: await findItems(
      db,
      pair,
      rows.map((row) => ({ ...row, change })),
    ),
    total: rows[0]?.total ?? 0,
  };
}

interface ComparedIds {
  change: Change;
  nowId: number | null;
  beforeId: number | null;
}

/**
 * Reads all inputs, or only the inputs with one kind of change, in the order of the later batch. Reads 50 at a time.
 */
export async function* readAll(
  db: Db,
  pair: ComparedBatches,
  { change, search = '' }: { change?: Change; search?: string },
): AsyncGenerator<ComparedInput[]> {
  const isWanted = change === undefined ? sql`true` : sql`change = ${change}`;
  const { rows } = await sql<ComparedIds>`
    select change, now_id, before_id from (${selectCompared(pair)}) as compared
    where ${isWanted} and asked ~* all(${toSearchPatterns(search)}::text[]) order by place`.execute(db);
  for (let first = 0; first < rows.length; first += rowsAtOnce)
    yield findItems(db, pair, rows.slice(first, first + rowsAtOnce));
}

const rowsAtOnce = 50;

async function findItems(db: Db, pair: ComparedBatches, compared: ComparedIds[]): Promise<ComparedInput[]> {
  const ids = compared.flatMap(({ nowId, beforeId }) => [nowId, beforeId]).filter((id) => id !== null);
  const rows = await db
    .selectFrom('items')
    .selectAll()
    .where('accountId', '=', accountIdOf(pair))
    .where('requestId', '=', sql<number>`any(${ids}::bigint[])`)
    .execute();
  const items = new Map((rows as ItemRow[]).map((row) => [row.requestId, row]));
  const itemFor = (id: number | null) => (id === null ? null : (items.get(id) ?? null));
  return compared.map(({ change, nowId, beforeId }) => ({
    change,
    now: itemFor(nowId),
    before: itemFor(beforeId),
  }));
}

function accountIdOf({ now, before }: ComparedBatches): number {
  return [...now, ...before][0]?.accountId ?? 0;
}

/** Selects all inputs of both lists of batches. Repeated inputs are paired in the order of their positions. */
function selectCompared({ now, before }: ComparedBatches): RawBuilder<unknown> {
  return sql`
    select now.request_id as now_id, before.request_id as before_id, coalesce(now.asked, before.asked) as asked,
      coalesce(now.place, before.place + ${sumTotals(now)}) as place, before.rank - now.rank as gain,
      case
        when before.request_id is null then 'added'
        when now.request_id is null then 'gone'
        when now.is_good is null or before.is_good is null then 'unknown'
        when now.is_good and not before.is_good and now.rank > before.depth then 'unknown'
        when before.is_good and not now.is_good and before.rank > now.depth then 'unknown'
        when now.is_good and not before.is_good then 'fixed'
        when before.is_good and not now.is_good then 'broken'
        when now.answer is distinct from before.answer then 'changed'
        else 'same'
      end as change
    from (${selectItems(now)}) as now
    full join (${selectItems(before)}) as before on now.asked = before.asked and now.nth = before.nth`;
}

function selectItems(all: batches.BatchRow[]): RawBuilder<unknown> {
  const {
    asked,
    isGood,
    answer,
    rank = sql`null::int`,
    depth = sql`null::int`,
  } = comparators[(all[0] as batches.BatchRow).type];
  const rows = all.map((batch, place) => {
    const { from, to } = batches.rangeOf(batch);
    return sql`
      select request_id, position + ${sumTotals(all.slice(0, place))}::int as place, input, outcome, state from items
      where account_id = ${batch.accountId} and batch_id = ${batch.batchId}
        and request_id >= ${from} and request_id < ${to}`;
  });
  return sql`
    select request_id, place, ${asked} as asked, ${answer} as answer,
      case when state = 'success' then ${isGood} end as is_good, case when state = 'success' then ${rank} end as rank,
      ${depth} as depth,
      row_number() over (partition by ${asked} order by place) as nth
    from (${sql.join(rows, sql` union all `)}) as listed`;
}

function sumTotals(all: batches.BatchRow[]): number {
  return all.reduce((sum, { total }) => sum + total, 0);
}

interface Comparator {
  /** Inputs with equal values are compared with each other. */
  asked: RawBuilder<string>;
  isGood: RawBuilder<boolean>;
  /** Answers with equal values count as unchanged. */
  answer: RawBuilder<string>;
  /** The rank, or 101 if the target is not ranked. Inputs are ordered by the number of places that they moved. */
  rank?: RawBuilder<number>;
  /** The lowest rank that the search could find. Whether a target had a lower rank is unknown. */
  depth?: RawBuilder<number>;
}

const url = sql<string>`btrim(input->>'url')`;
const status = sql`(outcome->>'status')::int`;

const comparators: Record<CheckType, Comparator> = {
  http: {
    asked: url,
    isGood: sql`${status} between 200 and 399 and not (outcome->>'is_soft404')::boolean`,
    answer: sql`concat_ws(' ', outcome->>'status', outcome->>'is_soft404', outcome->>'final_url', outcome->>'noindex')`,
  },
  index: {
    asked: url,
    isGood: sql`(outcome->>'is_indexed')::boolean`,
    answer: sql`concat_ws(' ', outcome->>'is_indexed', outcome->>'match')`,
  },
  keyword: {
    asked: sql`concat_ws(' ', input->>'keyword', input->>'target_url', input->>'country', input->>'language',
      input->>'device', input->>'match', input->>'location')`,
    isGood: sql`outcome->>'rank' is not null`,
    answer: sql`concat_ws(' ', outcome->>'rank', outcome->>'ranked_url')`,
    rank: sql`coalesce((outcome->>'rank')::int, 101)`,
    depth: sql`(input->>'end_page')::int * 10`,
  },
};
