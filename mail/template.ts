import type { Mail } from '../db/notifications/mails.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { LinkTokens } from './tokens.ts';

/** What a template may use while it writes: one short transaction, ended before the mail goes out. */
export interface Writing {
  trx: Trx;
  tokens: LinkTokens;
  baseUrl: string;
}

/** A kind of mail. Its text is made when it is sent, from what is then true. */
export interface Template {
  /** Whoever can type an address can have it sent there: five a day for each address, and its address goes along. */
  isUnasked: boolean;
  /** What one can have no more of; null for what people ask for themselves, or have to know. */
  list: string | null;
  /** Its link is printed where `npm start` sends no mail. */
  isPrinted?: boolean;
  /** Null when there is nothing to tell any more, or nobody to tell it to. */
  compose(writing: Writing, mail: Mail): Promise<Letter | null>;
}

/** What a mail says; text and HTML are made of the same. */
export interface Letter {
  /** One address. */
  to: string;
  subject: string;
  parts: Part[];
}

export type Part =
  /** A paragraph. */
  | { text: string }
  /** The one thing to do. */
  | { button: { label: string; url: string } }
  /** What it is about, line by line. */
  | { facts: Array<[name: string, value: string]> }
  /** The same as a list, such as what has changed; `url` leads to more. */
  | { list: Array<{ text: string; url?: string }> }
  /** What one need not read. */
  | { small: string };
