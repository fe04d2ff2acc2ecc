import { sql } from 'kysely';
import type { Db } from '../../db/postgres/connect.ts';

const urls = 2_500;

/** The URL of the nth index check of `fillHistory`. */
export function urlOfCheck(n: number): string {
  return `https://example.com/${n % urls}`;
}

/**
 * Inserts index checks 1 to `rows` of an account, three a second until now. Every tenth is not indexed. Then updates
 * Postgres's statistics, as autovacuum does.
 */
export async function fillHistory(db: Db, accountId: number, rows: number): Promise<void> {
  await sql`
    insert into history (account_id, request_id, type, state, input, series, is_indexed, checked_at)
    select ${accountId}, n, 'index', 'success', json_build_object('url', url),
      sha256(convert_to('["' || url || '"]', 'UTF8')), n % 10 > 0,
      date_trunc('milliseconds', now()) - ((${rows}::int - n) / 3) * interval '1 second'
    from generate_series(1, ${rows}::int) as n, concat('https://example.com/', n % ${urls}::int) as url`.execute(
    db,
  );
  await sql`vacuum analyze history`.execute(db);
}
