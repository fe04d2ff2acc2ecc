import { isOpen } from '../../db/accounts/accounts.ts';
import { findByEmail } from '../../db/accounts/user-emails.ts';
import type { Template } from '../template.ts';

/** For the user whose address somebody tried to sign up with or to change to. */
export const addressTaken: Template = {
  isRequestable: true,
  list: null,
  compose: async ({ trx, baseUrl }, mail) => {
    const user = await findByEmail(trx, mail.address ?? '');
    if (!user || !(await isOpen(trx, user.accountId))) return null;
    return {
      to: user.email,
      subject: 'You already have an account',
      parts: [
        {
          text: 'Someone, probably you, tried to use this email address for another account. It already has one.',
        },
        { button: { label: 'Sign in', url: `${baseUrl}/sign-in` } },
        { text: `If you forgot your password, choose a new one: ${baseUrl}/forgot` },
        { small: 'If it was not you, ignore this email. We did not tell them that you have an account.' },
      ],
    };
  },
};
