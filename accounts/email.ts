import { domainToASCII } from 'node:url';
import { emailLengthMax } from '../schemas/person.ts';

/**
 * A person's email address in its one spelling: the domain in lower-case ASCII, without a dot at its end. Null for a
 * text that is none. Whether mail arrives there is not checked.
 */
export function parseEmail(text: string): string | null {
  // Before the pattern, which takes time with the square of the length.
  if (text.length > emailLengthMax || !text.isWellFormed()) return null;
  // Mail servers read the full stops of other scripts as dots or not at all.
  const isLikely = /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/.test(text) && !/[\p{Cc}\u3002\uff0e\uff61]/u.test(text);
  if (!isLikely) return null;
  const at = text.indexOf('@');
  const domain = domainToASCII(text.slice(at + 1)).replace(/\.$/, '');
  const email = `${text.slice(0, at)}@${domain}`;
  return domain.includes('.') && email.length <= emailLengthMax ? email : null;
}
