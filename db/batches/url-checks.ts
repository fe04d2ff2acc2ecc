import { sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';
import { toSearchPatterns } from '../postgres/text.ts';
import { isKept } from '../retention/partitions.ts';
import { searchedBatchesMax } from './batch-lists.ts';
import { isInBatchRange } from './batches.ts';
import type { ItemRow } from './items.ts';

/** Number of an account's latest single checks that are searched. */
const searchedSinglesMax = 2_000;

/**
 * Returns at most `limit` finished HTTP checks of exactly this URL, newest first. Searches the account's latest batches
 * and latest single checks. `days`: days for which single checks are kept.
 */
export async function findHttpChecks(
  db: Db,
  accountId: number,
  url: string,
  { days, limit }: { days: number; limit: number },
): Promise<ItemRow[]> {
  const inBatches = await findInBatches(db, accountId, url);
  const ids = [...inBatches, ...(await findInSingleChecks(db, accountId, url, days))];
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('items')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('requestId', 'in', ids)
    .orderBy('checkedAt', 'desc')
    .orderBy('requestId', 'desc')
    .limit(limit)
    .execute();
  return rows as ItemRow[];
}

/**
 * Searches `chunks`, which has a fiftieth of the rows of `items`. A search for the end of the URL excludes most chunks.
 * A search for the whole URL could take 0.6 ms per chunk for each 32 characters.
 */
async function findInBatches(db: Db, accountId: number, url: string): Promise<number[]> {
  const [end = ''] = toSearchPatterns(JSON.stringify(url).slice(1, -1).slice(-32));
  const { rows } = await sql<{ requestId: number }>`
    with latest as (
      select batch_id, first_request_id, total from batches
      where account_id = ${accountId} and type = 'http' and purged_at is null and not is_test
      order by created_at desc, batch_id desc limit ${searchedBatchesMax})
    select (element->>'request_id')::bigint as request_id
    from latest join chunks on chunks.account_id = ${accountId} and chunks.batch_id = latest.batch_id
      and ${isInBatchRange('latest', 'chunk_id')} and inputs::text ~* ${end}
    cross join lateral json_array_elements(inputs) as element
    where btrim(element->'input'->>'url') = ${url}`.execute(db);
  return rows.map(({ requestId }) => requestId);
}

async function findInSingleChecks(db: Db, accountId: number, url: string, days: number): Promise<number[]> {
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
    .where(sql<boolean>`not exists (select from chunks
      where chunks.account_id = ${accountId} and chunk_id = latest.request_id and is_test)`)
    .execute();
  return rows.map(({ requestId }) => requestId);
}
