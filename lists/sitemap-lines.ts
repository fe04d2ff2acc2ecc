import { addressLengthMax } from './sitemap-xml.ts';

/** Splits pieces of text into lines, which end as in Unix, Windows or old Macs; what is too long of one is dropped. */
export class Lines<Kind> {
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
      this.#tell(this.#rest + line);
      this.#rest = '';
    }
    this.#rest = (this.#rest + last).trimStart().slice(0, 2 * addressLengthMax);
  }

  /** The last line may have no end. A text shows no sign of having broken off. */
  end(): true {
    this.#tell(this.#rest);
    return true;
  }

  #tell(line: string): void {
    const trimmed = line.trim();
    if (trimmed !== '') this.#onLine(trimmed);
  }
}

/** The address in a line of a plain-text sitemap, which holds nothing else; null for any other line. */
export function addressIn(line: string): string | null {
  return /^https?:\/\/\S+$/i.test(line) ? line.slice(0, addressLengthMax) : null;
}

/** The address that a line of robots.txt names as a sitemap (sitemaps.org); null for any other line. */
export function sitemapIn(line: string): string | null {
  // A fragment is never sent, so a `#` begins a comment (RFC 9309) wherever it stands.
  return /^site-?map[ \t]*:[ \t]*([^\s#]+)/i.exec(line)?.[1]?.slice(0, addressLengthMax) ?? null;
}
