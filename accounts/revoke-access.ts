import * as invitations from '../db/accounts/invitations.ts';
import * as tokens from '../db/accounts/tokens.ts';
import * as reportLinks from '../db/batches/report-links.ts';
import * as alerts from '../db/ledger/credit-alerts.ts';
import * as monitors from '../db/monitors/monitors.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { counted } from '../process/counted.ts';
import type { Role } from '../schemas/members.ts';

/** Invitations, report links and tokens that were revoked because a person's new role does not allow them. */
export interface RevokedAccess {
  /** Email addresses of open invitations. */
  invitations: string[];
  reportLinks: number;
  tokens: number;
  /**
   * Number of webhook URLs of monitors and the credit alert. These URLs are not revoked, because it is unknown who set
   * them.
   */
  remainingWebhookUrls: number;
}

/**
 * Revokes the invitations, report links and tokens that a person's new role does not allow. `role` is null if the
 * person left the account.
 */
export async function revokeBeyondRole(
  trx: Trx,
  { accountId, userId }: { accountId: number; userId: number },
  role: Role | null,
): Promise<RevokedAccess> {
  const isOwner = role === 'owner';
  const isMember = isOwner || role === 'member';
  return {
    invitations: isOwner ? [] : await invitations.revokeByUser(trx, accountId, userId),
    reportLinks: isMember ? 0 : await reportLinks.revokeByUser(trx, accountId, userId),
    tokens: isOwner
      ? 0
      : await tokens.revokeByUser(trx, accountId, userId, isMember ? { scope: 'manage' } : {}),
    remainingWebhookUrls: isMember ? 0 : await countWebhookUrls(trx, accountId),
  };
}

async function countWebhookUrls(trx: Trx, accountId: number): Promise<number> {
  const { url } = await alerts.find(trx, accountId);
  return new Set([...(await monitors.listWebhookUrls(trx, accountId)), ...(url === null ? [] : [url])]).size;
}

/**
 * Returns sentences that list the revoked access and say what to check now. Returns an empty text if nothing was
 * revoked and no URLs remain.
 */
export function describeRevoked(revoked: RevokedAccess): string {
  const { invitations, reportLinks, tokens, remainingWebhookUrls } = revoked;
  const parts = [
    ...invitations.map((email) => `the invitation for ${email}`),
    ...(reportLinks > 0 ? [counted(reportLinks, 'link to a report', 'links to reports')] : []),
    ...(tokens > 0 ? [counted(tokens, 'token')] : []),
  ];
  const urls = counted(remainingWebhookUrls, 'webhook URL');
  return [
    ...(parts.length > 0 ? [`Revoked: ${parts.join(', ')}.`] : []),
    ...(remainingWebhookUrls > 0 ? [`Check the account's ${urls} and rotate the webhook secret.`] : []),
  ].join(' ');
}
