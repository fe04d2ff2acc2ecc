import * as activity from '../db/accounts/activity.ts';
import * as memberships from '../db/accounts/memberships.ts';
import * as tokens from '../db/accounts/tokens.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import type { MailMode } from '../mail/enqueue.ts';
import { ApiError } from '../process/api-error.ts';
import { requireConfirmedEmail } from './confirmed-email.ts';

/** Maximum number of valid tokens per account. */
const tokensMax = 100;

interface TokenInput {
  accountId: number;
  name: string;
  rights: tokens.TokenSettings;
  by: activity.Actor;
}

export interface IssuedToken {
  token: tokens.PlainToken;
  summary: tokens.TokenSummary;
}

/** Creates a token. Returns its plain text, which is not stored. */
export async function createToken(
  trx: Trx,
  { mail }: { mail: MailMode },
  { accountId, name, rights, by }: TokenInput,
): Promise<IssuedToken> {
  // Somebody else may have signed up with this address. Their token would stay valid after the holder of the address
  // resets the password.
  await requireConfirmedEmail(trx, { mail }, by.userId, 'create tokens');
  if ((await tokens.countValid(trx, accountId)) >= tokensMax) {
    throw new ApiError(
      'too_many_tokens',
      `You have reached the limit of ${tokensMax} tokens. Revoke one first.`,
    );
  }
  const token = await tokens.issue(trx, accountId, name, { ...rights, userId: by.userId });
  const [summary] = await tokens.list(trx, accountId);
  if (!summary) throw new Error('the new token was not found');
  await activity.record(trx, { accountId, what: 'token_made', by, about: name });
  return { token, summary };
}

/**
 * Revokes a token and returns it. Owners, and tokens that the operator created, can revoke any token of the account.
 * Other members can revoke their own tokens. Call `lockRights` for the token first.
 */
export async function revokeToken(
  trx: Trx,
  { accountId, tokenId, by }: { accountId: number; tokenId: number; by: activity.Actor },
): Promise<tokens.TokenSummary> {
  const maker = by.userId === null ? null : await memberships.find(trx, accountId, by.userId);
  const isOwner = by.userId === null || maker?.role === 'owner';
  const mine = isOwner ? undefined : (by.userId ?? 0);
  const own = (await tokens.list(trx, accountId, mine)).find((token) => token.tokenId === tokenId);
  if (!own) throw tokenNotFound();
  if (own.revokedAt) return own;
  await tokens.revoke(trx, accountId, tokenId);
  await activity.record(trx, { accountId, what: 'token_revoked', by, about: own.name });
  return { ...own, revokedAt: new Date() };
}

/** Checks that a token is in the account. Call this before the token's rights are locked. Throws `not_found`. */
export async function requireToken(db: Db, accountId: number, tokenId: number): Promise<tokens.TokenSummary> {
  const found = (await tokens.list(db, accountId)).find((token) => token.tokenId === tokenId);
  if (!found) throw tokenNotFound();
  return found;
}

function tokenNotFound(): ApiError {
  return new ApiError('not_found', 'No token with this id in your account.');
}
