import { sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';

/**
 * Accounts, each once, in groups for statements of any shape: one Postgres takes all in one, a cluster those of one
 * account, and only where each of its tables is told so.
 */
export async function groupsOf(db: Db | Trx, accountIds: number[]): Promise<number[][]> {
  const distinct = [...new Set(accountIds)];
  if (distinct.length < 2) return distinct.map((accountId) => [accountId]);
  const { rows } = await sql<{ isCluster: boolean }>`select is_cluster() as is_cluster`.execute(db);
  return rows[0]?.isCluster ? distinct.map((accountId) => [accountId]) : [distinct];
}
