import { sql } from 'kysely';
import { type Db, inTransaction } from '../db/postgres/connect.ts';

/**
 * Inserts ended batches of `perBatch` items over the last months, of all types in turn, with their ledger entries and
 * history. The rows are like the rows of real batches, but inserted with one statement per batch and table.
 */
export async function fillAccount(
  db: Db,
  accountId: number,
  batches: number,
  perBatch = 2000,
): Promise<void> {
  for (let number = 1; number <= batches; number++) {
    await inTransaction(db, async (trx) => {
      const type = number % 5 < 2 ? 'http' : number % 5 < 4 ? 'index' : 'keyword';
      const { rows } = await sql<{ batchId: string }>`
        insert into batches (account_id, batch_id, type, first_request_id, total, successful, failed, status, summary,
          created_at, started_at, completed_at)
        select ${accountId}, gen_random_uuid(), ${type}, ${number * perBatch}::bigint, ${perBatch}, ${perBatch}, 0, 'completed',
          ${JSON.stringify(summaries[type])}, at, at, at + interval '2 minutes'
        from (select date_trunc('milliseconds', now()) - ${batches - number} * interval '3 hours' as at) as moment
        returning batch_id`.execute(trx);
      const batchId = rows[0]?.batchId;
      await sql`
        insert into items (account_id, request_id, batch_id, position, type, state, input, outcome, checked_at)
        select ${accountId}, ${number * perBatch} + n, ${batchId}::uuid, n, ${type}, 'success',
          ${inputs[type]}, ${outcomes[type]}, now() - ${batches - number} * interval '3 hours'
        from generate_series(0, ${perBatch - 1}) as n`.execute(trx);
      if (type === 'keyword') {
        await sql`
          insert into history (account_id, request_id, batch_id, type, state, input, series, rank, checked_at)
          select account_id, request_id, batch_id, type, state, input,
            sha256(convert_to(input->>'keyword', 'UTF8')), (outcome->>'rank')::int, checked_at
          from items where account_id = ${accountId} and batch_id = ${batchId}::uuid`.execute(trx);
      }
      await sql`
        insert into ledger_entries (account_id, entry_no, kind, amount, balance_after, batch_id, created_at)
        select ${accountId}, entries + 1, 'charge', ${-perBatch}, credits - ${perBatch}, ${batchId}::uuid,
          now() - ${batches - number} * interval '3 hours'
        from accounts where account_id = ${accountId}`.execute(trx);
      await sql`
        update accounts set credits = credits - ${perBatch}, entries = entries + 1
        where account_id = ${accountId}`.execute(trx);
    });
  }
}

const summaries = {
  http: { status_2xx: 1600, status_4xx: 400, soft404: 200, redirected: 100 },
  index: { indexed: 1000, not_indexed: 1000 },
  keyword: { ranked: 2000, top_3: 100, top_10: 400, top_20: 900, top_100: 2000 },
};

const url = sql`'https://shop.example/articles/' || n || '/a-name-of-ordinary-length'`;

const inputs = {
  http: sql`json_build_object('url', ${url})`,
  index: sql`json_build_object('url', ${url})`,
  keyword: sql`json_build_object('keyword', 'keyword ' || n, 'target_url', 'shop.example', 'country', 'US',
    'language', 'en', 'device', 'desktop', 'match', 'site')`,
};

const outcomes = {
  http: sql`json_build_object('status', case when n % 5 = 0 then 404 else 200 end, 'is_soft404', n % 10 = 1,
    'initial_status', 200, 'redirect_count', 0, 'redirects', '[]'::json, 'final_url', ${url},
    'content_type', 'text/html', 'response_time_ms', n % 900, 'soft404_checked', true,
    'soft404_reasons', json_build_array('title_not_found'), 'bot_wall', null, 'error', null)`,
  index: sql`json_build_object('is_indexed', n % 2 = 0, 'engine', 'google', 'match', 'exact', 'matched_url', ${url},
    'found_by', 'url', 'similar_url', null, 'provider', 'serper')`,
  keyword: sql`json_build_object('found', true, 'rank', n % 100 + 1, 'ranked_url', ${url}, 'page', n % 100 / 10 + 1,
    'position_on_page', n % 10 + 1, 'pages_searched', 1, 'featured_snippet_url', null, 'provider', 'serper')`,
};
