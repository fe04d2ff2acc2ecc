import { TextDecoder } from 'node:util';
import { encodingOf, readPieces } from './sitemap-bytes.ts';
import { addressIn, Lines, sitemapIn } from './sitemap-lines.ts';
import { SitemapXml } from './sitemap-xml.ts';

/** The most bytes of a body as sent, and of what it unpacks to. */
export const sitemapBytesMax = 10 * 1024 * 1024;
export const unpackedBytesMax = 16 * 1024 * 1024;
/** A sitemap may list no more (sitemaps.org). */
export const sitemapEntriesMax = 50_000;

/** A robots.txt, an index of sitemaps, or a list of pages: a sitemap, a feed, a list of lines. */
export interface SitemapDocument {
  /** Null for what is none of these. */
  kind: 'pages' | 'index' | null;
  /** Pages or sitemaps in the order of the document. */
  addresses: string[];
  /**
   * Why this is not all of it: it lists more than was asked for, it is too large, it breaks off or its gzip is damaged.
   */
  cut: 'entries' | 'size' | 'end' | null;
}

export interface DocumentOptions {
  /** Where it was found: relative links of robots.txt and Atom feeds begin there. */
  url: string;
  format: 'sitemap' | 'robots';
  contentType: string | null;
  /** Why not all of the body is here; null when it is. */
  cut: 'size' | 'end' | null;
  /** How many addresses are read at most, by what the document lists. */
  max: { pages: number; index: number };
}

/**
 * Reads the addresses that a body lists, in pieces and in one pass, and stops with the piece that reaches a limit. Any
 * bytes give a document: what came before a fault is kept, and `cut` reports the fault.
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
  /** Returns whether the text was whole. */
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

  /** Returns whether more is to be read. */
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
    // The end of what breaks off may be half an address.
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
