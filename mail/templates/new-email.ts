import { find, findByEmail } from '../../db/accounts/user-emails.ts';
import { issueLinkToken } from '../link-token.ts';
import type { Template } from '../template.ts';

const lifeMinutes = 24 * 60;

/** Asks for confirmation of the new address of a user. */
export const newEmail: Template = {
  canAnyoneCause: true,
  list: null,
  compose: async (context, mail) => {
    const user = await find(context.trx, mail.userId ?? 0);
    if (!user || mail.address === null || (await findByEmail(context.trx, mail.address))) return null;
    const link = { purpose: 'new_email' as const, userId: user.userId, address: mail.address, lifeMinutes };
    const token = await issueLinkToken(context, mail, link);
    if (token === null) return null;
    return {
      to: mail.address,
      subject: 'Confirm your new email address',
      parts: [
        { text: 'Someone, probably you, wants to sign in with this email address from now on.' },
        {
          button: {
            label: 'Confirm new email address',
            url: `${context.baseUrl}/confirm-email?token=${token}`,
          },
        },
        {
          text: 'The link works once, within 24 hours. Open it in a browser where you are signed in with your old email address.',
        },
        { small: 'If it was not you, ignore this email.' },
      ],
    };
  },
};
