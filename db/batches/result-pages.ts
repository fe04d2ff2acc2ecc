import { sql } from 'kysely';
import type { FoundResult } from '../../schemas/keyword.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { storableJson } from '../postgres/text.ts';

const urlLengthMax = 512;
const titleLengthMax = 160;
const bytesMax = 16 * 1024;

/** For how many days they are kept where work is kept for `days`: never longer than their items. */
export function resultPagesDays(days: number): number {
  return Math.min(30, days);
}

/** Keeps the results that checks found, cut to 16 KiB each: from the end, and long addresses and titles first. */
export async function keep(
  trx: Trx,
  accountId: number,
  found: Array<{ requestId: number; results: FoundResult[] }>,
): Promise<void> {
  if (found.length === 0) return;
  const rows = found.map(({ requestId, results }) => ({ request_id: requestId, results: cut(results) }));
  // Beside the account's row, so that a cluster hands the whole statement to the node which has that.
  await sql`
    insert into result_pages (account_id, request_id, results)
    select accounts.account_id, request_id, results
    from accounts cross join json_to_recordset(${storableJson(rows)}::json) as found (request_id bigint, results json)
    where accounts.account_id = ${accountId}
    on conflict do nothing`.execute(trx);
}

/** The results that these checks of an account found; those that were not asked for them, or long ago, have none. */
export async function find(
  db: Db | Trx,
  accountId: number,
  requestIds: number[],
): Promise<Map<number, FoundResult[]>> {
  if (requestIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('resultPages')
    .select(['requestId', 'results'])
    .where('accountId', '=', accountId)
    .where('requestId', '=', sql<number>`any(${requestIds}::bigint[])`)
    .execute();
  return new Map(rows.map(({ requestId, results }) => [requestId, results]));
}

/** Cuts long addresses and titles, and the end of what exceeds 16 KiB. */
export function cut(results: FoundResult[]): FoundResult[] {
  const short = results.map((result) => ({
    ...result,
    url: result.url.slice(0, urlLengthMax),
    title: result.title.slice(0, titleLengthMax),
  }));
  while (Buffer.byteLength(JSON.stringify(short)) > bytesMax) short.pop();
  return short;
}
