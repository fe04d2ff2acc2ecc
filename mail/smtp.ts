import { isIP } from 'node:net';
import { deadlines } from '../config/deadlines.ts';

export interface SmtpConfig {
  url: string;
  /** `Name <address>`, or only an address. */
  from: string;
  dkim: DkimConfig | null;
}

interface DkimConfig {
  domain: string;
  selector: string;
  /** RSA, as PEM. */
  privateKey: string;
}

export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Does not change between attempts. */
  messageId: string;
  headers: Record<string, string>;
}

/**
 * Result of sending a mail. `refused` is permanent. `isRecipientRefused` is true if the server refused the recipient,
 * and false if it refused the content.
 */
export type SendResult =
  | { state: 'sent' }
  | { state: 'refused'; error: string; isRecipientRefused: boolean }
  | { state: 'deferred'; error: string };

export interface Mailer {
  send(mail: MailMessage): Promise<SendResult>;
}

const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  dnsTimeout: 10_000,
};

/**
 * Sends mails by SMTP, with one connection per mail. Requires TLS if the server is on another machine. Never throws.
 */
export function createSmtpMailer({ url, from, dkim }: SmtpConfig): Mailer {
  const open = async () => {
    // nodemailer is loaded when first needed. Loading takes 0.1 s, and most processes never send a mail.
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
      const late = new Promise<SendResult>((resolve) => {
        timer = setTimeout(
          () => resolve({ state: 'deferred', error: 'The email server did not respond in time.' }),
          deadlines.mailMs,
        );
      });
      opening ??= open();
      try {
        return await Promise.race([
          late,
          opening
            .then((transport) => transport.sendMail(whole))
            .then((): SendResult => ({ state: 'sent' }), toFailure),
        ]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Sets `requireTLS` in the URL, because parameters in the URL override other options. */
function withTls(text: string): string {
  const url = new URL(text);
  if (!isLoopback(url.hostname)) url.searchParams.set('requireTLS', 'true');
  return url.href;
}

/** Header fields to sign besides nodemailer's defaults. RFC 8058, section 4 requires `list-unsubscribe-post`. */
const addedSignedFields = 'list-unsubscribe-post:auto-submitted';
const defaultSignedFields =
  'from:sender:reply-to:subject:date:message-id:to:cc:mime-version:content-type:content-transfer-encoding:list-id:list-unsubscribe';

function dkimOptions({ domain, selector, privateKey }: DkimConfig) {
  return {
    domainName: domain,
    keySelector: selector,
    privateKey,
    headerFieldNames: `${defaultSignedFields}:${addedSignedFields}`,
  };
}

/**
 * Decides whether a failure is permanent. A 5xx response and an unusable recipient address are permanent. Other
 * failures are retried. A rejected password and missing TLS are also retried, because the operator can fix both.
 */
function toFailure(error: {
  code?: string;
  responseCode?: number;
  command?: string;
  message?: string;
}): SendResult {
  const { code = '', responseCode = 0, command = '' } = error;
  const text = `${[code, command].filter(Boolean).join(' ')}: ${error.message ?? 'no reason'}`.slice(0, 500);
  const isMisconfigured = code === 'EAUTH' || code === 'ETLS';
  const isFinal = (responseCode >= 500 && !isMisconfigured) || (code === 'EENVELOPE' && responseCode === 0);
  if (!isFinal) return { state: 'deferred', error: text };
  return { state: 'refused', error: text, isRecipientRefused: command === 'RCPT TO' || responseCode === 0 };
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
