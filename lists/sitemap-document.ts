import { TextDecoder } from 'node:util';
import { encodingOf, readPieces } from './sitemap-bytes.ts';
import { addressIn, Lines, sitemapIn } from './sitemap-lines.ts';
import { SitemapXml } from './sitemap-xml.ts';

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
  /** Maximum number of addresses, by kind of document. */
  max: { pages: number; index: number };
}

/**
 * Reads the addresses that a body lists, in one pass, and stops at the piece that reaches a limit. Never fails:
 * addresses before a fault are kept, and `cut` reports the fault.
 */
export async function readDocument(body: Uint8Array, options: DocumentOptions): Promise<SitemapDocument> {
  const reader = new DocumentReader(options);
  const isIntact = await readPieces(body, (piece) => reader.write(piece));
  return reader.end(options.cut ?? (isIntact ? null : 'end'));
}

/** Reads the text of one format. */
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
    this.#decoder ??= new TextDecoder(encodingOf(piece, this.#options.contentType));
    const text = this.#decoder.decode(piece, { stream: true });
    this.#reader ??= this.#createReader(text);
    this.#reader.write(text);
    return this.#cut === null;
  }

  end(cut: SitemapDocument['cut']): SitemapDocument {
    this.#cut ??= cut;
    // The last address of a truncated text may be incomplete, so the reader is not ended.
    if (!this.#cut && this.#reader?.end() === false) this.#cut = 'end';
    const isAnyText = this.#reader instanceof Lines && this.#addresses.length === 0;
    const kind = isAnyText ? null : (this.#reader?.kind ?? null);
    return { kind, addresses: this.#addresses, cut: this.#cut };
  }

  #add(kind: 'pages' | 'index', address: string): void {
    if (this.#addresses.length < this.#options.max[kind]) this.#addresses.push(address);
    else this.#cut = 'entries';
  }

  #createReader(start: string): TextReader {
    const { format, url } = this.#options;
    if (format === 'robots') return this.#createLines('index', (line) => toAbsolute(sitemapIn(line), url));
    if (!/<[\w?!]/.test(start.slice(0, 1000))) return this.#createLines('pages', addressIn);
    const xml: SitemapXml = new SitemapXml((address) =>
      this.#add(xml.kind ?? 'pages', xml.isFeed ? (toAbsolute(address, url) ?? address) : address),
    );
    return xml;
  }

  #createLines(kind: 'pages' | 'index', read: (line: string) => string | null): TextReader {
    return new Lines(kind, (line) => {
      const address = read(line);
      if (address !== null) this.#add(kind, address);
    });
  }
}

function toAbsolute(address: string | null, base: string): string | null {
  return address !== null && URL.canParse(address, base) ? new URL(address, base).href : null;
}
