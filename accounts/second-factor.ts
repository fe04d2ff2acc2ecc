import { randomBytes } from 'node:crypto';
import * as activity from '../db/accounts/activity.ts';
import * as passkeys from '../db/accounts/passkeys.ts';
import * as factors from '../db/accounts/second-factors.ts';
import * as sessions from '../db/accounts/sessions.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { owe, type Post } from '../mail/owe.ts';
import { requireProof } from './proof.ts';

const codesMax = 10;
const codeBytes = 10;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What came of adding a factor: the recovery codes, shown once, where it is the first. */
export interface Added {
  /** Null where there were codes before, which stay. */
  recoveryCodes: string[] | null;
}

/** Who does it, and from which network address. */
export interface Person {
  userId: number;
  address: string | null;
}

/** Notes that an app's first code was right. Null when that code was taken before. */
export async function addTotp(trx: Trx, post: Post, person: Person, step: number): Promise<Added | null> {
  return (await factors.takeStep(trx, person.userId, step)) ? added(trx, post, person, 'an app') : null;
}

/** Adds a passkey. Null when it is somebody's already. */
export async function addPasskey(
  trx: Trx,
  post: Post,
  person: Person,
  passkey: passkeys.NewPasskey,
): Promise<Added | null> {
  return (await passkeys.add(trx, passkey)) ? added(trx, post, person, 'a passkey') : null;
}

/** New recovery codes in the place of those that are left. */
export async function renewCodes(trx: Trx, { userId, address }: Person): Promise<string[]> {
  await activity.noteOfPerson(trx, userId, { what: 'recovery_codes_renewed', address });
  return newCodes(trx, userId);
}

/** Takes an app or one passkey away; with the last of them the recovery codes. False when there was none. */
export async function remove(
  trx: Trx,
  post: Post,
  { userId, address }: Person,
  which: 'app' | number,
): Promise<boolean> {
  const isRemoved =
    which === 'app' ? await factors.removeTotp(trx, userId) : await passkeys.remove(trx, userId, which);
  if (!isRemoved) return false;
  if (!(await factors.isAskedFor(trx, userId))) await factors.setRecoveryCodes(trx, userId, []);
  const about = which === 'app' ? 'an app' : 'a passkey';
  await activity.noteOfPerson(trx, userId, { what: 'factor_removed', address, about });
  await owe(trx, post, { template: 'factor_removed', userId });
  return true;
}

/**
 * Takes all of them away, as the operator for somebody who has lost them, and ends every session. False when there
 * was none.
 */
export async function removeAll(trx: Trx, post: Post, userId: number): Promise<boolean> {
  if (!(await factors.removeAll(trx, userId))) return false;
  await sessions.endAll(trx, userId);
  const byOperator = { what: 'factor_removed', address: null, by: activity.operator } as const;
  await activity.noteOfPerson(trx, userId, byOperator);
  await owe(trx, post, { template: 'factor_removed', userId });
  return true;
}

/** Uses up a recovery code and notifies its owner. Returns false if the code is not valid. */
export async function recover(
  trx: Trx,
  post: Post,
  { userId, address }: Person,
  code: string,
): Promise<boolean> {
  if (!(await factors.useRecoveryCode(trx, userId, code))) return false;
  await activity.noteOfPerson(trx, userId, { what: 'recovery_code_used', address });
  await owe(trx, post, { template: 'recovery_code_used', userId });
  return true;
}

/** Notifies the user and ends all sessions, which began without the new factor. */
async function added(trx: Trx, post: Post, { userId, address }: Person, about: string): Promise<Added> {
  // A factor of a stranger would lock out the holder of the address.
  await requireProof(trx, post, userId, 'add a second factor');
  await activity.noteOfPerson(trx, userId, { what: 'factor_added', address, about });
  await sessions.endAll(trx, userId);
  await owe(trx, post, { template: 'factor_added', userId });
  const { recoveryCodes } = await factors.find(trx, userId);
  return { recoveryCodes: recoveryCodes > 0 ? null : await newCodes(trx, userId) };
}

async function newCodes(trx: Trx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: codesMax }, newCode);
  await factors.setRecoveryCodes(trx, userId, codes);
  return codes;
}

/** 80 random bits, as four groups of four letters and digits that nobody takes for each other. */
function newCode(): string {
  const bits = BigInt(`0x${randomBytes(codeBytes).toString('hex')}`);
  const letters = Array.from(
    { length: 16 },
    (_, place) => alphabet[Number((bits >> BigInt(5 * place)) & 31n)],
  );
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
}
