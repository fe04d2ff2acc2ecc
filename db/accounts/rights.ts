import { sql } from 'kysely';
import { isRoleAtLeast, type Role } from '../../schemas/members.ts';
import type { Right, RightHolder } from '../../schemas/operations/rights.ts';
import { includesScope } from '../../schemas/scopes.ts';
import type { Trx } from '../postgres/connect.ts';
import * as sessions from './sessions.ts';
import * as tokens from './tokens.ts';

/** Token or session of a request, and the right that the request requires. */
export interface Authorization {
  accountId: number;
  credential: tokens.TokenRef | sessions.SessionRef;
  right: Right;
}

/** Error for an account that is disabled or closed. */
export class AccountClosedError extends Error {
  constructor(accountId: number) {
    super(`account ${accountId} is closed`);
    this.name = 'AccountClosedError';
  }
}

/** Error for a token or session that has ended, or whose user has left the account. */
export class CredentialEndedError extends Error {
  constructor() {
    super('Your token or session has ended, or you are no longer a member of this account.');
    this.name = 'CredentialEndedError';
  }
}

/** Error for a role or token that does not allow the request. The message is shown to the user. */
export class MissingRightError extends Error {
  readonly code: 'insufficient_scope' | 'test_token';

  constructor(code: 'insufficient_scope' | 'test_token', message: string) {
    super(message);
    this.name = 'MissingRightError';
    this.code = code;
  }
}

/**
 * Person or token whose rights are locked. Transactions that rely on the rights take a shared lock. Transactions that
 * revoke the rights take an exclusive lock.
 */
export type RightsHolder = `user ${number}` | `token ${number}`;

/**
 * Checks membership, role and credential. Until the transaction ends, the rights cannot be revoked (`lockRights`) and
 * the account cannot be closed permanently. Call this first in a transaction. `revokesFrom` must list the holders whose
 * rights this transaction revokes. Throws CredentialEndedError, MissingRightError and AccountClosedError.
 */
export async function requireRight(
  trx: Trx,
  { accountId, credential, right }: Authorization,
  revokesFrom: readonly RightsHolder[] = [],
): Promise<void> {
  const isToken = 'tokenId' in credential;
  const reliesOn: RightsHolder[] = isToken ? [`token ${credential.tokenId}`] : [];
  if (credential.userId !== null) reliesOn.push(`user ${credential.userId}`);
  // The lock is a separate statement, so that the next statement sees the changes of the transactions that the lock
  // waited for.
  await lock(trx, reliesOn, revokesFrom);
  const holder = isToken
    ? await tokens.findHolder(trx, accountId, credential)
    : await sessions.findHolder(trx, accountId, credential);
  if (!holder) throw new CredentialEndedError();
  requireEntitled(holder, right);
  if (!holder.isOpen) throw new AccountClosedError(accountId);
}

/**
 * Locks rights that this transaction revokes. Waits for transactions that rely on the rights. Later transactions wait
 * and then see the change. Call this before any other lock.
 */
export function lockRights(trx: Trx, ...revokesFrom: RightsHolder[]): Promise<void> {
  return lock(trx, [], revokesFrom);
}

/**
 * Uses advisory locks, because an exclusive row lock would wait forever while other transactions keep taking shared
 * locks.
 */
async function lock(
  trx: Trx,
  shared: readonly RightsHolder[],
  exclusive: readonly RightsHolder[],
): Promise<void> {
  // Locks are taken in sorted order, to prevent deadlocks.
  const all = [...new Set([...shared, ...exclusive])].sort();
  const locks = all.map((one) => {
    const key = sql`hashtextextended(${`rights of ${one}`}, 0)`;
    return exclusive.includes(one)
      ? sql`pg_advisory_xact_lock(${key})`
      : sql`pg_advisory_xact_lock_shared(${key})`;
  });
  if (locks.length > 0) await sql`select ${sql.join(locks)}`.execute(trx);
}

/** Throws MissingRightError if the role or the token does not include the right. */
export function requireEntitled({ role, token }: RightHolder, right: Right): void {
  if (token && !includesScope(token.scope, right.scope)) {
    const message = `This token lacks the \`${right.scope}\` scope. Create a token with this scope in the dashboard under Tokens.`;
    throw new MissingRightError('insufficient_scope', message);
  }
  if (!isRoleAtLeast(role, right.role))
    throw new MissingRightError('insufficient_scope', missingRoleMessage(role, right.role));
  if (token?.isTest && right.isLiveOnly) {
    const message =
      'This endpoint needs a live token. Test tokens have no history, ledger, monitors, members or activity, and cannot change the account.';
    throw new MissingRightError('test_token', message);
  }
  const isLimited = token !== null && (token.expiresAt !== null || token.creditsPerMonth !== null);
  if (isLimited && right.isUnlimitedOnly) {
    const message =
      'This endpoint does not accept tokens with a credit limit or an expiry date. Use another token, or the dashboard.';
    throw new MissingRightError('insufficient_scope', message);
  }
}

function missingRoleMessage(role: Role, needed: Role): string {
  if (role === 'viewer')
    return `You have read-only access. Ask an owner for the ${needed} role under Members.`;
  return 'Only an owner of the account can do this. Ask an owner for the owner role under Members.';
}
