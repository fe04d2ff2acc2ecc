import type { ActivityRow } from '../db/accounts/activity.ts';
import type { Invitation } from '../db/accounts/invitations.ts';
import type { Member } from '../db/accounts/memberships.ts';
import type { TokenSummary } from '../db/accounts/tokens.ts';
import { type ActivityKind, activities } from '../schemas/activity.ts';
import { timestamp } from './bodies.ts';

/**
 * Returns an entry of the activity log. During a deployment, a newer process may record a kind that this process does
 * not know. `sentence` is then the kind itself.
 */
export function activityBody(row: ActivityRow) {
  return {
    what: row.what,
    sentence: activities[row.what as ActivityKind] ?? row.what,
    about: row.about,
    email: row.email,
    token_name: row.tokenName,
    address: row.address,
    created_at: timestamp(row.notedAt),
  };
}

/** Returns a token without its secret. */
export function tokenBody(row: TokenSummary) {
  return {
    token_id: row.tokenId,
    name: row.name,
    last_four: row.lastFour,
    scope: row.scope,
    is_test: row.isTest,
    made_by: row.email,
    credits_per_month: row.creditsPerMonth,
    created_at: timestamp(row.createdAt),
    last_used_at: row.lastUsedAt && timestamp(row.lastUsedAt),
    expires_at: row.expiresAt && timestamp(row.expiresAt),
    revoked_at: row.revokedAt && timestamp(row.revokedAt),
  };
}

/** Returns an invitation without its secret. */
export function invitationBody(row: Invitation) {
  return {
    invitation_id: row.invitationId,
    email: row.email,
    role: row.role,
    invited_by: row.invitedBy,
    created_at: timestamp(row.createdAt),
    expires_at: timestamp(row.expiresAt),
  };
}

export function memberBody(row: Member) {
  return { member_id: row.userId, email: row.email, role: row.role, joined_at: timestamp(row.createdAt) };
}

/** Returns the access that a role change revoked, and the number of webhook URLs that must be reviewed. */
export function revokedAccessBody(revoked: {
  invitations: string[];
  reportLinks: number;
  tokens: number;
  remainingWebhookUrls: number;
}) {
  const { invitations, reportLinks: report_links, tokens, remainingWebhookUrls } = revoked;
  return { invitations, report_links, tokens, remaining_webhook_urls: remainingWebhookUrls };
}
