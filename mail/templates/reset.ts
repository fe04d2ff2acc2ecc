import { isOpen } from '../../db/accounts/accounts.ts';
import { findByEmail } from '../../db/accounts/user-addresses.ts';
import type { Template } from '../template.ts';
import { writeLink } from '../write-link.ts';

const lifeMinutes = 30;

/** To whoever says to have forgotten a password; where the address is nobody's, nothing is sent. */
export const reset: Template = {
  isUnasked: true,
  list: null,
  isPrinted: true,
  compose: async (writing, mail) => {
    const user = await findByEmail(writing.trx, mail.address ?? '');
    if (!user || !(await isOpen(writing.trx, user.accountId))) return null;
    const token = await writeLink(writing, mail, { purpose: 'reset', userId: user.userId, lifeMinutes });
    if (token === null) return null;
    return {
      to: user.email,
      subject: 'Choose a new password',
      parts: [
        { text: 'Somebody, most likely you, has asked for a new password for this address.' },
        { button: { label: 'Choose a new password', url: `${writing.baseUrl}/reset?token=${token}` } },
        {
          text: `The link works once, within ${lifeMinutes} minutes. Once the new password is saved, every browser is signed out, and you sign in with it; tokens stay valid.`,
        },
        { small: 'If it was not you, there is nothing to do: your password stays what it is.' },
      ],
    };
  },
};
