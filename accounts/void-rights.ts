import * as invitations from '../db/accounts/invitations.ts';
import * as tokens from '../db/accounts/tokens.ts';
import * as reportLinks from '../db/batches/report-links.ts';
import * as alerts from '../db/ledger/credit-alerts.ts';
import * as monitors from '../db/monitors/monitors.ts';
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
  /** The number of webhook URLs of monitors and the credit alert that stay, no matter who set them. */
  remainingWebhookUrls: number;
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
    remainingWebhookUrls: isMember ? 0 : await countWebhookUrls(trx, accountId),
  };
}

async function countWebhookUrls(trx: Trx, accountId: number): Promise<number> {
  const { url } = await alerts.find(trx, accountId);
  return new Set([...(await monitors.webhookUrls(trx, accountId)), ...(url === null ? [] : [url])]).size;
}

/** Returns sentences that list what was revoked and what is left to check; empty when there is neither. */
export function describeVoided({ remainingWebhookUrls, ...voided }: Voided): string {
  const left = counted(remainingWebhookUrls, 'webhook URL', 'webhook URLs').map(
    (urls) => `Check ${urls} of the account and replace the webhook secret.`,
  );
  return [listVoided(voided), ...left].filter((text) => text !== '').join(' ');
}

function listVoided({ invitations, reportLinks, tokens }: Omit<Voided, 'remainingWebhookUrls'>): string {
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
