import { sql } from 'kysely';
import type { OverviewContents } from '../../schemas/features.ts';
import type { FoundResult } from '../../schemas/keyword.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { toStorableJson } from '../postgres/text.ts';

const urlLengthMax = 512;
const titleLengthMax = 160;
const bytesMax = 16 * 1024;
const overviewBytesMax = 64 * 1024;

/** Returns the retention of result pages in days. `days` is the retention of items. */
export function resultPagesDays(days: number): number {
  return Math.min(30, days);
}

/** Results and overview of a check, each only if it was requested. */
export interface StoredResults {
  results?: FoundResult[] | undefined;
  overview?: OverviewContents | undefined;
}

/** Inserts what checks found. Cuts results to 16 KiB and overviews to 64 KiB per check. */
export async function save(
  trx: Trx,
  accountId: number,
  found: Array<StoredResults & { requestId: number }>,
): Promise<void> {
  if (found.length === 0) return;
  const rows = found.map(({ requestId, results, overview }) => ({
    request_id: requestId,
    results: results && truncate(results),
    overview: overview && truncateOverview(overview),
  }));
  // The statement selects from `accounts`, so that a cluster runs the whole statement on the account's node.
  await sql`
    insert into result_pages (account_id, request_id, results, overview)
    select accounts.account_id, request_id, results, overview
    from accounts cross join json_to_recordset(${toStorableJson(rows)}::json)
      as found (request_id bigint, results json, overview json)
    where accounts.account_id = ${accountId}
    on conflict do nothing`.execute(trx);
}

/** Returns results and overviews by request id. Leaves out checks without stored results and overviews. */
export async function find(
  db: Db,
  accountId: number,
  requestIds: number[],
): Promise<Map<number, StoredResults>> {
  if (requestIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('resultPages')
    .select(['requestId', 'results', 'overview'])
    .where('accountId', '=', accountId)
    .where('requestId', '=', sql<number>`any(${requestIds}::bigint[])`)
    .execute();
  return new Map(
    rows.map(({ requestId, results, overview }) => [
      requestId,
      { results: results ?? undefined, overview: overview ?? undefined },
    ]),
  );
}

/** Returns the last checks of a query whose results or AI Overview are kept, newest first. */
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

/** Cuts long URLs, then removes sources from the end until at most 64 KiB are left. */
function truncateOverview({ sources, text }: OverviewContents): OverviewContents {
  const short = { text, sources: sources.map((one) => ({ ...one, url: one.url.slice(0, urlLengthMax) })) };
  while (Buffer.byteLength(JSON.stringify(short)) > overviewBytesMax) short.sources.pop();
  return short;
}
