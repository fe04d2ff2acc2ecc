import { sql } from 'kysely';
import type { LedgerKind } from '../../schemas/credits.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { currentId, idsPerDay } from '../retention/partitions.ts';

/** Nothing was charged: the account has fewer credits than the request needs. */
export class InsufficientCreditsError extends Error {
  readonly needed: number;
  readonly available: number;

  constructor(needed: number, available: number) {
    super(`${needed} credits are needed and ${available} are there`);
    this.name = 'InsufficientCreditsError';
    this.needed = needed;
    this.available = available;
  }
}

/** What a charge or refund is for: a batch as a whole, or one single check. */
export type ChargeSubject = { batchId: string; requestId?: never } | { requestId: number; batchId?: never };

/** One movement of credits; written with the balance it makes, and never changed. */
export interface Entry {
  /** From 1 on, without gaps within the account. */
  entryNo: number;
  kind: LedgerKind;
  /** Credits; below zero for a charge. */
  amount: number;
  balanceAfter: number;
  /** What it was for: a batch, or a single check, or neither (both null) for grants and adjustments. */
  batchId: string | null;
  requestId: number | null;
  /** What the operator wrote; null for charges and refunds. */
  note: string | null;
  createdAt: Date;
}

/** The credits an account has; 0 when there is no such account. Takes no lock. */
export async function balance(db: Db | Trx, accountId: number): Promise<number> {
  const row = await db
    .selectFrom('accounts')
    .select('credits')
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row?.credits ?? 0;
}

/**
 * Refunds credits for a subject and returns the balance. Locks the account row. Nothing for an amount of 0.
 */
export async function refund(
  trx: Trx,
  accountId: number,
  amount: number,
  subject: ChargeSubject,
): Promise<number> {
  if (amount === 0) return balance(trx, accountId);
  return moveOrThrow(trx, accountId, { kind: 'refund', amount, ...subject });
}

/** Adds bought or given credits and answers the balance. Throws when there is no such account. */
export async function grant(
  trx: Trx,
  accountId: number,
  amount: number,
  note: string | null,
): Promise<number> {
  return moveOrThrow(trx, accountId, { kind: 'grant', amount, note });
}

/** Corrects a balance up or down and answers it. Throws when it would fall below zero. */
export async function adjust(trx: Trx, accountId: number, amount: number, note: string): Promise<number> {
  return moveOrThrow(trx, accountId, { kind: 'adjustment', amount, note });
}

/** An account's entries, newest first; `after` goes on after an entry, at the cost of the first page. */
export function list(
  db: Db,
  accountId: number,
  { limit, offset = 0, after }: { limit: number; offset?: number; after?: { entryNo: number } },
): Promise<Entry[]> {
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

/** How many entries an account has: they are numbered without gaps. */
export async function count(db: Db, accountId: number): Promise<number> {
  const row = await db
    .selectFrom('accounts')
    .select('entries')
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row?.entries ?? 0;
}

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

interface Movement {
  kind: LedgerKind;
  amount: number;
  batchId?: string;
  requestId?: number;
  note?: string | null;
}

/** In one statement (`move_credits`). Returns the balance. */
async function moveOrThrow(trx: Trx, accountId: number, movement: Movement): Promise<number> {
  const { kind, amount, batchId = null, requestId = null, note = null } = movement;
  const { rows } = await sql<{ balance: number | null }>`
    select balance from move_credits(${accountId}::bigint, ${kind}::text, ${amount}::bigint, ${batchId}::uuid,
      ${requestId}::bigint, ${note}::text)`.execute(trx);
  const balance = rows[0]?.balance ?? null;
  if (balance === null)
    throw new Error(`account ${accountId} is not there, or its credits do not allow this`);
  return balance;
}
