import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';

/**
 * Adds units to what an account has used, of which `perHour` are worked off in an hour. Postgres's clock decides how
 * many have been; two at once come one after the other.
 */
export async function add(db: Db | Trx, accountId: number, units: number, perHour: number): Promise<void> {
  // A row that is inserted is of now; on a cluster the clock cannot be read where there is a row already.
  const since = sql`excluded.changed_at - allowances.changed_at`;
  await sql`
    insert into allowances (account_id, weight) values (${accountId}, ${units}::float8)
    on conflict (account_id) do update set changed_at = excluded.changed_at,
      weight = ${leftAfter(since, perHour)} + excluded.weight`.execute(db);
}

/** Returns the units used and not worked off yet: 0 when the account has used none recently. */
export async function used(db: Db | Trx, accountId: number, perHour: number): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select ${leftAfter(sql`now() - changed_at`, perHour)} as used
    from allowances where account_id = ${accountId}`.execute(db);
  return rows[0]?.used ?? 0;
}

function leftAfter(since: RawBuilder<unknown>, perHour: number) {
  return sql<number>`greatest(0,
    allowances.weight - extract(epoch from ${since})::float8 * ${perHour}::float8 / 3600)`;
}
