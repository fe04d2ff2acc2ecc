import { Refusal } from '../refusal.ts';

const passwordLengthMin = 8;
const passwordLengthMax = 200;

/** An address of a person; whether mail arrives there nobody asks. Throws a 422. */
export function readEmail(text: string): string {
  const isLikely = text.length <= 254 && /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/.test(text) && !/\p{Cc}/u.test(text);
  if (isLikely && text.isWellFormed()) return text;
  throw new Refusal(422, 'Email must be an address such as you@example.com.', { field: 'email' });
}

/** Length is what makes a password strong (NIST SP 800-63B section 5.1.1). Throws a 422, at the field. */
export function refusePassword(password: string, field = 'password'): void {
  const length = [...password].length;
  if (length >= passwordLengthMin && length <= passwordLengthMax) return;
  const message = `Password must have ${passwordLengthMin} to ${passwordLengthMax} characters.`;
  throw new Refusal(422, message, { field });
}
