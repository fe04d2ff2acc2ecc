import { sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';
import { hashKey, randomKey } from './random-key.ts';

/** Sign-in that waits for a second factor after a correct password or link. */
export interface SignInStep {
  hash: Buffer;
  userId: number;
  /** Path to redirect to after sign-in. */
  next: string;
  /** Challenge for a passkey; null until the browser requests one. */
  challenge: string | null;
}

const lifeMinutes = 10;

/**
 * Begins a sign-in that waits for a second factor. Returns the key for the browser. Only a hash of the key is stored.
 */
export async function begin(db: Db, userId: number, next: string): Promise<string> {
  await db.deleteFrom('signInSteps').where(sql<boolean>`not ${isFresh}`).execute();
  const key = randomKey();
  await db
    .insertInto('signInSteps')
    .values({ hash: hashKey(key), userId, next })
    .execute();
  return key;
}

/** Finds the step of a key. Returns null if the step is missing or has expired. */
export async function find(db: Db, key: string): Promise<SignInStep | null> {
  const found = await db
    .selectFrom('signInSteps')
    .select(['hash', 'userId', 'next', 'challenge'])
    .where('hash', '=', hashKey(key))
    .where(isFresh)
    .executeTakeFirst();
  return found ?? null;
}

export async function setChallenge(db: Db, hash: Buffer, value: string): Promise<void> {
  await db.updateTable('signInSteps').set({ challenge: value }).where('hash', '=', hash).execute();
}

/** Deletes a step. If two calls run at the same time, one of them returns false. */
export async function end(trx: Db, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('signInSteps').where('hash', '=', hash).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function endAll(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('signInSteps').where('userId', '=', userId).execute();
}

const isFresh = sql<boolean>`(created_at > now() - ${lifeMinutes} * interval '1 minute')`;
