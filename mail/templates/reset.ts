import { isOpen } from '../../db/accounts/accounts.ts';
import { findByEmail } from '../../db/accounts/user-emails.ts';
import { issueLinkToken } from '../link-token.ts';
import type { Template } from '../template.ts';

const lifeMinutes = 30;

/** For a user who forgot the password. Nothing is sent to an address without a user. */
export const reset: Template = {
  canAnyoneCause: true,
  list: null,
  isPrinted: true,
  compose: async (context, mail) => {
    const user = await findByEmail(context.trx, mail.address ?? '');
    if (!user || !(await isOpen(context.trx, user.accountId))) return null;
    const token = await issueLinkToken(context, mail, { purpose: 'reset', userId: user.userId, lifeMinutes });
    if (token === null) return null;
    return {
      to: user.email,
      subject: 'Choose a new password',
      parts: [
        { text: 'Someone, probably you, requested a new password for this email address.' },
        { button: { label: 'Choose a new password', url: `${context.baseUrl}/reset?token=${token}` } },
        {
          text: `The link works once, within ${lifeMinutes} minutes. A new password signs you out everywhere. Your tokens stay valid.`,
        },
        { small: 'If it was not you, ignore this email. Your password does not change.' },
      ],
    };
  },
};
