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
