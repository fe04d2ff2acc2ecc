import { sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';

/** A passkey with what its answers are verified by. */
export interface Passkey {
  passkeyId: number;
  userId: number;
  credentialId: Buffer;
  /** As COSE. */
  publicKey: Buffer;
  /** How often it was used, where it counts; 0 where it does not. */
  counter: number;
}

/** A passkey as it is added; what its other fields mean stands at `Passkey`. */
export interface NewPasskey {
  userId: number;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  /** Its holder’s own words. */
  name: string;
}

const challengeMinutes = 10;

/** The challenge that a new passkey of a user has to answer; the one before is void. */
export async function challenge(db: Db, userId: number, asked: string): Promise<void> {
  await sql`
    insert into passkey_challenges (user_id, challenge) values (${userId}, ${asked})
    on conflict (user_id) do update set challenge = excluded.challenge, created_at = now()`.execute(db);
}

/** The challenge of a user, once; null when there is none or it is too old. */
export async function takeChallenge(db: Db | Trx, userId: number): Promise<string | null> {
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

/** Every passkey of a user, to be verified by. */
export function list(db: Db | Trx, userId: number): Promise<Passkey[]> {
  return db
    .selectFrom('passkeys')
    .select(['passkeyId', 'userId', 'credentialId', 'publicKey', 'counter'])
    .where('userId', '=', userId)
    .execute();
}

/** False when this passkey is somebody's already. */
export async function add(trx: Trx, passkey: NewPasskey): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Notes a use; false when the counter says that it was used elsewhere meanwhile, by a copy. */
export async function noteUse(db: Db | Trx, passkeyId: number, counter: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, lastUsedAt: sql`now()` })
    .where('passkeyId', '=', passkeyId)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Takes a passkey away; false when the user has none with this id. */
export async function remove(trx: Trx, userId: number, passkeyId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('passkeys')
    .where('userId', '=', userId)
    .where('passkeyId', '=', passkeyId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
