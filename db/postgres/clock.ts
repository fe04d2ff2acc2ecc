import { sql } from 'kysely';
import type { Db, Trx } from './connect.ts';

/** Returns Postgres's own time, in a transaction that of its beginning. */
export async function now(db: Db | Trx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
  return rows[0]?.now ?? new Date(Number.NaN);
}

/**
 * The moment by which monitors are due, in a transaction that of its beginning: Postgres's now, wherever a process's
 * own clock stands. Tests put another function in its place; no setting does.
 */
export async function clock(db: Db | Trx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock() as now`.execute(db);
  return rows[0]?.now ?? new Date(Number.NaN);
}
