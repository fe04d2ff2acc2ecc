import { parseEmail } from '../../../accounts/email.ts';
import { isAcceptablePassword, passwordRule } from '../../../accounts/password.ts';
import { Refusal } from '../refusal.ts';

/** An address of a person; whether mail arrives there nobody asks. Throws a 422. */
export function readEmail(text: string): string {
  const email = parseEmail(text);
  if (email !== null) return email;
  throw new Refusal(422, 'Email must be an address such as you@example.com.', { field: 'email' });
}

/** Refuses a password that may not be set for an address. Throws a 422, at the field. */
export function refusePassword(password: string, email: string | null, field = 'password'): void {
  if (!isAcceptablePassword(password, email)) throw new Refusal(422, `Password ${passwordRule}.`, { field });
}

/** The message after a mailed link has confirmed an address without the old password. */
export const voidedText =
  'Your address is confirmed. The password and everything else set before no longer hold: choose a new password in Settings.';
