import { domainToASCII } from 'node:url';
import { emailLengthMax } from '../schemas/person.ts';

/**
 * Returns an email address in canonical form: the domain in lower-case ASCII without a final dot. Returns null if the
 * text is not an email address. Does not check that the mailbox exists.
 */
export function parseEmail(text: string): string | null {
  // The length is checked first, because the pattern takes quadratic time.
  if (text.length > emailLengthMax || !text.isWellFormed()) return null;
  // Addresses with the full stops of other scripts are rejected. Only some mail servers read these characters as dots.
  const isLikely = /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/.test(text) && !/[\p{Cc}\u3002\uff0e\uff61]/u.test(text);
  if (!isLikely) return null;
  const at = text.indexOf('@');
  const domain = domainToASCII(text.slice(at + 1)).replace(/\.$/, '');
  const email = `${text.slice(0, at)}@${domain}`;
  return domain.includes('.') && email.length <= emailLengthMax ? email : null;
}
