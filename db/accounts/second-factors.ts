import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { SecretBox } from '../../process/secret-box.ts';
import type { Db, Trx } from '../postgres/connect.ts';

/** What a person has to sign in with beside a password or a link. */
export interface SecondFactors {
  /** An app whose first code was right. */
  hasTotp: boolean;
  passkeys: PasskeySummary[];
  /** Codes that are left for the day when the app or the key is lost. */
  recoveryCodes: number;
}

/** A passkey as its holder sees it: nothing of it lets anybody in. */
export interface PasskeySummary {
  passkeyId: number;
  /** Its holder's own words. */
  name: string;
  createdAt: Date;
  /** Null until its first use. */
  lastUsedAt: Date | null;
}

/** What a user has; nothing of it lets anybody in. */
export async function find(db: Db | Trx, userId: number): Promise<SecondFactors> {
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

/** Whether signing in takes more than a password or a link. */
export async function isAskedFor(db: Db | Trx, userId: number): Promise<boolean> {
  const { hasTotp, passkeys } = await find(db, userId);
  return hasTotp || passkeys.length > 0;
}

/** An app that is about to be added; one that was begun before is forgotten, one that is in use stays. */
export async function beginTotp(db: Db, box: SecretBox, userId: number, secret: string): Promise<boolean> {
  const { rows } = await sql`
    insert into totp_factors (user_id, secret) values (${userId}, ${box.seal(secret)})
    on conflict (user_id) do update set secret = excluded.secret, created_at = now(), last_step = 0
    where totp_factors.confirmed_at is null
    returning user_id`.execute(db);
  return rows.length > 0;
}

/** An authenticator app, or the beginning of one. */
export interface Totp {
  /** As apps take it, in base 32. */
  secret: string;
  /** Whether a code of it was ever given; only then it is asked for. */
  isConfirmed: boolean;
}

/** Null when there is none, or SECRET_KEY no longer opens it. */
export async function totpOf(db: Db | Trx, box: SecretBox, userId: number): Promise<Totp | null> {
  const row = await db
    .selectFrom('totpFactors')
    .select(['secret', 'confirmedAt'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  const secret = row ? box.open(row.secret) : null;
  return row && secret !== null ? { secret, isConfirmed: row.confirmedAt !== null } : null;
}

/** Takes the code of a step; false when it, or a later one, was taken before. */
export async function takeStep(db: Db | Trx, userId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('totpFactors')
    .set({ lastStep: step, confirmedAt: sql`coalesce(confirmed_at, now())` })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Puts new recovery codes in the place of those that are left. */
export async function setRecoveryCodes(trx: Trx, userId: number, codes: string[]): Promise<void> {
  await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  if (codes.length === 0) return;
  await trx
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ userId, hash: hashOfCode(code) })))
    .execute();
}

/** Uses a code up; false when it is none of the user's, or was used. */
export async function useRecoveryCode(db: Db | Trx, userId: number, code: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('hash', '=', hashOfCode(code))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Takes the app away. */
export async function removeTotp(trx: Db | Trx, userId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('totpFactors')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Takes all of a person's factors away, with the codes. Answers whether any was in use. */
export async function removeAll(trx: Trx, userId: number): Promise<boolean> {
  const wasAskedFor = await isAskedFor(trx, userId);
  await removeTotp(trx, userId);
  await trx.deleteFrom('passkeys').where('userId', '=', userId).execute();
  await setRecoveryCodes(trx, userId, []);
  return wasAskedFor;
}

/** Seals by today's key what the one before had sealed. Answers how many that were. */
export async function renewSecrets(db: Db, box: SecretBox): Promise<number> {
  const rows = await db.selectFrom('totpFactors').select(['userId', 'secret']).execute();
  let renewed = 0;
  for (const { userId, secret } of rows) {
    const sealed = box.renew(secret);
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

/** No salt and no slow hash: a code has 80 random bits. */
function hashOfCode(code: string): Buffer {
  return createHash('sha256').update(code.replace(/[\s-]/g, '').toUpperCase()).digest();
}
