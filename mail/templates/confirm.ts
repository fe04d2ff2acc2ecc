import { find } from '../../db/accounts/user-addresses.ts';
import type { Template } from '../template.ts';
import { writeLink } from '../write-link.ts';

const lifeMinutes = 24 * 60;

/** To the address that somebody signed up with. */
export const confirm: Template = {
  isUnasked: true,
  list: null,
  compose: async (writing, mail) => {
    const user = await find(writing.trx, mail.userId ?? 0);
    if (!user || user.emailConfirmedAt || user.email !== mail.address) return null;
    const token = await writeLink(writing, mail, { purpose: 'confirm', userId: user.userId, lifeMinutes });
    if (token === null) return null;
    return {
      to: user.email,
      subject: 'Confirm your address',
      parts: [
        { text: 'Somebody, most likely you, has opened an account with this address.' },
        { button: { label: 'Confirm the address', url: `${writing.baseUrl}/confirm?token=${token}` } },
        { text: 'The link works once, within 24 hours. It asks for the password that was chosen.' },
        { small: 'If it was not you, do nothing: without your word nobody can use the account.' },
      ],
    };
  },
};
