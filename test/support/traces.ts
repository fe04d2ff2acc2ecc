import { sql } from 'kysely';
import type { Db } from '../../db/postgres/connect.ts';

const naming = [
  ...['batches', 'deliveries', 'idempotency_keys', 'monitors', 'activity', 'api_tokens', 'accounts'],
  ...['invitations', 'report_links', 'memberships', 'sessions', 'mails'],
];

/** The rows of an account that name somebody, or where to tell him. */
export async function tracesOf(db: Db, accountId: number, names: RegExp): Promise<string[]> {
  const found: string[] = [];
  for (const table of naming) {
    const { rows } = await sql<{ row: string }>`
      select row_to_json(one)::text as row from ${sql.table(table)} as one
      where account_id = ${accountId}`.execute(db);
    found.push(...rows.map(({ row }) => row).filter((row) => names.test(row)));
  }
  return found;
}
