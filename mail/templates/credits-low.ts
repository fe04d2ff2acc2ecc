import { find } from '../../db/accounts/user-addresses.ts';
import { find as alertOf } from '../../db/ledger/credit-alerts.ts';
import { balance } from '../../db/ledger/ledger.ts';
import type { Template } from '../template.ts';

/** To the owners of an account whose credits have fallen below what they said. */
export const creditsLow: Template = {
  isUnasked: false,
  list: 'credits',
  compose: async ({ trx, baseUrl }, mail) => {
    const accountId = mail.accountId ?? 0;
    const user = await find(trx, mail.userId ?? 0);
    if (!user) return null;
    const { threshold, lowSince } = await alertOf(trx, accountId);
    // They have risen by now.
    if (threshold === null || lowSince === null) return null;
    const told = threshold.toLocaleString('en');
    return {
      to: user.email,
      subject: 'Credits run low',
      parts: [
        { text: `The balance of your account has fallen below ${told}.` },
        {
          facts: [
            ['Credits left', (await balance(trx, accountId)).toLocaleString('en')],
            ['Told below', told],
          ],
        },
        { text: 'Checks that the balance does not cover are refused, and monitors pause.' },
        { button: { label: 'See the credits', url: `${baseUrl}/credits` } },
        { small: 'This is told once, until the balance has risen again.' },
      ],
    };
  },
};
