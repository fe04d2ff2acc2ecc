import { sql } from 'kysely';
import { selectAccount, updateAccount } from '../accounts/accounts.ts';
import type { Db, Trx } from '../postgres/connect.ts';

/** Settings and state of the low-credits alert of an account. */
export interface CreditAlert {
  /** The alert is sent below this balance. Null if the alert is off. */
  threshold: number | null;
  /** URL that receives a webhook in addition to the mail, as submitted; null for none. */
  url: string | null;
  /** When the balance fell below the threshold; null if the balance is not below. Set by a trigger. */
  lowSince: Date | null;
  /**
   * When the webhook and the mails were enqueued; null before that. Becomes null again when the balance reaches the
   * threshold.
   */
  notifiedAt: Date | null;
}

export interface LowCredits {
  /** Current balance. */
  credits: number;
  threshold: number;
  url: string | null;
  lowSince: Date;
}

export async function find(db: Db, accountId: number): Promise<CreditAlert> {
  return selectAccount(db, accountId).select(columns).executeTakeFirstOrThrow();
}

/**
 * Changes the given settings of an alert and returns the alert. If the balance is already below the threshold, the
 * alert is due immediately. After an alert was sent, the next alert is due when the balance has reached the threshold
 * and has fallen below it again.
 */
export async function change(
  trx: Trx,
  accountId: number,
  { threshold, url }: Partial<Pick<CreditAlert, 'threshold' | 'url'>>,
): Promise<CreditAlert> {
  return updateAccount(trx, accountId)
    .set((eb) => ({
      alertThreshold: threshold === undefined ? eb.ref('alertThreshold') : threshold,
      alertUrl: url === undefined ? eb.ref('alertUrl') : url,
    }))
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Returns at most `limit` open accounts with a due alert. Takes no lock. */
export async function findPendingAlerts(db: Db, limit: number): Promise<number[]> {
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

/** Marks the alert of an account as sent. Returns null if no alert is due. */
export async function claimDueAlert(trx: Trx, accountId: number): Promise<LowCredits | null> {
  const low = await updateAccount(trx, accountId)
    .set({ lowToldAt: sql`now()` })
    .where('lowSince', 'is not', null)
    .where('lowToldAt', 'is', null)
    .where('disabledAt', 'is', null)
    .returning(['credits', 'alertThreshold as threshold', 'alertUrl as url', 'lowSince'])
    .executeTakeFirst();
  // A row with `low_since` also has a threshold.
  return (low as LowCredits | undefined) ?? null;
}

const columns = [
  'alertThreshold as threshold',
  'alertUrl as url',
  'lowSince',
  'lowToldAt as notifiedAt',
] as const;
