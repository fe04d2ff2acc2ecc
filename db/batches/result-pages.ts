import { sql } from 'kysely';
import type { FoundResult } from '../../schemas/keyword.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { toStorableJson } from '../postgres/text.ts';

const urlLengthMax = 512;
const titleLengthMax = 160;
const bytesMax = 16 * 1024;

/** Returns the retention of result pages in days. `days` is the retention of items. */
export function resultPagesDays(days: number): number {
  return Math.min(30, days);
}

/** Inserts the results that checks found. Cuts them to 16 KiB per check. */
export async function save(
  trx: Trx,
  accountId: number,
  found: Array<{ requestId: number; results: FoundResult[] }>,
): Promise<void> {
  if (found.length === 0) return;
  const rows = found.map(({ requestId, results }) => ({ request_id: requestId, results: truncate(results) }));
  // The statement selects from `accounts`, so that a cluster sends all of it to the account's node.
  await sql`
    insert into result_pages (account_id, request_id, results)
    select accounts.account_id, request_id, results
    from accounts cross join json_to_recordset(${toStorableJson(rows)}::json) as found (request_id bigint, results json)
    where accounts.account_id = ${accountId}
    on conflict do nothing`.execute(trx);
}

/** Returns results by request id. Leaves out checks that have no stored results. */
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

/** Returns the last checks of a query whose results are kept, newest first. */
export async function listChecks(
  db: Db,
  accountId: number,
  series: Buffer,
  limit: number,
): Promise<Array<{ requestId: number; checkedAt: Date }>> {
  return (
    db
      .selectFrom('history')
      .innerJoin('resultPages', (join) =>
        join
          .onRef('resultPages.accountId', '=', 'history.accountId')
          .onRef('resultPages.requestId', '=', 'history.requestId'),
      )
      .select(['history.requestId', 'checkedAt'])
      .where('history.accountId', '=', accountId)
      .where('type', '=', 'keyword')
      .where('series', '=', series)
      // Older results are deleted, so older partitions need no look-up.
      .where('checkedAt', '>', sql<Date>`now() - interval '40 days'`)
      .orderBy('checkedAt', 'desc')
      .orderBy('history.requestId', 'desc')
      .limit(limit)
      .execute()
  );
}

/** Cuts long URLs and titles. Then removes results from the end until at most 16 KiB are left. */
export function truncate(results: FoundResult[]): FoundResult[] {
  const short = results.map((result) => ({
    ...result,
    url: result.url.slice(0, urlLengthMax),
    title: result.title.slice(0, titleLengthMax),
  }));
  while (Buffer.byteLength(JSON.stringify(short)) > bytesMax) short.pop();
  return short;
}
