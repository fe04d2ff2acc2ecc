import { sql } from 'kysely';
import { keyOf } from '../notifications/mail-addresses.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { EmailTakenError } from './users.ts';

/** A person, by the address that they sign in with. */
export interface Addressed {
  userId: number;
  /** The account that they signed up for. */
  accountId: number;
  email: string;
  /** When they proved by a mail that the address is theirs; null until then. */
  emailConfirmedAt: Date | null;
}

/** Null when there is no such user. */
export async function find(db: Db | Trx, userId: number): Promise<Addressed | null> {
  return (await select(db).where('userId', '=', userId).executeTakeFirst()) ?? null;
}

/** Whose address it is, in any case; null when it is nobody's. */
export async function findByEmail(db: Db | Trx, email: string): Promise<Addressed | null> {
  const found = await select(db).where(sql<boolean>`lower(email) = lower(${email})`).executeTakeFirst();
  return found ?? null;
}

/** Whether a user has proved that their address is theirs. */
export async function isConfirmed(db: Db | Trx, userId: number): Promise<boolean> {
  return ((await find(db, userId))?.emailConfirmedAt ?? null) !== null;
}

/** Stores the credits that an account gets when its user confirms their address, and the network that signed up. */
export async function promiseCredits(
  trx: Trx,
  userId: number,
  { credits, networkKey }: { credits: number; networkKey: Buffer | null },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ creditsAtConfirmation: credits, networkKey })
    .where('userId', '=', userId)
    .execute();
}

/** Marks a user's address as confirmed, and returns once the credits that were promised for it. */
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
 * Records that an address and its network get the credits for signing up. Returns false if the address got them before,
 * or another address of the network got them today (UTC).
 */
export async function claimCredits(trx: Trx, email: string, networkKey: Buffer | null): Promise<boolean> {
  const claimed = await trx
    .insertInto('signUpCredits')
    .values({ addressKey: await keyOf(trx, email), networkKey })
    .onConflict((conflict) => conflict.doNothing())
    .returning('addressKey')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Gives a user another address. Throws EmailTakenError. */
export async function setEmail(trx: Trx, userId: number, email: string): Promise<void> {
  try {
    await trx.updateTable('users').set({ email }).where('userId', '=', userId).execute();
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw new EmailTakenError();
    throw error;
  }
}

function select(db: Db | Trx) {
  return db.selectFrom('users').select(['userId', 'accountId', 'email', 'emailConfirmedAt']);
}
