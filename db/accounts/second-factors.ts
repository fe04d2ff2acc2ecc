import { sql } from 'kysely';
import type { SecretBox } from '../../process/secret-box.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { hashKey } from './random-key.ts';

interface SecondFactors {
  /** True after the user has entered a correct code of the authenticator app. */
  hasTotp: boolean;
  passkeys: PasskeySummary[];
  /** Number of unused recovery codes. */
  recoveryCodes: number;
}

interface PasskeySummary {
  passkeyId: number;
  /** Chosen by the user. */
  name: string;
  createdAt: Date;
  /** Null until its first use. */
  lastUsedAt: Date | null;
}

export async function find(db: Db, userId: number): Promise<SecondFactors> {
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['passkeyId', 'name', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('passkeyId')
    .execute();
  const { rows } = await sql<{ hasTotp: boolean; recoveryCodes: number }>`
    select exists (select from totp_factors where user_id = ${userId} and confirmed_at is not null) as has_totp,
      (select count(*) from recovery_codes where user_id = ${userId}) as recovery_codes`.execute(db);
  return { hasTotp: false, recoveryCodes: 0, ...rows[0], passkeys };
}

/** Returns whether a user needs a second factor to sign in. */
export async function isRequired(db: Db, userId: number): Promise<boolean> {
  const { hasTotp, passkeys } = await find(db, userId);
  return hasTotp || passkeys.length > 0;
}

/**
 * Stores an unconfirmed authenticator app. Replaces an earlier unconfirmed app. Returns false if the user has a
 * confirmed app.
 */
export async function addUnconfirmedTotp(
  db: Db,
  secretBox: SecretBox,
  userId: number,
  secret: string,
): Promise<boolean> {
  const { rows } = await sql`
    insert into totp_factors (user_id, secret) values (${userId}, ${secretBox.seal(secret)})
    on conflict (user_id) do update set secret = excluded.secret, created_at = now(), last_step = 0
    where totp_factors.confirmed_at is null
    returning user_id`.execute(db);
  return rows.length > 0;
}

interface Totp {
  /** Base32, the format that authenticator apps read. */
  secret: string;
  /** True after the first correct code. Sign-in requires only confirmed apps. */
  isConfirmed: boolean;
}

/**
 * Returns the authenticator app of a user. Returns null if the user has no app or SECRET_KEY cannot decrypt the secret.
 */
export async function findTotp(db: Db, secretBox: SecretBox, userId: number): Promise<Totp | null> {
  const row = await db
    .selectFrom('totpFactors')
    .select(['secret', 'confirmedAt'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  const secret = row ? secretBox.open(row.secret) : null;
  return row && secret !== null ? { secret, isConfirmed: row.confirmedAt !== null } : null;
}

/** Records a TOTP time step as used, and confirms the app. Returns false if this or a later step was already used. */
export async function useTotpStep(db: Db, userId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('totpFactors')
    .set({ lastStep: step, confirmedAt: sql`coalesce(confirmed_at, now())` })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function setRecoveryCodes(trx: Trx, userId: number, codes: string[]): Promise<void> {
  await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  if (codes.length === 0) return;
  await trx
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ userId, hash: hashCode(code) })))
    .execute();
}

/** Deletes a recovery code. Returns false if the user has no such code. */
export async function useRecoveryCode(db: Db, userId: number, code: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('hash', '=', hashCode(code))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes the authenticator app. Returns false if the user had no app. */
export async function removeTotp(trx: Db, userId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('totpFactors')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes all second factors and recovery codes of a user. Returns whether sign-in required a second factor. */
export async function removeAll(trx: Trx, userId: number): Promise<boolean> {
  const wasRequired = await isRequired(trx, userId);
  await removeTotp(trx, userId);
  await trx.deleteFrom('passkeys').where('userId', '=', userId).execute();
  await setRecoveryCodes(trx, userId, []);
  return wasRequired;
}

/** Re-encrypts the secrets that were encrypted with the previous key. Returns the number of these secrets. */
export async function reencryptSecrets(db: Db, secretBox: SecretBox): Promise<number> {
  const rows = await db.selectFrom('totpFactors').select(['userId', 'secret']).execute();
  let renewed = 0;
  for (const { userId, secret } of rows) {
    const sealed = secretBox.renew(secret);
    if (!sealed) continue;
    await db
      .updateTable('totpFactors')
      .set({ secret: sealed })
      .where('userId', '=', userId)
      .where('secret', '=', secret)
      .execute();
    renewed += 1;
  }
  return renewed;
}

function hashCode(code: string): Buffer {
  return hashKey(code.replace(/[\s-]/g, '').toUpperCase());
}
