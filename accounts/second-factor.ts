import { randomBytes } from 'node:crypto';
import * as activity from '../db/accounts/activity.ts';
import * as passkeys from '../db/accounts/passkeys.ts';
import * as factors from '../db/accounts/second-factors.ts';
import * as sessions from '../db/accounts/sessions.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { type EnqueueMailDeps, enqueueMail } from '../mail/enqueue.ts';
import { requireConfirmedEmail } from './confirmed-email.ts';

const codesMax = 10;
const codeBytes = 10;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export interface AddedFactor {
  /** New codes, which are shown once; null if the user has codes already. */
  recoveryCodes: string[] | null;
}

interface FactorOwner {
  userId: number;
  /** The network address of the request; null if unknown. */
  address: string | null;
}

/**
 * Adds an authenticator app. The caller has verified the app's first code. Returns null if that code was already used.
 */
export async function addTotp(
  trx: Trx,
  deps: EnqueueMailDeps,
  person: FactorOwner,
  step: number,
): Promise<AddedFactor | null> {
  if (!(await factors.useTotpStep(trx, person.userId, step))) return null;
  return finishAdding(trx, deps, person, 'an app');
}

/** Returns null if the passkey is registered already. */
export async function addPasskey(
  trx: Trx,
  deps: EnqueueMailDeps,
  person: FactorOwner,
  passkey: passkeys.NewPasskey,
): Promise<AddedFactor | null> {
  if (!(await passkeys.add(trx, passkey))) return null;
  return finishAdding(trx, deps, person, 'a passkey');
}

/** Replaces the recovery codes and returns the new codes. */
export async function renewRecoveryCodes(trx: Trx, { userId, address }: FactorOwner): Promise<string[]> {
  await activity.recordForUser(trx, userId, { what: 'recovery_codes_renewed', address });
  return createCodes(trx, userId);
}

/**
 * Removes the app or a passkey. With the last factor, the recovery codes are removed too. Returns false if the factor
 * does not exist.
 */
export async function removeFactor(
  trx: Trx,
  deps: EnqueueMailDeps,
  { userId, address }: FactorOwner,
  which: 'app' | number,
): Promise<boolean> {
  const isRemoved =
    which === 'app' ? await factors.removeTotp(trx, userId) : await passkeys.remove(trx, userId, which);
  if (!isRemoved) return false;
  if (!(await factors.isRequired(trx, userId))) await factors.setRecoveryCodes(trx, userId, []);
  const about = which === 'app' ? 'an app' : 'a passkey';
  await activity.recordForUser(trx, userId, { what: 'factor_removed', address, about });
  await enqueueMail(trx, deps, { template: 'factor_removed', userId });
  return true;
}

/**
 * Removes all factors of a user and ends every session. The operator does this for a user who has lost the factors.
 * Returns false if the user has no factors.
 */
export async function removeAllFactors(trx: Trx, deps: EnqueueMailDeps, userId: number): Promise<boolean> {
  if (!(await factors.removeAll(trx, userId))) return false;
  await sessions.endAll(trx, userId);
  const byOperator = { what: 'factor_removed', address: null, by: activity.operator } as const;
  await activity.recordForUser(trx, userId, byOperator);
  await enqueueMail(trx, deps, { template: 'factor_removed', userId });
  return true;
}

/** Uses up a recovery code and notifies the user. Returns false if the code is not valid. */
export async function redeemRecoveryCode(
  trx: Trx,
  deps: EnqueueMailDeps,
  { userId, address }: FactorOwner,
  code: string,
): Promise<boolean> {
  if (!(await factors.useRecoveryCode(trx, userId, code))) return false;
  await activity.recordForUser(trx, userId, { what: 'recovery_code_used', address });
  await enqueueMail(trx, deps, { template: 'recovery_code_used', userId });
  return true;
}

/** Notifies the user. Ends all sessions, because these sessions began without the new factor. */
async function finishAdding(
  trx: Trx,
  deps: EnqueueMailDeps,
  { userId, address }: FactorOwner,
  about: string,
): Promise<AddedFactor> {
  // Somebody else may have signed up with this address. Their factor would lock out the holder of the address.
  await requireConfirmedEmail(trx, deps, userId, 'add a second factor');
  await activity.recordForUser(trx, userId, { what: 'factor_added', address, about });
  await sessions.endAll(trx, userId);
  await enqueueMail(trx, deps, { template: 'factor_added', userId });
  const { recoveryCodes } = await factors.find(trx, userId);
  return { recoveryCodes: recoveryCodes > 0 ? null : await createCodes(trx, userId) };
}

async function createCodes(trx: Trx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: codesMax }, createCode);
  await factors.setRecoveryCodes(trx, userId, codes);
  return codes;
}

/** Returns 80 random bits as four groups of four base32 characters. */
function createCode(): string {
  const bits = BigInt(`0x${randomBytes(codeBytes).toString('hex')}`);
  const letters = Array.from(
    { length: 16 },
    (_, place) => alphabet[Number((bits >> BigInt(5 * place)) & 31n)],
  );
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
}
