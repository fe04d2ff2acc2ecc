import * as activity from '../db/accounts/activity.ts';
import * as memberships from '../db/accounts/memberships.ts';
import { isConfirmed } from '../db/accounts/user-addresses.ts';
import * as alerts from '../db/ledger/credit-alerts.ts';
import type { Act } from '../db/postgres/act.ts';
import { owe, type Post } from '../mail/owe.ts';
import { type LowCreditsTeller, oweLowCredits } from '../webhooks/low-credits.ts';
import type { Allowance } from './allowance.ts';

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
export function changeAlert(
  { allowance }: { allowance: Allowance },
  { accountId, by, ...wish }: Wish,
): Act<alerts.CreditAlert> {
  return {
    before: () => allowance.take(accountId, { keptRows: 1 }),
    perform: async (trx) => {
      const alert = await alerts.change(trx, accountId, wish);
      const about = alert.threshold === null ? 'off' : `below ${alert.threshold}`;
      await activity.note(trx, { accountId, what: 'credit_alert_changed', by, about });
      return alert;
    },
  };
}

/**
 * Tells that the credits of an account run low: its webhook, and by mail its owners whose address is proved. Mark,
 * event, delivery and mails commit together, so it is told once until the balance has risen. False when there is
 * nothing to tell, which somebody else may have done.
 */
export function tellLow(teller: AlertTeller, accountId: number): Act<boolean> {
  return {
    perform: async (trx) => {
      const low = await alerts.noteTold(trx, accountId);
      if (low === null) return false;
      if (low.url !== null) await oweLowCredits(trx, teller, accountId, { ...low, url: low.url });
      for (const { userId } of await memberships.ownersOf(trx, accountId)) {
        if (await isConfirmed(trx, userId))
          await owe(trx, teller, { template: 'credits_low', accountId, userId });
      }
      return true;
    },
  };
}
