import { sql } from 'kysely';
import type { Db, Trx } from './connect.ts';

/** Returns Postgres's time; in a transaction, the time of its beginning. */
export async function now(db: Db | Trx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
  return rows[0]?.now ?? new Date(Number.NaN);
}

/** Returns the time by which monitors are due: Postgres's time, unless a test has replaced the SQL function. */
export async function clock(db: Db | Trx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock() as now`.execute(db);
  return rows[0]?.now ?? new Date(Number.NaN);
}
