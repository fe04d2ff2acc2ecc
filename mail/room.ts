import { createPrivateKey } from 'node:crypto';
import { OperatorError, settingProblem } from '../process/operator-error.ts';
import { createMailer, type Mailer, type SmtpConfig } from './smtp.ts';

/**
 * What carries mails of a process: a server, the terminal, or null where they are off. Throws OperatorError when
 * the key that is to sign them is no RSA key, for with another one they would go out unsigned.
 */
export function mailerFor(smtp: SmtpConfig | null, isTerminal: boolean): Mailer | null {
  if (smtp === null) return isTerminal ? createTerminalMailer((text) => process.stdout.write(text)) : null;
  if (smtp.dkim) requireRsa(smtp.dkim.privateKey);
  return createMailer(smtp);
}

function requireRsa(pem: string): void {
  try {
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa') return;
  } catch {
    // Said below, without a word of the key.
  }
  throw new OperatorError(settingProblem('DKIM_PRIVATE_KEY', 'is no RSA key', '$(openssl genrsa 2048)'));
}

/** For `npm start` where there is no SMTP_URL: what would be sent is printed, for whoever sits at this machine. */
function createTerminalMailer(print: (text: string) => void): Mailer {
  return {
    send: async ({ to, text }) => {
      const [address = ''] = /https?:\/\/\S+token=\S+/.exec(text) ?? [];
      print(`\nA mail to ${to} would say (no SMTP_URL is set):\n  ${address}\n`);
      return { state: 'sent' };
    },
  };
}
