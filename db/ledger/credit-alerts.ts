import { sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';

/** When an account wants to be told that its credits run low. */
export interface CreditAlert {
  /** Told below this balance; null where it does not want to be told. */
  threshold: number | null;
  /** Where that is told besides by mail, as it was sent; null where nowhere. */
  url: string | null;
  /** Since when the balance is below; null while it is not. Moved with the balance, by a trigger. */
  lowSince: Date | null;
  /**
   * When that was owed to the webhook and the owners, whatever became of it then; null until then, and from when the
   * balance has risen again.
   */
  toldAt: Date | null;
}

/** A balance that has fallen below what the account said, as it is told. */
export interface LowCredits {
  /** The balance as it is told. */
  credits: number;
  threshold: number;
  /** Where it is told besides by mail; null where nowhere. */
  url: string | null;
  lowSince: Date;
}

/** The alert of an account; without a threshold until somebody sets one. */
export async function find(db: Db | Trx, accountId: number): Promise<CreditAlert> {
  return db
    .selectFrom('accounts')
    .select(columns)
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
}

/**
 * Changes what is given of an alert, null clears it, and answers it as it is then. Where the balance is below the
 * threshold already, that is to be told; where that was told for another threshold, it is not told again.
 */
export async function change(
  trx: Trx,
  accountId: number,
  { threshold, url }: Partial<Pick<CreditAlert, 'threshold' | 'url'>>,
): Promise<CreditAlert> {
  return trx
    .updateTable('accounts')
    .set((eb) => ({
      alertThreshold: threshold === undefined ? eb.ref('alertThreshold') : threshold,
      alertUrl: url === undefined ? eb.ref('alertUrl') : url,
    }))
    .where('accountId', '=', accountId)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Open accounts whose credits have run low without their having been told, at most `limit`. Takes no lock. */
export async function findUntold(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('accountId')
    .where('lowSince', 'is not', null)
    .where('lowToldAt', 'is', null)
    .where('disabledAt', 'is', null)
    .orderBy('accountId')
    .limit(limit)
    .execute();
  return rows.map(({ accountId }) => accountId);
}

/** Marks a low balance as notified and returns it. Returns null if it was notified before, or the balance has risen. */
export async function noteTold(trx: Trx, accountId: number): Promise<LowCredits | null> {
  const low = await trx
    .updateTable('accounts')
    .set({ lowToldAt: sql`now()` })
    .where('accountId', '=', accountId)
    .where('lowSince', 'is not', null)
    .where('lowToldAt', 'is', null)
    .where('disabledAt', 'is', null)
    .returning(['credits', 'alertThreshold as threshold', 'alertUrl as url', 'lowSince'])
    .executeTakeFirst();
  // Low is only what has a threshold to be below.
  return (low as LowCredits | undefined) ?? null;
}

const columns = [
  'alertThreshold as threshold',
  'alertUrl as url',
  'lowSince',
  'lowToldAt as toldAt',
] as const;
