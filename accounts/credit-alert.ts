import * as activity from '../db/accounts/activity.ts';
import * as memberships from '../db/accounts/memberships.ts';
import { isConfirmed } from '../db/accounts/user-emails.ts';
import * as alerts from '../db/ledger/credit-alerts.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { type EnqueueMailDeps, enqueueMail } from '../mail/enqueue.ts';
import { createLowCreditsEvent, type LowCreditsDeps } from '../webhooks/low-credits.ts';

export type AlertDeps = EnqueueMailDeps & LowCreditsDeps;

interface AlertChange {
  accountId: number;
  by: activity.Actor;
  /** For `threshold` and `url`, undefined keeps the stored value, and null removes the value. */
  threshold?: number | null;
  url?: string | null;
}

export async function changeCreditAlert(
  trx: Trx,
  { accountId, by, ...change }: AlertChange,
): Promise<alerts.CreditAlert> {
  const alert = await alerts.change(trx, accountId, change);
  const about = alert.threshold === null ? 'off' : `below ${alert.threshold}`;
  await activity.record(trx, { accountId, what: 'credit_alert_changed', by, about });
  return alert;
}

/**
 * Sends the low-credits alert of an account to the webhook of the alert. Also mails the owners who have confirmed their
 * email address. In the same transaction, marks the alert as sent. The alert is sent again after the balance has
 * reached the threshold and has fallen below it again. Returns false if no alert is due, for example after another
 * process has sent the alert.
 */
export async function notifyLowCredits(trx: Trx, deps: AlertDeps, accountId: number): Promise<boolean> {
  const low = await alerts.claimDueAlert(trx, accountId);
  if (low === null) return false;
  if (low.url !== null) await createLowCreditsEvent(trx, deps, accountId, { ...low, url: low.url });
  for (const { userId } of await memberships.listOwners(trx, accountId)) {
    if (await isConfirmed(trx, userId))
      await enqueueMail(trx, deps, { template: 'credits_low', accountId, userId });
  }
  return true;
}
