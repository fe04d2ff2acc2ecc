import * as invitations from '../db/accounts/invitations.ts';
import * as tokens from '../db/accounts/tokens.ts';
import * as reportLinks from '../db/batches/report-links.ts';
import * as mails from '../db/notifications/mails.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { templates } from '../mail/templates.ts';
import type { Role } from '../schemas/members.ts';

/** What a person had set in an account and could not set any more. */
export interface Voided {
  /** The addresses of open invitations that they had sent. */
  invitations: string[];
  /** How many links to reports they had made. */
  reportLinks: number;
  /** How many of their tokens were valid. */
  tokens: number;
  /** How many mails to them about the account were still to be sent. */
  mails: number;
}

const aboutAccounts = Object.entries(templates)
  .filter(([, { list }]) => list !== null)
  .map(([name]) => name);

/** Voids what a person could not do with their new role; null for somebody who is not in the account any more. */
export async function voidBeyond(
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
    mails: isOwner ? 0 : await mails.dropOf(trx, { accountId, userId, templates: aboutAccounts }),
  };
}

/** The same in words, to follow a sentence; empty when nothing was void. */
export function inWords({ invitations, reportLinks, tokens, mails }: Voided): string {
  const parts = [
    ...invitations.map((email) => `the invitation of ${email}`),
    ...counted(reportLinks, 'link to a report', 'links to reports'),
    ...counted(tokens, 'token', 'tokens'),
    ...counted(mails, 'pending mail', 'pending mails'),
  ];
  return parts.length === 0 ? '' : `Void: ${parts.join(', ')}.`;
}

function counted(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}
