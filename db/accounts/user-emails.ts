import { sql } from 'kysely';
import { hashAddress } from '../notifications/mail-addresses.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { EmailTakenError, updateUser } from './users.ts';

export interface UserEmail {
  userId: number;
  /** The user's first account. */
  accountId: number;
  email: string;
  /** Null until the user follows a link in a mail to the address. */
  emailConfirmedAt: Date | null;
}

export async function find(db: Db, userId: number): Promise<UserEmail | null> {
  return (await select(db).where('userId', '=', userId).executeTakeFirst()) ?? null;
}

/** Finds the user with an address, regardless of case. */
export async function findByEmail(db: Db, email: string): Promise<UserEmail | null> {
  const found = await select(db).where(sql<boolean>`lower(email) = lower(${email})`).executeTakeFirst();
  return found ?? null;
}

export async function isConfirmed(db: Db, userId: number): Promise<boolean> {
  return ((await find(db, userId))?.emailConfirmedAt ?? null) !== null;
}

/**
 * Stores the credits that the account gets when the user confirms their address. Also stores the network of the
 * sign-up.
 */
export async function storePendingCredits(
  trx: Trx,
  userId: number,
  { credits, networkKey }: { credits: number; networkKey: Buffer | null },
): Promise<void> {
  await updateUser(trx, userId).set({ creditsAtConfirmation: credits, networkKey }).execute();
}

/**
 * Confirms a user's address. Returns the pending credits, which are 0 at later calls. Returns null for an unknown
 * user.
 */
export async function confirm(
  trx: Trx,
  userId: number,
): Promise<{ accountId: number; credits: number; networkKey: Buffer | null } | null> {
  const { rows } = await sql<{ accountId: number; credits: number; networkKey: Buffer | null }>`
    with before as (
      select user_id, credits_at_confirmation as credits, network_key from users where user_id = ${userId} for update)
    update users set email_confirmed_at = coalesce(email_confirmed_at, now()), credits_at_confirmation = 0,
      network_key = null
    from before where users.user_id = before.user_id
    returning users.account_id, before.credits, before.network_key`.execute(trx);
  return rows[0] ?? null;
}

/**
 * Records that an address and its network get the sign-up credits. Returns false if the address got the credits
 * earlier. Also returns false if another address of the network got the credits today (UTC).
 */
export async function claimSignUpCredits(
  trx: Trx,
  email: string,
  networkKey: Buffer | null,
): Promise<boolean> {
  const claimed = await trx
    .insertInto('signUpCredits')
    .values({ addressKey: await hashAddress(trx, email), networkKey })
    .onConflict((conflict) => conflict.doNothing())
    .returning('addressKey')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Throws EmailTakenError. */
export async function setEmail(trx: Trx, userId: number, email: string): Promise<void> {
  try {
    await updateUser(trx, userId).set({ email }).execute();
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw new EmailTakenError();
    throw error;
  }
}

function select(db: Db) {
  return db.selectFrom('users').select(['userId', 'accountId', 'email', 'emailConfirmedAt']);
}
