import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';

/**
 * What unpaid work an account may cause in an hour, in units of weight; as much as that sinks away in an
 * hour.
 */
export interface HourlyAllowance {
  perHour: number;
}

/**
 * Adds weight where there is room for it, and answers whether there was. Postgres's clock decides how far the
 * level has sunk; two at once come one after the other.
 */
export async function take(
  db: Db | Trx,
  accountId: number,
  weight: number,
  { perHour }: HourlyAllowance,
): Promise<boolean> {
  if (weight > perHour) return false;
  const sunk = sunkBy(perHour, untilThen);
  const { rows } = await sql`
    insert into allowances (account_id, weight) values (${accountId}, ${weight}::float8)
    on conflict (account_id) do update set weight = ${sunk} + excluded.weight, changed_at = excluded.changed_at
    where ${sunk} + excluded.weight <= ${perHour}::float8
    returning account_id`.execute(db);
  return rows.length > 0;
}

/** Adds weight, however much, wherever anything is left, and answers whether there was. Two at once come in turn. */
export async function takeLast(
  db: Db | Trx,
  accountId: number,
  weight: number,
  { perHour }: HourlyAllowance,
): Promise<boolean> {
  const sunk = sunkBy(perHour, untilThen);
  const { rows } = await sql`
    insert into allowances (account_id, weight) values (${accountId}, ${weight}::float8)
    on conflict (account_id) do update set weight = ${sunk} + excluded.weight, changed_at = excluded.changed_at
    where ${sunk} < ${perHour}::float8
    returning account_id`.execute(db);
  return rows.length > 0;
}

/** Adds weight for what was done already, whether or not there was room for it, or takes it off; never below 0. */
export async function spend(
  db: Db | Trx,
  accountId: number,
  weight: number,
  { perHour }: HourlyAllowance,
): Promise<void> {
  await sql`
    insert into allowances (account_id, weight) values (${accountId}, greatest(0, ${weight}::float8))
    on conflict (account_id) do update set changed_at = excluded.changed_at,
      weight = greatest(0, ${sunkBy(perHour, untilThen)} + ${weight}::float8)`.execute(db);
}

/** The level now: 0 when the account has caused nothing of late. */
export async function level(db: Db | Trx, accountId: number, { perHour }: HourlyAllowance): Promise<number> {
  const { rows } = await sql<{ weight: number }>`
    select ${sunkBy(perHour, sql`now() - changed_at`)} as weight from allowances where account_id = ${accountId}`.execute(
    db,
  );
  return rows[0]?.weight ?? 0;
}

// A row that is inserted is of now; on a cluster the clock cannot be read where there is a row already.
const untilThen = sql`excluded.changed_at - allowances.changed_at`;

function sunkBy(perHour: number, since: RawBuilder<unknown>) {
  return sql<number>`greatest(0,
    allowances.weight - extract(epoch from ${since})::float8 * ${perHour}::float8 / 3600)`;
}
