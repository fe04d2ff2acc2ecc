import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import pLimit from 'p-limit';
import { ApiError } from '../../process/api-error.ts';
import type { Role } from '../../schemas/members.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import * as accounts from './accounts.ts';
import * as memberships from './memberships.ts';
import { CredentialEndedError } from './rights.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

// Hashing a password takes about 290 ms and 64 MiB (measured). So at most two hashes are computed at a time.
const cost = { N: 2 ** 16, r: 8, p: 2 };
const maxmem = 160 * 1024 * 1024;
const hashLimit = pLimit(2);

export class EmailTakenError extends Error {
  constructor() {
    super('This email address already has an account.');
    this.name = 'EmailTakenError';
  }
}

declare const hashed: unique symbol;
/** Stored password: `scrypt$N$r$p$salt$hash`, so that the cost can be raised later. */
export type PasswordHash = string & { readonly [hashed]: true };

/**
 * Hashes a password. Takes a third of a second and waits for other calls. Do not call this in a transaction, because
 * the transaction would hold its connection.
 */
export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(16);
  const hash = await hashLimit(() => derive(password.normalize('NFKC'), salt, 32, { ...cost, maxmem }));
  const parts = ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')];
  return parts.join('$') as PasswordHash;
}

interface NewUser {
  /** The first account of the user. */
  accountId: number;
  email: string;
  /** Null for a user without a password. */
  passwordHash: PasswordHash | null;
  /** The user's role in that account. */
  role?: Role;
}

/** Creates a user and a membership. Returns the user's id. Throws EmailTakenError. */
export async function create(
  db: Db,
  { accountId, email, passwordHash, role = 'owner' }: NewUser,
): Promise<number> {
  const { rows } = await sql<{ userId: number }>`
    with created as (
      insert into users (account_id, email, password_hash)
      values (${accountId}, ${email}, ${passwordHash ?? noPassword})
      on conflict (lower(email)) do nothing
      returning account_id, user_id)
    insert into memberships (account_id, user_id, role) select account_id, user_id, ${role} from created
    returning user_id`.execute(db);
  if (!rows[0]) throw new EmailTakenError();
  return rows[0].userId;
}

function selectUser(db: Db, userId: number) {
  return db.selectFrom('users').where('userId', '=', userId);
}

export function updateUser(db: Db, userId: number) {
  return db.updateTable('users').where('userId', '=', userId);
}

/** Returns an email address in the form in which addresses are compared. */
export async function normalizeEmail(db: Db, email: string): Promise<string> {
  // Postgres converts the address to lower case, because JavaScript converts some letters differently.
  const { rows } = await sql<{ email: string }>`select lower(${email}::text) as email`.execute(db);
  return rows[0]?.email ?? email;
}

/**
 * Finds a user by email and password. Also returns the stored hash of the password. Takes the same time for an unknown
 * user.
 */
export async function findByPassword(
  db: Db,
  email: string,
  password: string,
): Promise<{ userId: number; passwordHash: PasswordHash } | null> {
  const user = await db
    .selectFrom('users')
    .select(['userId', 'passwordHash'])
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst();
  // The query also runs for an unknown user. Otherwise, the response time would reveal which addresses have an account.
  // No user has the id 0.
  const isOpen = (await findOpenAccount(db, user?.userId ?? 0)) !== null && user !== undefined;
  const isRight = await matches(password, (isOpen && user.passwordHash) || noPassword);
  return isOpen && isRight ? { userId: user.userId, passwordHash: user.passwordHash as PasswordHash } : null;
}

/**
 * Returns the account in which a user's session begins. This is the first account of the user if that account is open.
 * Otherwise, it is the open account that the user joined first.
 */
export async function findOpenAccount(db: Db, userId: number): Promise<number | null> {
  const user = await selectUser(db, userId).select('accountId').executeTakeFirst();
  const all = await memberships.listAccounts(db, userId);
  const isOpen = await accounts.filterOpen(db, [
    user?.accountId ?? 0,
    ...all.map(({ accountId }) => accountId),
  ]);
  const first = all.find(({ accountId }) => accountId === user?.accountId && isOpen.has(accountId));
  return (first ?? all.find(({ accountId }) => isOpen.has(accountId)))?.accountId ?? null;
}

/**
 * Returns the stored hash of a correct password; null if the password is wrong. The caller can compare the hash again
 * in a transaction.
 */
export async function matchPassword(db: Db, userId: number, password: string): Promise<PasswordHash | null> {
  const passwordHash = (await findHash(db, userId)) ?? noPassword;
  return (await matches(password, passwordHash)) ? (passwordHash as PasswordHash) : null;
}

/** Returns true if the user has a password. Throws CredentialEndedError if the user does not exist. */
export async function isPasswordSet(db: Db, userId: number): Promise<boolean> {
  return (await requireHash(db, userId)) !== noPassword;
}

/** Proof that the caller knew the user's password, or that the user has no password. Contains the hash at that time. */
export interface PasswordProof {
  userId: number;
  passwordHash: string;
}

/**
 * Checks a user's password. Returns the proof; null if the password is wrong. A user without a password always passes.
 * Takes a third of a second, so call this before the transaction. In the transaction, call `requirePasswordProof`.
 * Throws CredentialEndedError if the user does not exist.
 */
export async function provePassword(db: Db, userId: number, password: string): Promise<PasswordProof | null> {
  const passwordHash = await requireHash(db, userId);
  const isProven = passwordHash === noPassword || (await matches(password, passwordHash));
  return isProven ? { userId, passwordHash } : null;
}

/**
 * Locks a user and checks that the password has not changed since the proof. Throws CredentialEndedError if the user
 * does not exist, and ApiError if the password was changed.
 */
export async function requirePasswordProof(trx: Trx, { userId, passwordHash }: PasswordProof): Promise<void> {
  await lock(trx, userId);
  if ((await requireHash(trx, userId)) === passwordHash) return;
  throw new ApiError(
    'insufficient_scope',
    'The password was changed in the meantime. Try again with the new password.',
  );
}

export async function findFirstOwner(db: Db, accountId: number): Promise<number | null> {
  const [first] = await memberships.listOwners(db, accountId);
  return first?.userId ?? null;
}

/** Sets a user's password. Hash the password before the transaction. Does not end sessions. */
export async function setPasswordHash(trx: Trx, userId: number, passwordHash: PasswordHash): Promise<void> {
  await updateUser(trx, userId).set({ passwordHash }).execute();
}

/** Removes a user's password. Until the user sets a new password, they sign in by a mailed link. */
export async function removePassword(trx: Trx, userId: number): Promise<void> {
  await updateUser(trx, userId).set({ passwordHash: noPassword }).execute();
}

/**
 * Completes the removal of a user from an account. A user who is in no other account is erased. If the user is removed
 * from their first account, another account becomes the first account.
 */
export async function completeRemoval(trx: Trx, userId: number, accountId: number): Promise<void> {
  // The lock is needed because two transactions can remove the same person from two accounts.
  const user = await lock(trx, userId);
  if (user === null) return;
  const [other] = await memberships.listAccounts(trx, userId);
  if (!other) await trx.deleteFrom('users').where('userId', '=', userId).execute();
  else if (user.accountId === accountId) {
    await updateUser(trx, userId).set({ accountId: other.accountId }).execute();
  }
}

/** Locks a user until the transaction ends. Returns null for an unknown id. */
export async function lock(
  trx: Trx,
  userId: number,
): Promise<{ accountId: number; email: string; passwordHash: string } | null> {
  const row = await selectUser(trx, userId)
    .select(['accountId', 'email', 'passwordHash'])
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Sets the email and password of a user. A changed email becomes unconfirmed. Throws EmailTakenError. */
export async function setLogin(
  db: Db,
  userId: number,
  login: { email: string; passwordHash: PasswordHash },
): Promise<void> {
  try {
    const isSame = sql`lower(email) = lower(${login.email})`;
    const emailConfirmedAt = sql<Date | null>`case when ${isSame} then email_confirmed_at end`;
    await updateUser(db, userId)
      .set({ ...login, emailConfirmedAt })
      .execute();
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw new EmailTakenError();
    throw error;
  }
}

// Stored for a user without a password. No password has this hash.
const noPassword = '!';

async function requireHash(db: Db, userId: number): Promise<string> {
  const passwordHash = await findHash(db, userId);
  if (passwordHash === null) throw new CredentialEndedError();
  return passwordHash;
}

async function findHash(db: Db, userId: number): Promise<string | null> {
  const row = await selectUser(db, userId).select('passwordHash').executeTakeFirst();
  return row?.passwordHash ?? null;
}

// Maximum number of UTF-16 units that are normalized and hashed, because normalization takes quadratic time. Passwords
// have at most 200 characters.
const passwordUnitsMax = 1000;

async function matches(password: string, stored: string): Promise<boolean> {
  if (password.length > passwordUnitsMax) return false;
  const [, N = cost.N, r = cost.r, p = cost.p, salt = '', hash = ''] = stored.split('$');
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem };
  const expected = Buffer.from(hash, 'base64');
  const derived = await hashLimit(() =>
    derive(password.normalize('NFKC'), Buffer.from(salt, 'base64'), 32, options),
  );
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}
