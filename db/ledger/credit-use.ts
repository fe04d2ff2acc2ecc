import { sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';
import { currentId, idsPerDay } from '../retention/partitions.ts';

/** Credits an account used on a day (UTC): charges less refunds. */
export interface DayUse {
  /** `2026-11-20` */
  day: string;
  used: number;
}

/**
 * The last `days` days, today last. A day's use is the balance before it less the balance after it plus what
 * was granted on it, so it costs the same whether the day has ten entries or a million.
 */
export async function byDay(db: Db, accountId: number, days: number): Promise<DayUse[]> {
  const { rows } = await sql<{ day: string; used: number }>`
    with days as (
      select day, day at time zone 'UTC' as begins, (day + interval '1 day') at time zone 'UTC' as ends
      from generate_series(
        date_trunc('day', now() at time zone 'UTC') - ${days - 1} * interval '1 day',
        date_trunc('day', now() at time zone 'UTC'), interval '1 day') as day)
    select to_char(day, 'YYYY-MM-DD') as day, balance_before - balance_after + granted as used
    from days
    cross join lateral (select coalesce((
      select balance_after from ledger_entries where account_id = ${accountId} and created_at < begins
      order by created_at desc, entry_no desc limit 1), 0) as balance_before) as before
    cross join lateral (select coalesce((
      select balance_after from ledger_entries where account_id = ${accountId} and created_at < ends
      order by created_at desc, entry_no desc limit 1), 0) as balance_after) as after
    cross join lateral (
      select coalesce(sum(amount), 0)::bigint as granted from ledger_entries
      where account_id = ${accountId} and kind in ('grant', 'adjustment')
        and created_at >= begins and created_at < ends) as grants
    order by day`.execute(db);
  return rows;
}

/**
 * Credits that an account has paid for answers in the last `days` days: what it used, less what is still
 * unfinished and may be refunded. Grants are no payment. Costs the same whether there are ten entries or a
 * million, and however many weeks are kept: single checks in flight are looked for among the ids of a day, for what was
 * begun before has long been given back.
 */
export async function paidForAnswers(db: Db | Trx, accountId: number, days: number): Promise<number> {
  const id = await currentId(db);
  const { rows } = await sql<{ paid: number }>`
    with since as (select now() - ${days} * interval '1 day' as begins)
    select greatest(0, balance_before + granted - accounts.credits - unfinished - in_flight)::float8 as paid
    from accounts, since
    cross join lateral (select coalesce((
      select balance_after from ledger_entries where account_id = ${accountId} and created_at < begins
      order by created_at desc, entry_no desc limit 1), 0) as balance_before) as before
    cross join lateral (
      select coalesce(sum(amount), 0)::bigint as granted from ledger_entries
      where account_id = ${accountId} and kind in ('grant', 'adjustment') and created_at >= begins) as grants
    cross join lateral (
      select coalesce(sum(total - successful - failed), 0)::bigint as unfinished from batches
      where account_id = ${accountId} and completed_at is null and not is_test) as open
    cross join lateral (
      select count(*) as in_flight from chunks
      where account_id = ${accountId} and batch_id is null and settled < size and not is_test
        and chunk_id between ${id - idsPerDay}::bigint and ${id + idsPerDay}::bigint) as singles
    where accounts.account_id = ${accountId}`.execute(db);
  return rows[0]?.paid ?? 0;
}
