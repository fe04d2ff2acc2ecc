import type { Request } from 'express';
import { checkRight, inOpenAccount } from '../../../db/accounts/open-account.ts';
import * as users from '../../../db/accounts/users.ts';
import type { Trx } from '../../../db/postgres/connect.ts';
import { logSecurityEvent } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { getForm } from '../forms.ts';
import { Refusal } from '../refusal.ts';
import { getAuthorization, getSession } from '../visitors.ts';

/**
 * Checks the typed password of a signed-in user. A user without a password passes. Throws a 403 at `field` if the
 * password is wrong. The transaction must check the returned proof again.
 */
export async function requirePassword(
  context: DashboardContext,
  req: Request,
  field: string,
): Promise<users.PasswordProof> {
  const { db, signInAttempts } = context;
  const { userId } = getSession(req);
  await checkRight(db, getAuthorization(req));
  if (await users.isPasswordSet(db, userId)) await signInAttempts.countPassword(userId);
  const proof = await users.provePassword(db, userId, getForm(req).raw('password'));
  if (proof) return proof;
  logSecurityEvent(context, req, 'password_refused', { userId });
  throw new Refusal(403, 'The current password is wrong.', { field });
}

/**
 * Runs a transaction that changes credentials or sessions of the signed-in user. Throws if the session has ended. If
 * `proof` is set, also throws if the password has changed.
 */
export function inUserTransaction<T>(
  { db }: Pick<DashboardContext, 'db'>,
  req: Request,
  callback: (trx: Trx) => Promise<T>,
  proof: users.PasswordProof | null = null,
): Promise<T> {
  const { userId } = getSession(req);
  const proven = async (trx: Trx) => {
    if (proof) await users.requirePasswordProof(trx, proof);
    return callback(trx);
  };
  return inOpenAccount(db, getAuthorization(req), proven, { revokesFrom: [`user ${userId}`] });
}
