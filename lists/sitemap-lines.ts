import { addressLengthMax } from './sitemap-xml.ts';

/** Splits pieces of text into lines that end in LF, CRLF or CR. Truncates lines that are too long. */
export class LineReader<Kind> {
  readonly kind: Kind;
  readonly #onLine: (line: string) => void;
  #rest = '';

  /** `onLine` is called with each line that is not blank. */
  constructor(kind: Kind, onLine: (line: string) => void) {
    this.kind = kind;
    this.#onLine = onLine;
  }

  write(text: string): void {
    const lines = text.split(/[\r\n]+/);
    const last = lines.pop() ?? '';
    for (const line of lines) {
      this.#emit(this.#rest + line);
      this.#rest = '';
    }
    this.#rest = (this.#rest + last).trimStart().slice(0, 2 * addressLengthMax);
  }

  /** Ends the last line. Always returns true, because plain text has no end mark. */
  end(): true {
    this.#emit(this.#rest);
    return true;
  }

  #emit(line: string): void {
    const trimmed = line.trim();
    if (trimmed !== '') this.#onLine(trimmed);
  }
}

/** Returns the address if a line consists of one, as in a plain-text sitemap; null for any other line. */
export function parseAddressLine(line: string): string | null {
  return /^https?:\/\/\S+$/i.test(line) ? line.slice(0, addressLengthMax) : null;
}

/** Returns the address in a `Sitemap:` line of robots.txt (sitemaps.org); null for any other line. */
export function parseSitemapLine(line: string): string | null {
  // A fragment is never sent, so a `#` begins a comment (RFC 9309) anywhere in a line.
  return /^site-?map[ \t]*:[ \t]*([^\s#]+)/i.exec(line)?.[1]?.slice(0, addressLengthMax) ?? null;
}
