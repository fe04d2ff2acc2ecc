import { parseEmail } from '../../../accounts/email.ts';
import { isAcceptablePassword, passwordRule } from '../../../accounts/password.ts';
import { Refusal } from '../refusal.ts';

/** Parses an email address. Throws a 422 at its field. */
export function readEmail(text: string): string {
  const email = parseEmail(text);
  if (email !== null) return email;
  throw new Refusal(422, 'Enter an email address such as you@example.com.', { field: 'email' });
}

/** Throws a 422 at the field if a password is not acceptable. */
export function requireAcceptablePassword(password: string, email: string | null, field = 'password'): void {
  if (!isAcceptablePassword(password, email)) throw new Refusal(422, `Password ${passwordRule}.`, { field });
}

/** Message for a user who has confirmed an address by a link, without the old password. */
export const credentialsRemovedText =
  'Your email address is confirmed. The old password and other credentials were removed. Choose a password in Settings.';
