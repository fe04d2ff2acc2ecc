import { TextDecoder } from 'node:util';
import { parseUrl } from '../net/url.ts';
import { detectEncoding, readPieces } from './sitemap-bytes.ts';
import { LineReader, parseAddressLine, parseSitemapLine } from './sitemap-lines.ts';
import { addressLengthMax, SitemapXml } from './sitemap-xml.ts';

/** Maximum bytes of a body as sent, and after unpacking. */
export const sitemapBytesMax = 10 * 1024 * 1024;
export const unpackedBytesMax = 16 * 1024 * 1024;
/** Limit of sitemaps.org for one sitemap. */
export const sitemapEntriesMax = 50_000;

/** Content of a robots.txt, an index of sitemaps, or a list of pages: a sitemap, a feed or plain text. */
export interface SitemapDocument {
  /** Null for any other document. */
  kind: 'pages' | 'index' | null;
  /** Pages or sitemaps in the order of the document. */
  addresses: string[];
  /**
   * Why addresses are missing: `entries` when `max` was reached, `size` when the body is too large, `end` when it
   * breaks off or its gzip is damaged. Null when it is complete.
   */
  cut: 'entries' | 'size' | 'end' | null;
}

export interface DocumentOptions {
  /** URL of the document, the base of relative links in robots.txt and Atom feeds. */
  url: string;
  format: 'sitemap' | 'robots';
  contentType: string | null;
  /** Why the body is incomplete; null when it is complete. */
  cut: 'size' | 'end' | null;
  /**
   * Maximum number of entries by kind of document, and of characters in all addresses. A short relative link may have
   * a long address. Invalid links count too.
   */
  max: { pages: number; index: number; characters: number };
}

/**
 * Parses a sitemap, a feed or robots.txt in one pass. Stops at the piece that reaches a limit. Never fails: URLs before
 * a fault are kept, and `cut` reports the fault.
 */
export async function readDocument(body: Uint8Array, options: DocumentOptions): Promise<SitemapDocument> {
  const reader = new DocumentReader(options);
  const isIntact = await readPieces(body, (piece) => reader.write(piece));
  return reader.end(options.cut ?? (isIntact ? null : 'end'));
}

interface TextReader {
  readonly kind: SitemapDocument['kind'];
  write(text: string): void;
  /** Returns whether the text was complete. */
  end(): boolean;
}

class DocumentReader {
  readonly #options: DocumentOptions;
  readonly #addresses: string[] = [];
  #bytesRead = 0;
  #entries = 0;
  #characters = 0;
  #cut: SitemapDocument['cut'] = null;
  #decoder: TextDecoder | null = null;
  #reader: TextReader | null = null;

  constructor(options: DocumentOptions) {
    this.#options = options;
  }

  /** Returns whether to continue. */
  write(piece: Uint8Array): boolean {
    if (this.#bytesRead + piece.length > unpackedBytesMax) this.#cut = 'size';
    if (this.#cut) return false;
    this.#bytesRead += piece.length;
    this.#decoder ??= new TextDecoder(detectEncoding(piece, this.#options.contentType));
    const text = this.#decoder.decode(piece, { stream: true });
    this.#reader ??= this.#createReader(text);
    this.#reader.write(text);
    return this.#cut === null;
  }

  end(cut: SitemapDocument['cut']): SitemapDocument {
    this.#cut ??= cut;
    // The last address of a truncated text may be incomplete, so the reader is not ended.
    if (!this.#cut && this.#reader?.end() === false) this.#cut = 'end';
    const isAnyText = this.#reader instanceof LineReader && this.#addresses.length === 0;
    const kind = isAnyText ? null : (this.#reader?.kind ?? null);
    return { kind, addresses: this.#addresses, cut: this.#cut };
  }

  #add(kind: 'pages' | 'index', link: string, base: string | null): void {
    const { max } = this.#options;
    if (this.#entries === max[kind]) this.#cut = 'entries';
    if (this.#cut) return;
    const address = base === null ? link : (parseUrl(link, base)?.href ?? null);
    // An invalid link cannot lead to a sitemap. Among pages it is listed, so that it is reported as invalid.
    const isListed = address !== null || kind === 'pages';
    const listed = (address ?? link).slice(0, addressLengthMax);
    this.#entries += 1;
    this.#characters += listed.length + 1;
    if (this.#characters > max.characters) this.#cut = 'entries';
    else if (isListed) this.#addresses.push(listed);
  }

  #createReader(start: string): TextReader {
    const { format, url } = this.#options;
    if (format === 'robots') return this.#createLines('index', parseSitemapLine, url);
    if (!/<[\w?!]/.test(start.slice(0, 1000))) return this.#createLines('pages', parseAddressLine, null);
    const xml: SitemapXml = new SitemapXml((link) =>
      this.#add(xml.kind ?? 'pages', link, xml.isFeed ? url : null),
    );
    return xml;
  }

  #createLines(
    kind: 'pages' | 'index',
    read: (line: string) => string | null,
    base: string | null,
  ): TextReader {
    return new LineReader(kind, (line) => {
      const link = read(line);
      if (link !== null) this.#add(kind, link, base);
    });
  }
}
