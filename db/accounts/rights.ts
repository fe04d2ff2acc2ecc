import { sql } from 'kysely';
import { isAtLeast, type Role } from '../../schemas/members.ts';
import type { Holder, Right } from '../../schemas/operations/rights.ts';
import { reaches } from '../../schemas/scopes.ts';
import type { Trx } from '../postgres/connect.ts';
import { sideBySide } from '../postgres/prompt-transaction.ts';
import * as sessions from './sessions.ts';
import * as tokens from './tokens.ts';

/** Who asks for a change in an account, by what, and the right that it takes. */
export interface Authorization {
  accountId: number;
  credential: tokens.TokenRef | sessions.SessionRef;
  right: Right;
}

/** The token or session has ended, or its person is no longer in the account. */
export class CredentialEndedError extends Error {
  constructor() {
    super('Your token or session has ended, or you are no longer a member of this account.');
    this.name = 'CredentialEndedError';
  }
}

/** Somebody asked for what their role or token does not allow. The message is for them. */
export class MissingRightError extends Error {
  readonly code: 'insufficient_scope' | 'test_token';

  constructor(code: 'insufficient_scope' | 'test_token', message: string) {
    super(message);
    this.name = 'MissingRightError';
    this.code = code;
  }
}

/** A person or a token, whose rights some transactions rely on and others take away. */
export type RightsOf = `user ${number}` | `token ${number}`;

/**
 * Checks membership, role and credential as they are now. Nobody takes them away before this transaction ends: that
 * waits (`lockRights`). It is the first thing that a transaction asks for. `takesFrom`: whose rights the transaction
 * takes away itself. Throws CredentialEndedError and MissingRightError.
 */
export async function requireRight(
  trx: Trx,
  { accountId, credential, right }: Authorization,
  takesFrom: readonly RightsOf[] = [],
): Promise<void> {
  const isToken = 'tokenId' in credential;
  const reliesOn: RightsOf[] = isToken ? [`token ${credential.tokenId}`] : [];
  if (credential.userId !== null) reliesOn.push(`user ${credential.userId}`);
  // Two statements: the second sees the changes of the transactions that the first has waited for.
  const locked = lock(trx, reliesOn, takesFrom);
  const found = isToken
    ? tokens.findHolder(trx, accountId, credential)
    : sessions.findHolder(trx, accountId, credential);
  const [, holder] = await sideBySide([locked, found]);
  if (!holder) throw new CredentialEndedError();
  refuseUnlessEntitled(holder, right);
}

/**
 * Waits for the transactions that rely on somebody's rights, and lets those that come later wait, so that they see
 * what this one has taken away. Before any other lock on what it changes.
 */
export function lockRights(trx: Trx, ...takesFrom: RightsOf[]): Promise<void> {
  return lock(trx, [], takesFrom);
}

/**
 * Advisory locks and not locks of rows: of a row that many share without a pause, the one who wants to change it would
 * never get hold.
 */
async function lock(trx: Trx, shared: readonly RightsOf[], exclusive: readonly RightsOf[]): Promise<void> {
  // In one order, so that nobody waits in a circle.
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
