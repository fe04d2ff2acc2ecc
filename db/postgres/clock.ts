import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** Returns the time of Postgres. In a transaction, this is the start time of the transaction. */
export async function now(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
  return rows[0]?.now ?? new Date(Number.NaN);
}

/** Returns the time that decides whether monitors are due. Tests replace the SQL function `clock`. */
export async function clock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock() as now`.execute(db);
  return rows[0]?.now ?? new Date(Number.NaN);
}
