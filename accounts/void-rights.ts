import * as invitations from '../db/accounts/invitations.ts';
import * as tokens from '../db/accounts/tokens.ts';
import * as reportLinks from '../db/batches/report-links.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { Role } from '../schemas/members.ts';

/** Invitations, links and tokens of a person that were revoked because their new role does not allow them. */
export interface Voided {
  /** The addresses of open invitations. */
  invitations: string[];
  /** The number of links to reports. */
  reportLinks: number;
  /** The number of tokens that were valid. */
  tokens: number;
}

/** Revokes what a person's new role does not allow them to make; null after they have left the account. */
export async function revokeBeyondRole(
  trx: Trx,
  { accountId, userId }: { accountId: number; userId: number },
  role: Role | null,
): Promise<Voided> {
  const isOwner = role === 'owner';
  const isMember = isOwner || role === 'member';
  return {
    invitations: isOwner ? [] : await invitations.revokeOf(trx, accountId, userId),
    reportLinks: isMember ? 0 : await reportLinks.revokeOf(trx, accountId, userId),
    tokens: isOwner ? 0 : await tokens.revokeOf(trx, accountId, userId, isMember ? { scope: 'manage' } : {}),
  };
}

/** Returns a sentence that lists what was revoked; empty when nothing was. */
export function describeVoided({ invitations, reportLinks, tokens }: Voided): string {
  const parts = [
    ...invitations.map((email) => `the invitation of ${email}`),
    ...counted(reportLinks, 'link to a report', 'links to reports'),
    ...counted(tokens, 'token', 'tokens'),
  ];
  return parts.length === 0 ? '' : `Void: ${parts.join(', ')}.`;
}

function counted(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}
