import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Db } from '../../db/postgres/connect.ts';
import { mailQueue } from '../../db/queue/queue.ts';
import { eventually } from './eventually.ts';
import { makeJobsDue } from './jobs.ts';

export interface ReceivedMail {
  /** The message as received. */
  raw: string;
  from: string;
  to: string[];
  /** Unfolded, by lower-case name. */
  headers: Map<string, string>;
  text: string;
  html: string;
  isOverTls: boolean;
}

export interface MailServer {
  url: string;
  port: number;
  received: ReceivedMail[];
  /** Waits for the nth mail to an address, from 1. */
  mailTo(address: string, nth?: number): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** Starts an SMTP server on loopback that keeps its mails. Default: without TLS. */
export async function serveMails(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData: async (stream, session, done) => {
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part as Buffer);
      const { mailFrom, rcptTo } = session.envelope;
      received.push({
        ...parseMail(Buffer.concat(parts).toString('utf8')),
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        isOverTls: session.secure,
      });
      done();
    },
    ...options,
  });
  // Clients may hang up.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  const toAddress = (address: string) => received.filter(({ to }) => to.includes(address));
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    mailTo: (address, nth = 1) => eventually(async () => toAddress(address)[nth - 1] ?? null),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Returns path and query of the link in a mail. */
export function pathIn({ text }: ReceivedMail): string {
  const [url = ''] = /https?:\/\/\S+\?token=\S+/.exec(text) ?? [];
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Makes all waiting mails due. */
export async function makeDue(db: Db): Promise<void> {
  await sql`update mails set next_attempt_at = now() where state = 'pending'`.execute(db);
  await makeJobsDue(db, mailQueue);
}

export function parseMail(raw: string): Pick<ReceivedMail, 'raw' | 'headers' | 'text' | 'html'> {
  const { headers, body } = split(raw);
  const boundary = /boundary="?([^";]+)/.exec(headers.get('content-type') ?? '')?.[1];
  const parts = boundary ? body.split(`--${boundary}`).slice(1, -1).map(part) : [];
  const ofType = (type: string) =>
    parts.find(({ headers }) => headers.get('content-type')?.startsWith(type))?.body;
  return { raw, headers, text: ofType('text/plain') ?? '', html: ofType('text/html') ?? '' };
}

function part(text: string) {
  const { headers, body } = split(text.replace(/^\r\n/, ''));
  const encoding = headers.get('content-transfer-encoding');
  return { headers, body: decode(body, encoding).replaceAll('\r\n', '\n') };
}

function split(text: string) {
  const at = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, at)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]+: ?/, '')]),
  );
  return { headers, body: text.slice(at + 4) };
}

function decode(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
