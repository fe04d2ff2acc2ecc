import { sql } from 'kysely';
import type { LedgerKind } from '../../schemas/credits.ts';
import type { Db, Trx } from '../postgres/connect.ts';

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
