import { sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';
import { isInRangeOf } from '../postgres/id-range.ts';
import { containing } from '../postgres/like.ts';

/** How many of an account's latest batches are looked through for an address: 200,000 of them at most. */
export const searchedBatchesMax = 100;

/**
 * Which of the latest batches of an account, live ones or tests, have this text in an address, a keyword or its
 * target, in any case: their ids. Chunks are read rather than items: a fiftieth of the rows, and what is not checked
 * yet is found, too.
 */
export async function withInput(
  db: Db,
  accountId: number,
  { text, isTest = false }: { text: string; isTest?: boolean },
): Promise<string[]> {
  // As it stands in the JSON of a chunk, so that most chunks are told by one look at their text.
  const inJson = containing(JSON.stringify(text).slice(1, -1));
  const { rows } = await sql<{ batchId: string }>`
    with latest as (
      select batch_id, first_request_id, total from batches where account_id = ${accountId} and is_test = ${isTest} and purged_at is null
      order by created_at desc, batch_id desc limit ${searchedBatchesMax})
    select batch_id from latest cross join lateral (
      select true from chunks
      where account_id = ${accountId} and chunks.batch_id = latest.batch_id
        and ${isInRangeOf('latest', 'chunk_id')} and inputs::text ilike ${inJson}
        and exists (
          select from json_array_elements(inputs) as element
          where concat_ws(' ', element->'input'->>'url', element->'input'->>'keyword',
            element->'input'->>'target_url') ilike ${containing(text)})
      limit 1) as found`.execute(db);
  return rows.map(({ batchId }) => batchId);
}
