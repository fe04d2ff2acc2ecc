import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { TextWindow } from './text-window.ts';

/** Longer addresses are truncated. They stay longer than a URL may be, so they are rejected. */
export const addressLengthMax = 2_100;

const nameLengthMax = 100;
/** Maximum depth of the elements that are kept. Sitemaps and feeds need five. Deeper elements are only counted. */
const depthMax = 16;

/** Position of the links in each format: the element `link` in each element `entry`, or an attribute of it. */
const formats: Record<string, Format> = {
  urlset: { kind: 'pages', entry: 'url', link: 'loc', attribute: null },
  sitemapindex: { kind: 'index', entry: 'sitemap', link: 'loc', attribute: null },
  rss: { kind: 'pages', entry: 'item', link: 'link', attribute: null },
  rdf: { kind: 'pages', entry: 'item', link: 'link', attribute: null },
  feed: { kind: 'pages', entry: 'entry', link: 'link', attribute: 'href' },
};

interface Format {
  kind: 'pages' | 'index';
  entry: string;
  link: string;
  attribute: string | null;
}

interface Element {
  /** Name with prefix, in lower case. */
  name: string;
  local: string;
  /** Only `href` and `rel`. */
  attributes: Map<string, string>;
  /** Text of a link; null for any other element. */
  text: string | null;
}

/**
 * Reads the links of a sitemap, an index of sitemaps or a feed (RSS, RDF, Atom) from pieces of XML. Accepts bare
 * ampersands and text around the root element. Expands only character references and the five entities of XML. Keeps in
 * memory one open element per level, up to `depthMax`.
 */
export class SitemapXml {
  readonly #onAddress: (address: string) => void;
  readonly #tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, this.#callbacks());
  readonly #path: Element[] = [];
  readonly #text = new TextWindow();
  /** Open elements beyond `depthMax`. */
  #deeper = 0;
  #opening: Element | null = null;
  #attribute: { name: string; value: string } | null = null;
  #isInDoctype = false;
  #format: Format | null = null;
  #rootDepth = 0;
  #hasRootEnded = false;
  /** The last address of the entry that is open. */
  #lastAddress = '';

  /** `onAddress` is called with each address, in the order of the document. */
  constructor(onAddress: (address: string) => void) {
    this.#onAddress = onAddress;
  }

  /** Kind of the root element; null before a root of a known format. */
  get kind(): 'pages' | 'index' | null {
    return this.#format?.kind ?? null;
  }

  /** True for a feed, which may have relative links. */
  get isFeed(): boolean {
    return this.#format?.link === 'link';
  }

  /** Returns whether the root element was closed; true without a root of a known format. */
  end(): boolean {
    return this.#format === null || this.#hasRootEnded;
  }

  write(text: string): void {
    this.#text.add(text);
    this.#tokenizer.write(text);
  }

  #callbacks(): TokenizerCallbacks {
    return {
      onopentagname: (start, end) => this.#open(this.#text.slice(start, end, nameLengthMax)),
      onattribname: (start, end) => this.#openAttribute(this.#text.slice(start, end, nameLengthMax)),
      onattribdata: (start, end) =>
        this.#addToAttribute(() => this.#text.slice(start, end, addressLengthMax)),
      onattribentity: (codePoint) => this.#addToAttribute(() => String.fromCodePoint(codePoint)),
      onattribend: () => this.#closeAttribute(),
      onopentagend: () => this.#enter(),
      onselfclosingtag: () => {
        this.#enter();
        this.#leave();
      },
      onclosetag: (start, end) => this.#close(this.#text.slice(start, end, nameLengthMax)),
      ontext: (start, end) => {
        if (this.#isInDoctype) this.#isInDoctype = !this.#text.slice(start, end, end - start).includes(']');
        // Does not cut the text, because white space before an address may be long.
        this.#addText(() => this.#text.slice(start, end, end - start));
      },
      ontextentity: (codePoint) => this.#addText(() => String.fromCodePoint(codePoint)),
      oncdata: (start, end, endLength) =>
        this.#addText(() => this.#text.slice(start, end - endLength, end - start)),
      ondeclaration: (start, end) => {
        // The tokenizer ends a document type at the first declaration in it.
        const declaration = this.#text.slice(start, end, 4 * nameLengthMax).trimEnd();
        const isDoctype = /^doctype\b[^[]*\[/i.test(declaration);
        if (isDoctype) this.#isInDoctype = !declaration.endsWith(']');
      },
      oncomment: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    };
  }

  #open(written: string): void {
    const name = written.toLowerCase();
    const local = name.slice(name.indexOf(':') + 1);
    this.#opening = { name, local, attributes: new Map(), text: null };
  }

  #openAttribute(written: string): void {
    const name = written.toLowerCase();
    const isTaken = /^(href|rel)$/.test(name) && this.#opening?.attributes.has(name) === false;
    this.#attribute = isTaken ? { name, value: '' } : null;
  }

  #addToAttribute(read: () => string): void {
    const attribute = this.#attribute;
    if (attribute && attribute.value.length < addressLengthMax) attribute.value += read();
  }

  #closeAttribute(): void {
    if (this.#attribute) this.#opening?.attributes.set(this.#attribute.name, this.#attribute.value);
    this.#attribute = null;
  }

  #enter(): void {
    const element = this.#opening;
    this.#opening = null;
    if (!element || this.#isInDoctype) return;
    if (this.#deeper > 0 || this.#path.length === depthMax) {
      this.#deeper += 1;
      return;
    }
    const parent = this.#path.at(-1);
    this.#path.push(element);
    if (!this.#format) {
      this.#format = (Object.hasOwn(formats, element.local) && formats[element.local]) || null;
      this.#rootDepth = this.#path.length;
    } else if (parent && this.#isLink(element, parent, this.#format)) {
      const { attribute } = this.#format;
      const address = attribute === null ? undefined : element.attributes.get(attribute);
      if (address === undefined) element.text = '';
      else if (/^(alternate)?$/i.test(element.attributes.get('rel') ?? '')) this.#add(address);
    } else if (element.local === this.#format.entry) {
      this.#lastAddress = '';
    }
  }

  #isLink(element: Element, parent: Element, { entry, link }: Format): boolean {
    if (element.local !== link) return false;
    // The feeds of Merchant Center have a `<g:link>` in each item.
    if (this.isFeed) return parent.local === entry;
    // Some sitemaps leave out the element around each `<loc>`.
    const isInEntry = parent.local === entry || this.#path.length === this.#rootDepth + 1;
    // Elements of other namespaces have prefixes, such as `image:loc`.
    return isInEntry && toPrefix(element) === toPrefix(parent);
  }

  #close(written: string): void {
    if (this.#isInDoctype) return;
    if (this.#deeper > 0) {
      this.#deeper -= 1;
      return;
    }
    const name = written.toLowerCase();
    const at = this.#path.findLastIndex((element) => element.name === name);
    while (at >= 0 && this.#path.length > at) this.#leave();
  }

  #leave(): void {
    if (this.#isInDoctype) return;
    if (this.#deeper > 0) {
      this.#deeper -= 1;
      return;
    }
    const element = this.#path.pop();
    if (element?.text) this.#add(element.text);
    if (this.#format && this.#path.length < this.#rootDepth) this.#hasRootEnded = true;
  }

  #addText(read: () => string): void {
    const element = this.#deeper > 0 ? undefined : this.#path.at(-1);
    if (!element || element.text === null || element.text.length >= addressLengthMax) return;
    // Trimming or cutting all of the text for each part would copy it each time.
    const part = element.text === '' ? read().trimStart() : read();
    element.text += part.slice(0, addressLengthMax - element.text.length);
  }

  #add(address: string): void {
    const trimmed = address.trim();
    // A product may have the same address as `<link>` and as `<g:link>`.
    if (trimmed === '' || (this.isFeed && trimmed === this.#lastAddress)) return;
    this.#lastAddress = trimmed;
    this.#onAddress(trimmed);
  }
}

function toPrefix({ name, local }: Element): string {
  return name.slice(0, name.length - local.length);
}
