import { isOpen } from '../../db/accounts/accounts.ts';
import { findByEmail } from '../../db/accounts/user-addresses.ts';
import type { Template } from '../template.ts';

/** To the holder of an address that somebody else, or they themselves, tried to sign up with or to change to. */
export const addressTaken: Template = {
  isUnasked: true,
  list: null,
  compose: async ({ trx, baseUrl }, mail) => {
    const user = await findByEmail(trx, mail.address ?? '');
    if (!user || !(await isOpen(trx, user.accountId))) return null;
    return {
      to: user.email,
      subject: 'You have an account already',
      parts: [
        {
          text: 'Somebody, most likely you, wanted to use this address for another account. It has one already.',
        },
        { button: { label: 'Sign in', url: `${baseUrl}/sign-in` } },
        { text: `If the password is forgotten, choose a new one: ${baseUrl}/forgot` },
        {
          small:
            'If it was not you, there is nothing to do. Whoever it was has not been told that you have an account.',
        },
      ],
    };
  },
};
