import { type RawBuilder, sql } from 'kysely';
import { ApiError } from '../../process/api-error.ts';
import { counted, grouped } from '../../process/counted.ts';
import type { LedgerKind } from '../../schemas/credits.ts';
import { selectAccount } from '../accounts/accounts.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { findCurrentId, idsPerDay } from '../retention/partitions.ts';

/** Error for an account that has fewer credits than the request costs. */
export class InsufficientCreditsError extends ApiError {
  readonly needed: number;
  readonly available: number;

  /** `isDivisible`: the caller can submit fewer inputs instead. */
  constructor(needed: number, available: number, isDivisible = false) {
    const cost = `This request costs ${counted(needed, 'credit')}. Your balance is ${grouped(available)}.`;
    // Only the operator can grant credits.
    const advice =
      isDivisible && available > 0
        ? 'Check fewer URLs or keywords, or ask the operator for credits.'
        : 'Ask the operator for credits.';
    super('insufficient_credits', `${cost} You were not charged. ${advice}`, {
      details: { credits_needed: needed, credits_available: available },
    });
    this.needed = needed;
    this.available = available;
  }
}

/** A ledger entry. Never changed. */
export interface LedgerEntryRow {
  /** Number of the entry in the account: 1, 2, 3 and so on, without gaps. */
  entryNo: number;
  kind: LedgerKind;
  /** Credits; negative for a charge. */
  amount: number;
  balanceAfter: number;
  /** Batch or single check of a charge or refund; both null for grants and adjustments. */
  batchId: string | null;
  requestId: number | null;
  /** Written by the operator; null for charges and refunds. */
  note: string | null;
  createdAt: Date;
}

/** Returns the credits of an account; 0 if the account does not exist. Takes no lock. */
export async function balance(db: Db, accountId: number): Promise<number> {
  const row = await selectAccount(db, accountId).select('credits').executeTakeFirst();
  return row?.credits ?? 0;
}

/** Refunds credits of a single check and returns the balance. Locks the account row. */
export function refund(trx: Trx, accountId: number, amount: number, requestId: number): Promise<number> {
  return moveCredits(trx, accountId, { kind: 'refund', amount, requestId });
}

/** Adds credits and returns the balance. Throws if the account does not exist. */
export function grant(trx: Trx, accountId: number, amount: number, note: string | null): Promise<number> {
  return moveCredits(trx, accountId, { kind: 'grant', amount, note });
}

/**
 * Adds `amount`, which can be negative, to a balance. Returns the new balance. Throws if the new balance would be
 * negative.
 */
export function adjust(trx: Trx, accountId: number, amount: number, note: string): Promise<number> {
  return moveCredits(trx, accountId, { kind: 'adjustment', amount, note });
}

/** Returns an account's entries, newest first. With `after`, each page is as fast as the first page. */
export function list(
  db: Db,
  accountId: number,
  { limit, offset = 0, after }: { limit: number; offset?: number; after?: { entryNo: number } },
): Promise<LedgerEntryRow[]> {
  return db
    .selectFrom('ledgerEntries')
    .select(['entryNo', 'kind', 'amount', 'balanceAfter', 'batchId', 'requestId', 'note', 'createdAt'])
    .where('accountId', '=', accountId)
    .$if(after !== undefined, (query) => query.where('entryNo', '<', Number(after?.entryNo)))
    .orderBy('entryNo', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function count(db: Db, accountId: number): Promise<number> {
  const row = await selectAccount(db, accountId).select('entries').executeTakeFirst();
  return row?.entries ?? 0;
}

/**
 * Returns the credits used (charges minus refunds) on each of the last `days` days (UTC), today last. A day looks like
 * `2026-11-20`. The use of a day is the balance at the start, minus the balance at the end, plus grants and
 * adjustments. The query therefore does not read all entries of the day.
 */
export async function listUseByDay(db: Db, accountId: number, days: number) {
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
 * Returns the credits that an account has paid for answers in the last `days` days. Credits of unfinished checks and of
 * AI Overviews in unfinished batches are subtracted, because they may be refunded. Does not read all entries. Searches
 * single checks in flight only among the ids of one day before and after now. Older checks have been refunded.
 */
export async function sumPaidForAnswers(db: Db, accountId: number, days: number): Promise<number> {
  const id = await findCurrentId(db);
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
      select coalesce(sum(total - successful - failed + overviews - overviews_refunded), 0)::bigint as unfinished
      from batches
      where account_id = ${accountId} and completed_at is null and not is_test) as open
    cross join lateral (
      select coalesce(sum(1 + coalesce((inputs->0->'input'->'include')::jsonb ? 'ai_overview', false)::int), 0) as in_flight
      from chunks
      where account_id = ${accountId} and batch_id is null and settled < size and not is_test
        and chunk_id between ${id - idsPerDay}::bigint and ${id + idsPerDay}::bigint) as singles
    where accounts.account_id = ${accountId}`.execute(db);
  return rows[0]?.paid ?? 0;
}

interface Movement {
  kind: LedgerKind;
  amount: number;
  requestId?: number;
  note?: string | null;
}

async function moveCredits(
  trx: Trx,
  accountId: number,
  { kind, amount, requestId, note }: Movement,
): Promise<number> {
  const { rows } = await sql<{ balance: number | null }>`
    select balance from move_credits(${accountId}::bigint, ${kind}::text, ${amount}::bigint, null,
      ${requestId ?? null}::bigint, ${note ?? null}::text)`.execute(trx);
  const balance = rows[0]?.balance ?? null;
  if (balance === null) throw new Error(`Account ${accountId} does not exist or has too few credits.`);
  return balance;
}

/**
 * Adds used units to the allowance of an account. The allowance refills by `perHour` units an hour, by the clock of
 * Postgres.
 */
export async function addUsedUnits(db: Db, accountId: number, units: number, perHour: number): Promise<void> {
  // The time comes from the inserted row, because a cluster does not allow now() in `do update`.
  const since = sql`excluded.changed_at - allowances.changed_at`;
  await sql`
    insert into allowances (account_id, weight) values (${accountId}, ${units}::float8)
    on conflict (account_id) do update set changed_at = excluded.changed_at,
      weight = ${remainingAfter(since, perHour)} + excluded.weight`.execute(db);
}

/** Returns the used units of the allowance that are not refilled yet. */
export async function findUsedUnits(db: Db, accountId: number, perHour: number): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select ${remainingAfter(sql`now() - changed_at`, perHour)} as used
    from allowances where account_id = ${accountId}`.execute(db);
  return rows[0]?.used ?? 0;
}

function remainingAfter(since: RawBuilder<unknown>, perHour: number) {
  return sql<number>`greatest(0,
    allowances.weight - extract(epoch from ${since})::float8 * ${perHour}::float8 / 3600)`;
}
