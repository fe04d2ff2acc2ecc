import { isOpen } from '../../db/accounts/accounts.ts';
import { findByEmail } from '../../db/accounts/user-addresses.ts';
import type { Template } from '../template.ts';
import { writeLink } from '../write-link.ts';

const lifeMinutes = 15;

/** A way in without a password, also past an address that somebody's wrong passwords have closed. */
export const signIn: Template = {
  isUnasked: true,
  list: null,
  isPrinted: true,
  compose: async (writing, mail) => {
    const user = await findByEmail(writing.trx, mail.address ?? '');
    if (!user || !(await isOpen(writing.trx, user.accountId))) return null;
    const token = await writeLink(writing, mail, { purpose: 'sign_in', userId: user.userId, lifeMinutes });
    if (token === null) return null;
    return {
      to: user.email,
      subject: 'Your link to sign in',
      parts: [
        { text: 'This link signs you in without your password.' },
        { button: { label: 'Sign in', url: `${writing.baseUrl}/sign-in/link/follow?token=${token}` } },
        { text: `It works once, within ${lifeMinutes} minutes. A second factor is asked for as ever.` },
        { small: 'If you did not ask for it, there is nothing to do. Nobody gets in without this mail.' },
      ],
    };
  },
};
