import { isConfirmed } from '../db/accounts/user-addresses.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import type { MailMode } from '../mail/owe.ts';
import { ApiError } from '../process/api-error.ts';

/** Returns whether a user still has to confirm their address. Only with SMTP. */
export async function isProofMissing(db: Db | Trx, mail: MailMode, userId: number): Promise<boolean> {
  return mail === 'smtp' && !(await isConfirmed(db, userId));
}

/**
 * Refuses users without a confirmed address what outlives a new password or reaches others: the holder of the address
 * may take the account over later. `by` is null for the operator; `act` completes the message. Throws ApiError.
 */
export async function requireProof(
  db: Db | Trx,
  { mail }: { mail: MailMode },
  by: number | null,
  act: string,
): Promise<void> {
  if (by === null || !(await isProofMissing(db, mail, by))) return;
  throw new ApiError('insufficient_scope', `Confirm your own address under Settings first, then ${act}.`);
}
