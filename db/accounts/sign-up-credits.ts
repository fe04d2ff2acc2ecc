import { keyOf } from '../notifications/mail-addresses.ts';
import type { Trx } from '../postgres/connect.ts';

/**
 * Records that an address and its network get the credits for signing up. Returns false if the address got them before,
 * or another address of the network got them today (UTC).
 */
export async function claim(trx: Trx, email: string, networkKey: Buffer | null): Promise<boolean> {
  const claimed = await trx
    .insertInto('signUpCredits')
    .values({ addressKey: await keyOf(trx, email), networkKey })
    .onConflict((conflict) => conflict.doNothing())
    .returning('addressKey')
    .executeTakeFirst();
  return claimed !== undefined;
}
