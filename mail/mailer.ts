import { createPrivateKey } from 'node:crypto';
import { formatSettingError, OperatorError } from '../process/operator-error.ts';
import { createSmtpMailer, type Mailer, type SmtpConfig } from './smtp.ts';

/**
 * Creates the mailer of a process: for SMTP or for the terminal. Returns null if mail is off. Throws OperatorError if
 * the DKIM key is not RSA, because nodemailer would send unsigned mails.
 */
export function createMailer(smtp: SmtpConfig | null, isTerminal: boolean): Mailer | null {
  if (smtp === null) return isTerminal ? createTerminalMailer((text) => process.stdout.write(text)) : null;
  if (smtp.dkim) requireRsa(smtp.dkim.privateKey);
  return createSmtpMailer(smtp);
}

function requireRsa(pem: string): void {
  try {
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa') return;
  } catch {
    // The parser's error is dropped, because it could contain parts of the key.
  }
  throw new OperatorError(
    formatSettingError('DKIM_PRIVATE_KEY', 'is not an RSA key', '$(openssl genrsa 2048)'),
  );
}

/** Prints the link of each mail, for `npm start` without SMTP_URL. */
function createTerminalMailer(print: (text: string) => void): Mailer {
  return {
    send: async ({ to, text }) => {
      const [link = ''] = /https?:\/\/\S+token=\S+/.exec(text) ?? [];
      print(`\nLink for ${to} (not emailed, because SMTP_URL is not set):\n  ${link}\n`);
      return { state: 'sent' };
    },
  };
}
