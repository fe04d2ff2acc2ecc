import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';

/** Adds used units to an account. Used units decay by `perHour` units an hour, by the clock of Postgres. */
export async function add(db: Db, accountId: number, units: number, perHour: number): Promise<void> {
  // The time comes from the inserted row, because a cluster does not allow now() in `do update`.
  const since = sql`excluded.changed_at - allowances.changed_at`;
  await sql`
    insert into allowances (account_id, weight) values (${accountId}, ${units}::float8)
    on conflict (account_id) do update set changed_at = excluded.changed_at,
      weight = ${remainingAfter(since, perHour)} + excluded.weight`.execute(db);
}

/** Returns the used units that have not decayed yet. */
export async function used(db: Db, accountId: number, perHour: number): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select ${remainingAfter(sql`now() - changed_at`, perHour)} as used
    from allowances where account_id = ${accountId}`.execute(db);
  return rows[0]?.used ?? 0;
}

function remainingAfter(since: RawBuilder<unknown>, perHour: number) {
  return sql<number>`greatest(0,
    allowances.weight - extract(epoch from ${since})::float8 * ${perHour}::float8 / 3600)`;
}
