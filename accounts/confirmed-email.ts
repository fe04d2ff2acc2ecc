import { isConfirmed } from '../db/accounts/user-emails.ts';
import type { Db } from '../db/postgres/connect.ts';
import type { MailMode } from '../mail/enqueue.ts';
import { ApiError } from '../process/api-error.ts';

/** Returns true if a user must still confirm their email address. Without SMTP, returns false. */
export async function isEmailUnconfirmed(db: Db, mail: MailMode, userId: number): Promise<boolean> {
  return mail === 'smtp' && !(await isConfirmed(db, userId));
}

/**
 * Throws ApiError if a user has not confirmed their email address. A stranger may have signed up with the address, and
 * its real owner can recover the user by a password reset. Call this before an action that reaches other people, or
 * that stays in effect after a password reset. `userId` is null for the operator. The message ends with `action`.
 */
export async function requireConfirmedEmail(
  db: Db,
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
