import { find } from '../../db/accounts/user-emails.ts';
import { issueLinkToken } from '../link-token.ts';
import type { Template } from '../template.ts';

const lifeMinutes = 24 * 60;

/** Asks a new user to confirm their address. */
export const confirm: Template = {
  canAnyoneCause: true,
  list: null,
  compose: async (context, mail) => {
    const user = await find(context.trx, mail.userId ?? 0);
    if (!user || user.emailConfirmedAt || user.email !== mail.address) return null;
    const token = await issueLinkToken(context, mail, {
      purpose: 'confirm',
      userId: user.userId,
      lifeMinutes,
    });
    if (token === null) return null;
    return {
      to: user.email,
      subject: 'Confirm your email address',
      parts: [
        { text: 'Someone, probably you, created an account with this email address.' },
        { button: { label: 'Confirm email address', url: `${context.baseUrl}/confirm?token=${token}` } },
        { text: 'The link works once, within 24 hours. You will need the password of the account.' },
        {
          small:
            'If it was not you, ignore this email. Without your confirmation, the account cannot create tokens or invite others.',
        },
      ],
    };
  },
};
