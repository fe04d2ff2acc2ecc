import { isConfirmed } from '../db/accounts/user-addresses.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import type { MailMode } from '../mail/owe.ts';
import { Refused } from '../process/refused.ts';

/** Where mails prove whose an address is: whether this person has yet to follow the link of one. */
export async function isProofMissing(db: Db | Trx, mail: MailMode, userId: number): Promise<boolean> {
  return mail === 'smtp' && !(await isConfirmed(db, userId));
}

/**
 * Refuses what outlives a new password, or reaches others, to whoever has not proved their address: it may be
 * somebody else's, who takes the account over by a mail one day. `by` is null for the operator; `act` is what they
 * may do once they have, in words.
 */
export async function requireProof(
  db: Db | Trx,
  { mail }: { mail: MailMode },
  by: number | null,
  act: string,
): Promise<void> {
  if (by === null || !(await isProofMissing(db, mail, by))) return;
  throw new Refused('insufficient_scope', `Confirm your own address under Settings first, then ${act}.`);
}
