import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { normalizeEmail } from '../accounts/users.ts';
import type { Db, Trx } from '../postgres/connect.ts';

/** Returns the SHA-256 of an email address, for tables that must not store the address. */
export async function hashAddress(db: Db, address: string): Promise<Buffer> {
  return createHash('sha256')
    .update(await normalizeEmail(db, address))
    .digest();
}

/**
 * Records that a mail server rejected an address permanently. Only mails that anybody can cause are still sent to this
 * address.
 */
export async function markDead(trx: Trx, addressKey: Buffer, error: string): Promise<void> {
  await trx
    .insertInto('deadAddresses')
    .values({ addressKey, error })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Removes the mark of `markDead` after a mail was accepted. */
export async function markAlive(trx: Trx, addressKey: Buffer): Promise<void> {
  await trx.deleteFrom('deadAddresses').where('addressKey', '=', addressKey).execute();
}

export async function isDead(db: Db, addressKey: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('deadAddresses')
    .select('addressKey')
    .where('addressKey', '=', addressKey)
    .executeTakeFirst();
  return row !== undefined;
}

/** A user's opt-out from a list of mails about an account. */
export interface OptOut {
  userId: number;
  accountId: number;
  list: string;
}

/** Records an opt-out. Does nothing if the opt-out exists or the user was deleted. */
export async function optOut(db: Db, { userId, accountId, list }: OptOut): Promise<void> {
  await sql`
    insert into mail_opt_outs (user_id, account_id, list)
    select user_id, ${accountId}, ${list} from users where user_id = ${userId}
    on conflict do nothing`.execute(db);
}

export async function optIn(db: Db, { userId, accountId, list }: OptOut): Promise<void> {
  await db
    .deleteFrom('mailOptOuts')
    .where('userId', '=', userId)
    .where('accountId', '=', accountId)
    .where('list', '=', list)
    .execute();
}

export async function isOptedOut(db: Db, { userId, accountId, list }: OptOut): Promise<boolean> {
  const row = await db
    .selectFrom('mailOptOuts')
    .select('list')
    .where('userId', '=', userId)
    .where('accountId', '=', accountId)
    .where('list', '=', list)
    .executeTakeFirst();
  return row !== undefined;
}
