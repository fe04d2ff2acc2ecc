import { find, findByEmail } from '../../db/accounts/user-addresses.ts';
import type { Template } from '../template.ts';
import { writeLink } from '../write-link.ts';

const lifeMinutes = 24 * 60;

/** To the address that a user wants to have from now on. */
export const newEmail: Template = {
  isUnasked: true,
  list: null,
  compose: async (writing, mail) => {
    const user = await find(writing.trx, mail.userId ?? 0);
    if (!user || mail.address === null || (await findByEmail(writing.trx, mail.address))) return null;
    const made = { purpose: 'new_email' as const, userId: user.userId, address: mail.address, lifeMinutes };
    const token = await writeLink(writing, mail, made);
    if (token === null) return null;
    return {
      to: mail.address,
      subject: 'Confirm your new address',
      parts: [
        { text: 'Somebody, most likely you, wants to use this address to sign in from now on.' },
        {
          button: {
            label: 'Confirm the new address',
            url: `${writing.baseUrl}/confirm-email?token=${token}`,
          },
        },
        {
          text: 'The link works once, within 24 hours, in a browser that is signed in with your present address.',
        },
        { small: 'If it was not you, do nothing.' },
      ],
    };
  },
};
