import { sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';
import { isInRangeOf } from '../postgres/id-range.ts';
import { containing } from '../postgres/text.ts';
import { isKept } from '../retention/kept.ts';
import { searchedBatchesMax } from './batch-lists.ts';
import { type ItemRow, itemColumns } from './items.ts';

/** How many of an account's latest single checks are looked through for an address. */
const searchedSinglesMax = 2_000;

/**
 * What HTTP checks found at exactly this address, newest first, `limit` at most: those in the account's latest batches
 * of addresses and among its latest single checks, as far as results are kept. What is not checked yet is not there.
 * `days`: for how long single checks are kept.
 */
export async function httpChecksOf(
  db: Db,
  accountId: number,
  url: string,
  { days, limit }: { days: number; limit: number },
): Promise<ItemRow[]> {
  const ids = [...(await inBatches(db, accountId, url)), ...(await amongSingles(db, accountId, url, days))];
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('items')
    .select(itemColumns)
    .where('accountId', '=', accountId)
    .where('requestId', 'in', ids)
    .orderBy('checkedAt', 'desc')
    .orderBy('requestId', 'desc')
    .limit(limit)
    .execute();
  return rows as ItemRow[];
}

/** By the inputs of chunks, a fiftieth of the rows; most chunks are told by one look at their text. */
async function inBatches(db: Db, accountId: number, url: string): Promise<number[]> {
  const { rows } = await sql<{ requestId: number }>`
    with latest as (
      select batch_id, first_request_id, total from batches
      where account_id = ${accountId} and type = 'http' and purged_at is null
      order by created_at desc, batch_id desc limit ${searchedBatchesMax})
    select (element->>'request_id')::bigint as request_id
    from latest join chunks on chunks.account_id = ${accountId} and chunks.batch_id = latest.batch_id
      and ${isInRangeOf('latest', 'chunk_id')} and inputs::text ilike ${containing(JSON.stringify(url).slice(1, -1))}
    cross join lateral json_array_elements(inputs) as element
    where btrim(element->'input'->>'url') = ${url}`.execute(db);
  return rows.map(({ requestId }) => requestId);
}

async function amongSingles(db: Db, accountId: number, url: string, days: number): Promise<number[]> {
  const latest = db
    .selectFrom('items')
    .select(['requestId', 'type', 'input'])
    .where('accountId', '=', accountId)
    .where('batchId', 'is', null)
    .where(isKept(days))
    .orderBy('checkedAt', 'desc')
    .orderBy('requestId', 'desc')
    .limit(searchedSinglesMax);
  const rows = await db
    .selectFrom(latest.as('latest'))
    .select('requestId')
    .where('type', '=', 'http')
    .where(sql<boolean>`btrim(input->>'url') = ${url}`)
    .execute();
  return rows.map(({ requestId }) => requestId);
}
