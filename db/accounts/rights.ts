import { sql } from 'kysely';
import { isAtLeast, type Role } from '../../schemas/members.ts';
import type { Holder, Right } from '../../schemas/operations/rights.ts';
import { reaches } from '../../schemas/scopes.ts';
import type { Trx } from '../postgres/connect.ts';
import * as sessions from './sessions.ts';
import * as tokens from './tokens.ts';

/** The token or session that asks for a change in an account, and the right that the change requires. */
export interface Authorization {
  accountId: number;
  credential: tokens.TokenRef | sessions.SessionRef;
  right: Right;
}

/** The token or session has ended, or its user has left the account. */
export class CredentialEndedError extends Error {
  constructor() {
    super('Your token or session has ended, or you are no longer a member of this account.');
    this.name = 'CredentialEndedError';
  }
}

/** The role or token does not allow the request. The message is shown to the user. */
export class MissingRightError extends Error {
  readonly code: 'insufficient_scope' | 'test_token';

  constructor(code: 'insufficient_scope' | 'test_token', message: string) {
    super(message);
    this.name = 'MissingRightError';
    this.code = code;
  }
}

/** A person or token whose rights are locked: shared to rely on them, exclusively to take them away. */
export type RightsOf = `user ${number}` | `token ${number}`;

/**
 * Checks membership, role and credential, and keeps them until the transaction ends: taking them away waits
 * (`lockRights`). Call it first in a transaction. `takesFrom` names the rights that this transaction takes away itself.
 * Returns whether the account is open; closing it for good waits, too. Throws CredentialEndedError and
 * MissingRightError.
 */
export async function requireRight(
  trx: Trx,
  { accountId, credential, right }: Authorization,
  takesFrom: readonly RightsOf[] = [],
): Promise<{ isOpen: boolean }> {
  const isToken = 'tokenId' in credential;
  const reliesOn: RightsOf[] = isToken ? [`token ${credential.tokenId}`] : [];
  if (credential.userId !== null) reliesOn.push(`user ${credential.userId}`);
  // A statement of its own, so that the next one sees what this one has waited for.
  await lock(trx, reliesOn, takesFrom);
  const holder = isToken
    ? await tokens.findHolder(trx, accountId, credential)
    : await sessions.findHolder(trx, accountId, credential);
  if (!holder) throw new CredentialEndedError();
  refuseUnlessEntitled(holder, right);
  return { isOpen: holder.isOpen };
}

/**
 * Locks rights that this transaction takes away. Waits for transactions that rely on them; later ones wait and see the
 * change. Call it before any other lock.
 */
export function lockRights(trx: Trx, ...takesFrom: RightsOf[]): Promise<void> {
  return lock(trx, [], takesFrom);
}

/** Takes advisory locks: on a row that others always share, an exclusive lock would wait forever. */
async function lock(trx: Trx, shared: readonly RightsOf[], exclusive: readonly RightsOf[]): Promise<void> {
  // One order prevents deadlocks.
  const all = [...new Set([...shared, ...exclusive])].sort();
  const locks = all.map((one) => {
    const key = sql`hashtextextended(${`rights of ${one}`}, 0)`;
    return exclusive.includes(one)
      ? sql`pg_advisory_xact_lock(${key})`
      : sql`pg_advisory_xact_lock_shared(${key})`;
  });
  if (locks.length > 0) await sql`select ${sql.join(locks)}`.execute(trx);
}

/** Throws MissingRightError. */
export function refuseUnlessEntitled({ role, token }: Holder, right: Right): void {
  if (token && !reaches(token.scope, right.scope)) {
    const message = `This token lacks the \`${right.scope}\` scope. Make one that has it in the dashboard under Tokens.`;
    throw new MissingRightError('insufficient_scope', message);
  }
  if (!isAtLeast(role, right.role))
    throw new MissingRightError('insufficient_scope', roleMissing(role, right.role));
  if (token?.isTest && right.isLiveOnly) {
    const message =
      'This is for live tokens only. A test token has no history, ledger, monitors, members or activity, and changes nothing of the account.';
    throw new MissingRightError('test_token', message);
  }
  const isLimited = token !== null && (token.expiresAt !== null || token.creditsPerMonth !== null);
  if (isLimited && right.isUnlimitedOnly) {
    const message =
      'This token has a credit limit or an expiry date. Use one that has neither, or the dashboard.';
    throw new MissingRightError('insufficient_scope', message);
  }
}

function roleMissing(role: Role, needed: Role): string {
  if (role === 'viewer')
    return `You have read-only access. Ask an owner for the ${needed} role under Members.`;
  return 'Only an owner of the account may do this. Ask an owner for that role under Members.';
}
