import { isOpen } from '../../db/accounts/accounts.ts';
import { findByEmail } from '../../db/accounts/user-emails.ts';
import type { Template } from '../template.ts';

/** For a user. Somebody tried to use the user's address for a new account or as a new address. */
export const addressTaken: Template = {
  canAnyoneCause: true,
  list: null,
  compose: async ({ trx, baseUrl }, mail) => {
    const user = await findByEmail(trx, mail.address ?? '');
    if (!user || !(await isOpen(trx, user.accountId))) return null;
    return {
      to: user.email,
      subject: 'You already have an account',
      parts: [
        {
          text: 'Someone, probably you, tried to use this email address for another account. You already have an account.',
        },
        { button: { label: 'Sign in', url: `${baseUrl}/sign-in` } },
        { text: `If you forgot your password, choose a new one: ${baseUrl}/forgot` },
        { small: 'If it was not you, ignore this email. We did not tell anyone that you have an account.' },
      ],
    };
  },
};
