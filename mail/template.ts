import type { Mail } from '../db/notifications/mails.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { LinkTokens } from './tokens.ts';

/** Context of a template. The transaction ends before the mail is sent. */
export interface TemplateContext {
  trx: Trx;
  tokens: LinkTokens;
  baseUrl: string;
}

/** A kind of mail. Its text is written when the mail is sent, from the data at that time. */
export interface Template {
  /** Anybody can cause this mail by typing an address, so it counts against the daily limit of the address. */
  isRequestable: boolean;
  /** Mailing list to unsubscribe from; null for mails that the user asked for or must get. */
  list: string | null;
  /** `npm start` prints the link of this mail if SMTP is not configured. */
  isPrinted?: boolean;
  /** Returns null if there is nothing left to report, or no recipient. */
  compose(writing: TemplateContext, mail: Mail): Promise<MailContent | null>;
}

/** Content of a mail, from which text and HTML are made. */
export interface MailContent {
  to: string;
  subject: string;
  parts: MailPart[];
}

export type MailPart =
  /** Paragraph. */
  | { text: string }
  | { button: { label: string; url: string } }
  | { facts: Array<[name: string, value: string]> }
  | { list: Array<{ text: string; url?: string }> }
  /** Paragraph in small print. */
  | { small: string };
