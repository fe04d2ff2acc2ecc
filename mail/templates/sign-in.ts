import { isOpen } from '../../db/accounts/accounts.ts';
import { findByEmail } from '../../db/accounts/user-emails.ts';
import { issueLinkToken } from '../link-token.ts';
import type { Template } from '../template.ts';

const lifeMinutes = 15;

/** Signs a user in without a password. Also works while the address is blocked after wrong passwords. */
export const signIn: Template = {
  canAnyoneCause: true,
  list: null,
  isPrinted: true,
  compose: async (context, mail) => {
    const user = await findByEmail(context.trx, mail.address ?? '');
    if (!user || !(await isOpen(context.trx, user.accountId))) return null;
    const token = await issueLinkToken(context, mail, {
      purpose: 'sign_in',
      userId: user.userId,
      lifeMinutes,
    });
    if (token === null) return null;
    return {
      to: user.email,
      subject: 'Sign in to Sonde',
      parts: [
        { text: 'This link signs you in without your password.' },
        { button: { label: 'Sign in', url: `${context.baseUrl}/sign-in/link/follow?token=${token}` } },
        {
          text: `The link works once, within ${lifeMinutes} minutes. If you have a second factor, sign-in asks for it.`,
        },
        {
          small: 'If you did not request this link, ignore this email and do not forward it.',
        },
      ],
    };
  },
};
