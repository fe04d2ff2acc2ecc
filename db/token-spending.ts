import { sql } from 'kysely';
import type { Db, Trx } from './connect.ts';

/** A token by which something is charged. */
export interface Spender {
  tokenId: number;
  /** What may be charged by it in a calendar month of UTC; null without a limit, and then nothing is counted. */
  creditsPerMonth: number | null;
}

/** The token has less left of this month's credits than is needed. */
export class TokenLimitError extends Error {
  readonly needed: number;
  readonly available: number;
  readonly perMonth: number;

  constructor(needed: number, available: number, perMonth: number) {
    super(`${needed} credits needed, ${available} of ${perMonth} left this month`);
    this.name = 'TokenLimitError';
    this.needed = needed;
    this.available = available;
    this.perMonth = perMonth;
  }
}

const thisMonth = sql<Date>`date_trunc('month', now() at time zone 'utc')::date`;

/**
 * Counts credits that are charged by a token in this transaction. Locks its row until that ends. Throws
 * TokenLimitError when they are more than are left.
 */
export async function spend(trx: Trx, { tokenId, creditsPerMonth }: Spender, credits: number): Promise<void> {
  if (creditsPerMonth === null || credits === 0) return;
  const { rows } = await sql`
    insert into token_spending (token_id, month, credits)
    select ${tokenId}, ${thisMonth}, ${credits}::bigint where ${credits}::bigint <= ${creditsPerMonth}::bigint
    on conflict (token_id, month) do update set credits = token_spending.credits + excluded.credits
      where token_spending.credits + excluded.credits <= ${creditsPerMonth}::bigint
    returning credits`.execute(trx);
  if (rows.length > 0) return;
  const available = Math.max(0, creditsPerMonth - (await spentOf(trx, tokenId)));
  throw new TokenLimitError(credits, available, creditsPerMonth);
}

/** Credits charged by a token that has a limit, in this month. */
export async function spentOf(db: Db | Trx, tokenId: number): Promise<number> {
  const row = await db
    .selectFrom('tokenSpending')
    .select('credits')
    .where('tokenId', '=', tokenId)
    .where('month', '=', thisMonth)
    .executeTakeFirst();
  return row?.credits ?? 0;
}
