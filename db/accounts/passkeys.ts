import { sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';

/** A passkey, with the data that is needed to verify responses. */
export interface Passkey {
  passkeyId: number;
  userId: number;
  credentialId: Buffer;
  /** In COSE format. */
  publicKey: Buffer;
  /** Signature counter (WebAuthn); 0 if the authenticator does not count. */
  counter: number;
}

export interface NewPasskey extends Omit<Passkey, 'passkeyId'> {
  /** Chosen by the user. */
  name: string;
}

const challengeMinutes = 10;

/** Stores the challenge for a new passkey of a user. Replaces an earlier challenge. */
export async function setChallenge(db: Db, userId: number, value: string): Promise<void> {
  await sql`
    insert into passkey_challenges (user_id, challenge) values (${userId}, ${value})
    on conflict (user_id) do update set challenge = excluded.challenge, created_at = now()`.execute(db);
}

/** Deletes and returns the challenge of a user. Returns null if the challenge is missing or has expired. */
export async function redeemChallenge(db: Db, userId: number): Promise<string | null> {
  const row = await db
    .deleteFrom('passkeyChallenges')
    .where('userId', '=', userId)
    .returning([
      'challenge',
      sql<boolean>`created_at > now() - ${challengeMinutes} * interval '1 minute'`.as('isFresh'),
    ])
    .executeTakeFirst();
  return row?.isFresh ? row.challenge : null;
}

export function list(db: Db, userId: number): Promise<Passkey[]> {
  return db
    .selectFrom('passkeys')
    .select(['passkeyId', 'userId', 'credentialId', 'publicKey', 'counter'])
    .where('userId', '=', userId)
    .execute();
}

/** Stores a passkey. Returns false if the passkey is already stored. */
export async function add(trx: Trx, passkey: NewPasskey): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Records a use. Returns false if the counter did not rise, because a copy of the passkey may then be in use. */
export async function recordUse(db: Db, passkeyId: number, counter: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, lastUsedAt: sql`now()` })
    .where('passkeyId', '=', passkeyId)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes a passkey. Returns false if the user has no passkey with this id. */
export async function remove(trx: Trx, userId: number, passkeyId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('passkeys')
    .where('userId', '=', userId)
    .where('passkeyId', '=', passkeyId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
