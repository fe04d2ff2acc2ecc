import { isConfirmed } from '../db/accounts/user-emails.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import type { MailMode } from '../mail/enqueue.ts';
import { ApiError } from '../process/api-error.ts';

/** Returns whether a user still has to confirm their email address. Always false without SMTP. */
export async function isEmailUnconfirmed(db: Db | Trx, mail: MailMode, userId: number): Promise<boolean> {
  return mail === 'smtp' && !(await isConfirmed(db, userId));
}

/**
 * Requires a confirmed email address for actions whose effect survives a password reset or reaches other people,
 * because somebody else may have signed up with the address. `userId` is null for the operator; `action` ends the
 * message. Throws ApiError.
 */
export async function requireConfirmedEmail(
  db: Db | Trx,
  { mail }: { mail: MailMode },
  userId: number | null,
  action: string,
): Promise<void> {
  if (userId === null || !(await isEmailUnconfirmed(db, mail, userId))) return;
  throw new ApiError(
    'insufficient_scope',
    `Confirm your email address under Settings first, then ${action}.`,
  );
}
