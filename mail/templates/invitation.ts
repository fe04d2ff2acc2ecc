import { isOpen } from '../../db/accounts/accounts.ts';
import { findById, setKey } from '../../db/accounts/invitations.ts';
import { invitationRoleTexts } from '../../schemas/members.ts';
import { toPlainName } from '../plain-name.ts';
import type { Template } from '../template.ts';
import type { LinkTokens } from '../tokens.ts';

/** Invites a person to an account. Not sent if the invitation was revoked, used or replaced meanwhile. */
export const invitation: Template = {
  canAnyoneCause: true,
  list: null,
  compose: async ({ trx, tokens, baseUrl }, mail) => {
    const accountId = mail.accountId ?? 0;
    const found = await findById(trx, accountId, Number(mail.ids.invitation_id));
    if (!found || !(await isOpen(trx, accountId))) return null;
    const key = createInvitationKey(tokens, found);
    await setKey(trx, found, key);
    const inviter = found.invitedBy === null ? 'The operator of Sonde' : toPlainName(found.invitedBy);
    return {
      to: found.email,
      subject: 'You are invited to join an account',
      parts: [
        { text: `${inviter} invites you to join an account ${invitationRoleTexts[found.role]}.` },
        { button: { label: 'View invitation', url: `${baseUrl}/invitation?key=${key}` } },
        { text: 'The invitation is only for this email address. It expires after 7 days.' },
        { small: 'If you do not know the sender, ignore this email.' },
      ],
    };
  },
};

/** Returns the key of an invitation link. The key is only sent by mail. It therefore proves access to the mailbox. */
export function createInvitationKey(
  tokens: LinkTokens,
  { invitationId, expiresAt }: { invitationId: number; expiresAt: Date },
): string {
  return tokens.createToken({ purpose: 'invitation', linkId: invitationId, expiresAt });
}
