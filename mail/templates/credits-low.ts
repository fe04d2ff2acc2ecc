import { find } from '../../db/accounts/user-emails.ts';
import { find as findAlert } from '../../db/ledger/credit-alerts.ts';
import { balance } from '../../db/ledger/ledger.ts';
import type { Template } from '../template.ts';

/** Notifies an owner that the balance has fallen below the threshold of the alert. */
export const creditsLow: Template = {
  canAnyoneCause: false,
  list: 'credits',
  compose: async ({ trx, baseUrl }, mail) => {
    const accountId = mail.accountId ?? 0;
    const user = await find(trx, mail.userId ?? 0);
    if (!user) return null;
    const { threshold, lowSince } = await findAlert(trx, accountId);
    // The alert was turned off, or the balance has risen again.
    if (threshold === null || lowSince === null) return null;
    const limit = threshold.toLocaleString('en');
    return {
      to: user.email,
      subject: 'Your credits are running low',
      parts: [
        { text: `Your balance has fallen below ${limit} credits.` },
        {
          facts: [
            ['Credits left', (await balance(trx, accountId)).toLocaleString('en')],
            ['Alert below', limit],
          ],
        },
        {
          text: 'Checks that cost more than your balance are rejected. A monitor skips a run that costs more, and pauses after three skipped runs in a row.',
        },
        { button: { label: 'View credits', url: `${baseUrl}/credits` } },
        {
          small: `You get the next alert when your balance has risen to ${limit} credits and then falls below ${limit} again.`,
        },
      ],
    };
  },
};
