import { keyOf } from '../notifications/mail-addresses.ts';
import type { Trx } from '../postgres/connect.ts';

/** Records that an address gets the credits for signing up. False when it ever got them before. */
export async function claim(trx: Trx, email: string): Promise<boolean> {
  const claimed = await trx
    .insertInto('signUpCredits')
    .values({ addressKey: await keyOf(trx, email) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('addressKey')
    .executeTakeFirst();
  return claimed !== undefined;
}
