import { sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';
import { hashKey, randomKey } from './random-key.ts';

/** Somebody whose password or link was right, and whose second factor is awaited. */
export interface SignInStep {
  hash: Buffer;
  userId: number;
  /** The page that they wanted. */
  next: string;
  /** What a passkey has to answer; null until one is asked for. */
  challenge: string | null;
}

const lifeMinutes = 10;

/** Begins to wait, and answers the key that the browser keeps; only its hash is stored. */
export async function begin(db: Db | Trx, userId: number, next: string): Promise<string> {
  await db.deleteFrom('signInSteps').where(sql<boolean>`not ${isFresh}`).execute();
  const key = randomKey();
  await db
    .insertInto('signInSteps')
    .values({ hash: hashKey(key), userId, next })
    .execute();
  return key;
}

/** Null when there is none with this key, or it took too long. */
export async function find(db: Db | Trx, key: string): Promise<SignInStep | null> {
  const found = await db
    .selectFrom('signInSteps')
    .select(['hash', 'userId', 'next', 'challenge'])
    .where('hash', '=', hashKey(key))
    .where(isFresh)
    .executeTakeFirst();
  return found ?? null;
}

/** Asks a passkey something new. */
export async function challenge(db: Db, hash: Buffer, asked: string): Promise<void> {
  await db.updateTable('signInSteps').set({ challenge: asked }).where('hash', '=', hash).execute();
}

/** Ends the wait; of two at once one gets true. */
export async function end(trx: Db | Trx, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('signInSteps').where('hash', '=', hash).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Nobody who gave this user's password or link is waited for any more. */
export async function endAll(db: Db | Trx, userId: number): Promise<void> {
  await db.deleteFrom('signInSteps').where('userId', '=', userId).execute();
}

const isFresh = sql<boolean>`(created_at > now() - ${lifeMinutes} * interval '1 minute')`;
