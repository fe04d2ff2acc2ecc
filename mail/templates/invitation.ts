import { isOpen } from '../../db/accounts/accounts.ts';
import { findById, setKey } from '../../db/accounts/invitations.ts';
import { asRole } from '../../schemas/members.ts';
import { plainName } from '../clean.ts';
import type { Template } from '../template.ts';
import type { LinkTokens } from '../tokens.ts';

/** To somebody who was asked into an account; nothing when that was taken back, used or asked anew meanwhile. */
export const invitation: Template = {
  isUnasked: true,
  list: null,
  compose: async ({ trx, tokens, baseUrl }, mail) => {
    const accountId = mail.accountId ?? 0;
    const found = await findById(trx, accountId, Number(mail.ids.invitation_id));
    if (!found || !(await isOpen(trx, accountId))) return null;
    const key = invitationKey(tokens, found);
    await setKey(trx, found, key);
    const by = found.invitedBy === null ? 'Whoever runs Sonde' : plainName(found.invitedBy);
    return {
      to: found.email,
      subject: 'You are invited to an account',
      parts: [
        { text: `${by} invites you to join an account, ${asRole[found.role]}.` },
        { button: { label: 'See the invitation', url: `${baseUrl}/invitation?key=${key}` } },
        { text: 'It is for this address alone, and good for seven days.' },
        { small: 'If you do not know who that is, there is nothing to do.' },
      ],
    };
  },
};

/** The key that goes by mail and nowhere else, so that whoever has it reads the mails of the address. */
export function invitationKey(
  tokens: LinkTokens,
  { invitationId, expiresAt }: { invitationId: number; expiresAt: Date },
): string {
  return tokens.tokenOf({ purpose: 'invitation', linkId: invitationId, expiresAt });
}
