import type { Mail } from '../db/notifications/mails.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { LinkTokens } from './tokens.ts';

/** The transaction ends before the mail is sent. */
export interface TemplateContext {
  trx: Trx;
  tokens: LinkTokens;
  baseUrl: string;
}

/** Template of a mail. The text is written from the data at the time of sending. */
export interface Template {
  /** True if anybody can cause this mail with an address. Such a mail counts against the address's daily limit. */
  canAnyoneCause: boolean;
  /** Mailing list to unsubscribe from. Null for mails that the user requested or must get. */
  list: string | null;
  /** True if `npm start` prints the link of this mail when SMTP is not configured. */
  isPrinted?: boolean;
  /** Returns null if there is nothing to report or no recipient. */
  compose(writing: TemplateContext, mail: Mail): Promise<MailContent | null>;
}

export interface MailContent {
  to: string;
  subject: string;
  parts: MailPart[];
}

export type MailPart =
  | { text: string }
  | { button: { label: string; url: string } }
  | { facts: Array<[name: string, value: string]> }
  | { table: { head: string[]; rows: string[][] } }
  | { list: Array<{ text: string; url?: string }> }
  | { small: string };
