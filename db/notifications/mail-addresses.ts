import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { comparable } from '../accounts/users.ts';
import type { Db, Trx } from '../postgres/connect.ts';

/** What an address is counted and remembered by, where no address of a person is to stand. */
export async function keyOf(db: Db | Trx, address: string): Promise<Buffer> {
  return createHash('sha256')
    .update(await comparable(db, address))
    .digest();
}

/** A mail server has refused this address for good: nothing that nobody asked for is sent there any more. */
export async function markDead(trx: Trx, addressKey: Buffer, error: string): Promise<void> {
  await trx
    .insertInto('deadAddresses')
    .values({ addressKey, error })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A mail has arrived there after all. */
export async function markAlive(trx: Trx, addressKey: Buffer): Promise<void> {
  await trx.deleteFrom('deadAddresses').where('addressKey', '=', addressKey).execute();
}

/** Whether its server has refused the address for good. */
export async function isDead(db: Db | Trx, addressKey: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('deadAddresses')
    .select('addressKey')
    .where('addressKey', '=', addressKey)
    .executeTakeFirst();
  return row !== undefined;
}

/** What somebody wants no more of: the mails of a list about an account. */
export interface OptOut {
  userId: number;
  accountId: number;
  list: string;
}

/** Nothing happens where it was said before, or the user is gone. */
export async function optOut(db: Db | Trx, { userId, accountId, list }: OptOut): Promise<void> {
  await sql`
    insert into mail_opt_outs (user_id, account_id, list)
    select user_id, ${accountId}, ${list} from users where user_id = ${userId}
    on conflict do nothing`.execute(db);
}

/** The mails are wanted again. */
export async function optIn(db: Db | Trx, { userId, accountId, list }: OptOut): Promise<void> {
  await db
    .deleteFrom('mailOptOuts')
    .where('userId', '=', userId)
    .where('accountId', '=', accountId)
    .where('list', '=', list)
    .execute();
}

/** Whether somebody wants no more mails of this list about this account. */
export async function isOptedOut(db: Db | Trx, { userId, accountId, list }: OptOut): Promise<boolean> {
  const row = await db
    .selectFrom('mailOptOuts')
    .select('list')
    .where('userId', '=', userId)
    .where('accountId', '=', accountId)
    .where('list', '=', list)
    .executeTakeFirst();
  return row !== undefined;
}
