import * as activity from '../db/accounts/activity.ts';
import * as memberships from '../db/accounts/memberships.ts';
import { isConfirmed } from '../db/accounts/user-addresses.ts';
import * as alerts from '../db/ledger/credit-alerts.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { owe, type Post } from '../mail/owe.ts';
import { type LowCreditsTeller, oweLowCredits } from '../webhooks/low-credits.ts';

/** What telling takes from the process. */
export type AlertTeller = Post & LowCreditsTeller;

interface Wish {
  accountId: number;
  by: activity.Actor;
  /** What is not given stays. */
  threshold?: number | null;
  url?: string | null;
}

/** Sets the threshold and receiver of an account's credit alert, and returns the alert. */
export async function changeAlert(trx: Trx, { accountId, by, ...wish }: Wish): Promise<alerts.CreditAlert> {
  const alert = await alerts.change(trx, accountId, wish);
  const about = alert.threshold === null ? 'off' : `below ${alert.threshold}`;
  await activity.note(trx, { accountId, what: 'credit_alert_changed', by, about });
  return alert;
}

/**
 * Tells that the credits of an account run low: its webhook, and by mail its owners whose address is proved. Mark,
 * event, delivery and mails commit together, so it is told once until the balance has risen. False when there is
 * nothing to tell, which somebody else may have done.
 */
export async function tellLow(trx: Trx, teller: AlertTeller, accountId: number): Promise<boolean> {
  const low = await alerts.noteTold(trx, accountId);
  if (low === null) return false;
  if (low.url !== null) await oweLowCredits(trx, teller, accountId, { ...low, url: low.url });
  for (const { userId } of await memberships.ownersOf(trx, accountId)) {
    if (await isConfirmed(trx, userId))
      await owe(trx, teller, { template: 'credits_low', accountId, userId });
  }
  return true;
}
