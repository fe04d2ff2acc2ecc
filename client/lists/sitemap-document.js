import { TextDecoder } from 'node:util';
import { encodingOf, readPieces } from './sitemap-bytes.js';
import { addressIn, Lines, sitemapIn } from './sitemap-lines.js';
import { SitemapXml } from './sitemap-xml.js';
/** The most bytes of a body as sent, and of what it unpacks to. */
export const sitemapBytesMax = 10 * 1024 * 1024;
export const unpackedBytesMax = 16 * 1024 * 1024;
/** A sitemap may list no more (sitemaps.org). */
export const sitemapEntriesMax = 50_000;
/**
 * Reads the addresses that a body lists, in pieces and in one pass, and stops with the piece that reaches a limit. Any
 * bytes give a document: what came before a fault is kept, and `cut` reports the fault.
 */
export async function readDocument(body, options) {
    const reader = new DocumentReader(options);
    const isIntact = await readPieces(body, (piece) => reader.write(piece));
    return reader.end(options.cut ?? (isIntact ? null : 'end'));
}
class DocumentReader {
    #options;
    #addresses = [];
    #bytesRead = 0;
    #cut = null;
    #decoder = null;
    #reader = null;
    constructor(options) {
        this.#options = options;
    }
    /** Returns whether more is to be read. */
    write(piece) {
        if (this.#bytesRead + piece.length > unpackedBytesMax)
            this.#cut = 'size';
        if (this.#cut)
            return false;
        this.#bytesRead += piece.length;
        this.#decoder ??= new TextDecoder(encodingOf(piece, this.#options.contentType));
        const text = this.#decoder.decode(piece, { stream: true });
        this.#reader ??= this.#createReader(text);
        this.#reader.write(text);
        return this.#cut === null;
    }
    end(cut) {
        this.#cut ??= cut;
        // The end of what breaks off may be half an address.
        if (!this.#cut && this.#reader?.end() === false)
            this.#cut = 'end';
        const isAnyText = this.#reader instanceof Lines && this.#addresses.length === 0;
        const kind = isAnyText ? null : (this.#reader?.kind ?? null);
        return { kind, addresses: this.#addresses, cut: this.#cut, bytesRead: this.#bytesRead };
    }
    #add(kind, address) {
        if (this.#addresses.length < this.#options.max[kind])
            this.#addresses.push(address);
        else
            this.#cut = 'entries';
    }
    #createReader(start) {
        const { format, url } = this.#options;
        if (format === 'robots')
            return this.#createLines('index', (line) => toAbsolute(sitemapIn(line), url));
        if (!/<[\w?!]/.test(start.slice(0, 1000)))
            return this.#createLines('pages', addressIn);
        const xml = new SitemapXml((address) => this.#add(xml.kind ?? 'pages', xml.isFeed ? (toAbsolute(address, url) ?? address) : address));
        return xml;
    }
    #createLines(kind, read) {
        return new Lines(kind, (line) => {
            const address = read(line);
            if (address !== null)
                this.#add(kind, address);
        });
    }
}
function toAbsolute(address, base) {
    return address !== null && URL.canParse(address, base) ? new URL(address, base).href : null;
}
