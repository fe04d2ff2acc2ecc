import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import pLimit from 'p-limit';
import * as accounts from './accounts.ts';
import type { Db, Trx } from './connect.ts';
import * as sessions from './sessions.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

// About 290 ms and 64 MiB each (measured), so no more than two at once.
const cost = { N: 2 ** 16, r: 8, p: 2 };
const maxmem = 160 * 1024 * 1024;
const atOnce = pLimit(2);

/** Someone else has this e-mail address. */
export class EmailTakenError extends Error {
  constructor() {
    super('This e-mail address already has an account.');
    this.name = 'EmailTakenError';
  }
}

declare const hashed: unique symbol;
/** A password as it is stored: `scrypt$N$r$p$salt$hash`, so that the cost can be raised later. */
export type PasswordHash = string & { readonly [hashed]: true };

/**
 * Takes a third of a second, and waits for others: never call it in a transaction, which would hold its
 * connection.
 */
export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(16);
  const hash = await atOnce(() => derive(password.normalize('NFKC'), salt, 32, { ...cost, maxmem }));
  const parts = ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')];
  return parts.join('$') as PasswordHash;
}

/** Lets a person sign in to an account; without a password only by a link. Throws EmailTakenError. */
export async function create(
  db: Db | Trx,
  { accountId, email, passwordHash }: { accountId: number; email: string; passwordHash: PasswordHash | null },
): Promise<number> {
  const row = await db
    .insertInto('users')
    .values({ accountId, email, passwordHash: passwordHash ?? noPassword })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('userId')
    .executeTakeFirst();
  if (!row) throw new EmailTakenError();
  return row.userId;
}

/** An e-mail address as addresses are compared here: two that this makes equal are one person's. */
export async function comparable(db: Db, email: string): Promise<string> {
  // Postgres's idea of lower case, everywhere: it is not JavaScript's for every letter.
  const { rows } = await sql<{ email: string }>`select lower(${email}::text) as email`.execute(db);
  return rows[0]?.email ?? email;
}

/** Whose e-mail and password these are, or null. Takes as long when there is no such user. */
export async function authenticate(db: Db, email: string, password: string): Promise<number | null> {
  const user = await db
    .selectFrom('users')
    .select(['userId', 'accountId', 'passwordHash'])
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst();
  const isOpen = user !== undefined && (await accounts.isOpen(db, user.accountId));
  const isRight = await matches(password, (isOpen && user.passwordHash) || noPassword);
  return isOpen && isRight ? user.userId : null;
}

/** Whether this is the user's password. */
export async function hasPassword(db: Db, userId: number, password: string): Promise<boolean> {
  return matches(password, await hashOf(db, userId));
}

/** Whether the user signs in by a password at all. */
export async function isPasswordSet(db: Db, userId: number): Promise<boolean> {
  return (await hashOf(db, userId)) !== noPassword;
}

/** The first user of an account; null when it has none. */
export async function firstOf(db: Db, accountId: number): Promise<number | null> {
  const row = await db
    .selectFrom('users')
    .select('userId')
    .where('accountId', '=', accountId)
    .orderBy('userId')
    .executeTakeFirst();
  return row?.userId ?? null;
}

/** Sets the password of an account's users and ends their sessions. Answers how many users that were. */
export async function setPassword(db: Db | Trx, accountId: number, password: string): Promise<number> {
  const passwordHash = await hashPassword(password);
  const users = await db
    .updateTable('users')
    .set({ passwordHash })
    .where('accountId', '=', accountId)
    .returning('userId')
    .execute();
  const ids = users.map(({ userId }) => userId);
  for (const userId of ids) await sessions.endAll(db, userId);
  return ids.length;
}

/** Gives one user an address and a password to sign in with. Throws EmailTakenError. */
export async function setLogin(
  db: Db | Trx,
  userId: number,
  login: { email: string; passwordHash: PasswordHash },
): Promise<void> {
  try {
    await db.updateTable('users').set(login).where('userId', '=', userId).execute();
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw new EmailTakenError();
    throw error;
  }
}

// As in Unix: no password hashes to this.
const noPassword = '!';

async function hashOf(db: Db, userId: number): Promise<string> {
  const row = await db
    .selectFrom('users')
    .select('passwordHash')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row?.passwordHash ?? noPassword;
}

/** Derives a key in any case, so that the time tells nothing. */
async function matches(password: string, stored: string): Promise<boolean> {
  const [, N = cost.N, r = cost.r, p = cost.p, salt = '', hash = ''] = stored.split('$');
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem };
  const expected = Buffer.from(hash, 'base64');
  const derived = await atOnce(() =>
    derive(password.normalize('NFKC'), Buffer.from(salt, 'base64'), 32, options),
  );
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}
