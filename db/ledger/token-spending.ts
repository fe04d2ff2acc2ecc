import { sql } from 'kysely';
import { ApiError } from '../../process/api-error.ts';
import { counted, grouped } from '../../process/counted.ts';
import type { Db, Trx } from '../postgres/connect.ts';

export interface LimitedToken {
  tokenId: number;
  /** Maximum credits per calendar month (UTC). Refunds are subtracted. */
  creditsPerMonth: number;
}

/** Error for a request that costs more credits than the token has left this month. */
export class TokenLimitError extends ApiError {
  constructor(needed: number, available: number, perMonth: number) {
    const left = `${grouped(available)} of its ${counted(perMonth, 'credit')} for this month left`;
    const message =
      `This request costs ${counted(needed, 'credit')}. This token has ${left}. You were not charged. ` +
      'Wait until next month, or use another token.';
    super('token_limit', message, { details: { credits_needed: needed, credits_available: available } });
  }
}

/** Token and month that a charge counted against. */
export interface TokenCharge {
  /** Null without a monthly limit. */
  tokenId: number | null;
  /** The first day of the month (UTC): `2026-11-01`. */
  month: string;
}

const thisMonth = sql<Date>`date_trunc('month', now() at time zone 'utc')::date`;

/**
 * Checks the monthly limit of a token and counts the credits that this transaction charges. Does nothing without a
 * limit. Call this after the account row is locked, in the same order as in refunds. Throws TokenLimitError if fewer
 * credits are left.
 */
export async function spend(trx: Trx, spender: LimitedToken | null, credits: number): Promise<void> {
  if (spender === null || credits === 0) return;
  const { tokenId, creditsPerMonth } = spender;
  const { rows } = await sql`
    insert into token_spending (token_id, month, credits)
    select token_id, ${thisMonth}, ${credits}::bigint from api_tokens
    where token_id = ${tokenId} and ${credits}::bigint <= ${creditsPerMonth}::bigint
    on conflict (token_id, month) do update set credits = token_spending.credits + excluded.credits
      where token_spending.credits + excluded.credits <= ${creditsPerMonth}::bigint
    returning credits`.execute(trx);
  if (rows.length > 0) return;
  // If the token was deleted, the account is being closed. The closing cancels these checks, so their credits need no
  // count.
  if (creditsPerMonth > 0 && (await findSpender(trx, tokenId))?.creditsPerMonth === 0) return;
  throw await limitError(trx, spender, credits);
}

/** Throws TokenLimitError if fewer credits are left. Takes no lock. `spend` checks the limit again with a lock. */
export async function requireRemaining(db: Db, spender: LimitedToken | null, credits: number): Promise<void> {
  if (spender !== null && (await findRemaining(db, spender)) < credits)
    throw await limitError(db, spender, credits);
}

/** Returns the credits left this month. Returns Infinity if there is no limit. Takes no lock. */
export async function findRemaining(db: Db, spender: LimitedToken | null): Promise<number> {
  if (spender === null) return Number.POSITIVE_INFINITY;
  return Math.max(0, spender.creditsPerMonth - (await findSpent(db, spender.tokenId)));
}

/**
 * Subtracts a refund from the month of the charge. Does nothing without a token. Call this in the transaction of the
 * refund, after the account row is locked.
 */
export async function refund(trx: Trx, { tokenId, month }: TokenCharge, credits: number): Promise<void> {
  if (tokenId === null || credits === 0) return;
  await sql`
    update token_spending set credits = greatest(0, credits - ${credits}::bigint)
    where token_id = ${tokenId} and month = ${month}::date`.execute(trx);
}

/** Returns the credits charged against a token this month, minus refunds. */
export async function findSpent(db: Db, tokenId: number): Promise<number> {
  const row = await db
    .selectFrom('tokenSpending')
    .select('credits')
    .where('tokenId', '=', tokenId)
    .where('month', '=', thisMonth)
    .executeTakeFirst();
  return row?.credits ?? 0;
}

/**
 * Returns a token with its limit. The token may be revoked or expired. Returns null if `tokenId` is null or the token
 * has no limit. A check stores a token id only if the token had a limit. If that token was deleted since, returns a
 * limit of 0.
 */
export async function findSpender(db: Db, tokenId: number | null): Promise<LimitedToken | null> {
  if (tokenId === null) return null;
  const row = await db
    .selectFrom('apiTokens')
    .select('creditsPerMonth')
    .where('tokenId', '=', tokenId)
    .executeTakeFirst();
  if (!row) return { tokenId, creditsPerMonth: 0 };
  return row.creditsPerMonth === null ? null : { tokenId, creditsPerMonth: row.creditsPerMonth };
}

async function limitError(db: Db, spender: LimitedToken, needed: number): Promise<TokenLimitError> {
  return new TokenLimitError(needed, await findRemaining(db, spender), spender.creditsPerMonth);
}
