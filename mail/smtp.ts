import { isIP } from 'node:net';
import { deadlines } from '../config/deadlines.ts';

/** Where mails go out, and what they are signed with. */
export interface SmtpConfig {
  url: string;
  /** `Name <address>` or an address alone. */
  from: string;
  dkim: DkimConfig | null;
}

export interface DkimConfig {
  domain: string;
  selector: string;
  /** RSA, as PEM. */
  privateKey: string;
}

/** A mail as it goes out. */
export interface Outgoing {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The same at every try. */
  messageId: string;
  headers: Record<string, string>;
}

/** Answer of a server to a mail. `refused` is permanent. `isOfAddress`: the recipient is refused, not the mail. */
export type Sent =
  | { state: 'sent' }
  | { state: 'refused'; error: string; isOfAddress: boolean }
  | { state: 'put off'; error: string };

export interface Mailer {
  send(mail: Outgoing): Promise<Sent>;
}

const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  dnsTimeout: 10_000,
};

/** By SMTP, one connection for each mail; only to a server on this machine without TLS. Never throws. */
export function createMailer({ url, from, dkim }: SmtpConfig): Mailer {
  const open = async () => {
    // A tenth of a second at every start; most processes never send a mail.
    const { createTransport } = await import('nodemailer');
    return createTransport(
      {
        ...timeouts,
        url: withTls(url),
        disableFileAccess: true,
        disableUrlAccess: true,
        ...(dkim ? { dkim: dkimOptions(dkim) } : {}),
      },
      { from },
    );
  };
  let opening: ReturnType<typeof open> | null = null;
  return {
    send: async ({ headers, ...mail }) => {
      const whole = {
        ...mail,
        to: { name: '', address: mail.to },
        headers,
        disableFileAccess: true,
        disableUrlAccess: true,
      };
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<Sent>((resolve) => {
        timer = setTimeout(
          () => resolve({ state: 'put off', error: 'the server took too long' }),
          deadlines.mailMs,
        );
      });
      opening ??= open();
      try {
        return await Promise.race([
          late,
          opening
            .then((transport) => transport.sendMail(whole))
            .then((): Sent => ({ state: 'sent' }), verdictOf),
        ]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** TLS is asked for in the address itself: what stands there goes before every other option. */
function withTls(text: string): string {
  const url = new URL(text);
  if (!isLoopback(url.hostname)) url.searchParams.set('requireTLS', 'true');
  return url.href;
}

/** Besides what nodemailer signs: what a receiver of digests wants to be signed (RFC 8058, section 4). */
const signedToo = 'list-unsubscribe-post:auto-submitted';
const signed =
  'from:sender:reply-to:subject:date:message-id:to:cc:mime-version:content-type:content-transfer-encoding:list-id:list-unsubscribe';

function dkimOptions({ domain, selector, privateKey }: DkimConfig) {
  return {
    domainName: domain,
    keySelector: selector,
    privateKey,
    headerFieldNames: `${signed}:${signedToo}`,
  };
}

/**
 * A server that says no (5xx) means it; whatever else may go better later. A password that it refuses, or TLS that
 * it does not have, is the operator's to put right, and no fault of the mail.
 */
function verdictOf(error: {
  code?: string;
  responseCode?: number;
  command?: string;
  message?: string;
}): Sent {
  const { code = '', responseCode = 0, command = '' } = error;
  const words = `${[code, command].filter(Boolean).join(' ')}: ${error.message ?? 'no reason'}`.slice(0, 500);
  const isOurs = code === 'EAUTH' || code === 'ETLS';
  const isFinal = (responseCode >= 500 && !isOurs) || (code === 'EENVELOPE' && responseCode === 0);
  if (!isFinal) return { state: 'put off', error: words };
  return { state: 'refused', error: words, isOfAddress: command === 'RCPT TO' || responseCode === 0 };
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
