import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { keptAttributes, type Tag } from './tags.ts';

/** Receives the tags and texts of a document in order. */
export interface MarkupHandler {
  /** True inside `<svg>` and `<math>`. No element has raw text there. */
  readonly isForeign: boolean;
  onStartTag(tag: Tag): void;
  onEndTag(tagName: string): void;
  /** Receives text with decoded entities. A text may arrive in several parts. */
  onText(text: string): void;
}

/**
 * Passes the tags and texts of HTML to a handler, piece by piece. Attributes outside `keptAttributes` are only counted.
 * A CDATA section is a comment that ends at the first `>`. Browsers do the same outside `<svg>` and `<math>`.
 */
export class MarkupReader {
  readonly #html: string;
  /** Input of the tokenizer. It is as long as the HTML, so that offsets are the same. */
  readonly #tokenized: string;
  readonly #handler: MarkupHandler;
  readonly #tokenizer: Tokenizer;
  /** Offset in the HTML where the tokenizer started to count. */
  #base = 0;
  #at = 0;
  #scriptChars = 0;
  #isEnding = false;
  /** Offset of the end of the current script or style; -1 outside scripts and styles. */
  #scriptEnd = -1;

  constructor(html: string, handler: MarkupHandler) {
    this.#html = html;
    this.#tokenized = html.includes(cdataStart) ? html.replaceAll(cdataStart, bogusCommentStart) : html;
    this.#handler = handler;
    this.#tokenizer = new Tokenizer({}, this.#callbacks());
  }

  get at(): number {
    return this.#at;
  }

  /** Number of characters read. Excludes the text of scripts and styles. */
  get atOutsideScripts(): number {
    return this.#at - this.#scriptChars;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#html.length;
  }

  /**
   * Reads the next `chars` characters. If a script or style starts in them, stops at the end of the script or style.
   */
  read(chars: number): void {
    const end = Math.min(this.#at + chars, this.#html.length);
    this.#tokenizer.write(this.#tokenized.slice(this.#at, end));
    this.#at = end;
    if (this.#scriptEnd < 0) return;
    this.#at = this.#scriptEnd;
    this.#base = this.#scriptEnd;
    this.#scriptEnd = -1;
    this.#tokenizer.reset();
  }

  /** Reads unfinished input, such as an ampersand at the end. */
  end(): void {
    this.#isEnding = true;
    this.#tokenizer.end();
  }

  #callbacks(): TokenizerCallbacks {
    const handler = this.#handler;
    let tagName = '';
    let attributes = noAttributes;
    let attributeCount = 0;
    let name = '';
    let value = '';
    const slice = (start: number, end: number) => this.#html.slice(this.#base + start, this.#base + end);
    const startTag = (end: number, selfClosing: boolean) => {
      const isForeign = handler.isForeign;
      handler.onStartTag({ tagName, attributes, attributeCount, selfClosing });
      if (!isForeign && (tagName === 'script' || tagName === 'style')) this.#skipScript(tagName, end + 1);
    };
    return {
      isInForeignContext: () => handler.isForeign,
      ontext: (start, end) => {
        // At the end, the tokenizer reports an unfinished tag as text. `start` is then behind its `<`, or is -1.
        const isTag = this.#isEnding && (start < 0 || this.#html.charAt(this.#base + start - 1) === '<');
        if (!isTag) handler.onText(withoutNulls(slice(start, end)));
      },
      ontextentity: (codePoint) => handler.onText(String.fromCodePoint(codePoint)),
      onopentagname: (start, end) => {
        tagName = slice(start, end).toLowerCase();
        attributes = noAttributes;
        attributeCount = 0;
      },
      onattribname: (start, end) => {
        attributeCount++;
        name = end - start <= keptNameChars ? slice(start, end).toLowerCase() : '';
        if (!keptAttributes.has(name)) name = '';
        value = '';
      },
      onattribdata: (start, end) => {
        if (name !== '') value += slice(start, end);
      },
      onattribentity: (codePoint) => {
        if (name !== '') value += String.fromCodePoint(codePoint);
      },
      onattribend: (quote) => {
        if (name === '') return;
        if (attributes === noAttributes) attributes = new Map();
        if (!attributes.has(name)) attributes.set(name, quote === QuoteType.NoValue ? '' : value);
      },
      onopentagend: (end) => startTag(end, false),
      onselfclosingtag: (end) => startTag(end, true),
      onclosetag: (start, end) => handler.onEndTag(slice(start, end).toLowerCase()),
      oncdata: () => {},
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    };
  }

  /** Moves the tokenizer to the end of a script or style, because it would not find the same end as browsers. */
  #skipScript(tagName: 'script' | 'style', at: number): void {
    const start = this.#base + at;
    this.#scriptEnd = (tagName === 'script' ? findScriptEnd : findStyleEnd)(this.#html, start);
    this.#tokenizer.pause();
    this.#scriptChars += this.#scriptEnd - start;
    if (this.#scriptEnd > start) this.#handler.onText(this.#html.slice(start, this.#scriptEnd));
  }
}

const cdataStart = '<![CDATA[';
const bogusCommentStart = '<!?CDATA[';
const noAttributes: Map<string, string> = new Map();
const keptNameChars = Math.max(...[...keptAttributes].map((name) => name.length));

/** Drops null characters from text, as the HTML standard requires. */
function withoutNulls(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

function findStyleEnd(html: string, start: number): number {
  const styleEnd = /<\/style[\s/>]/giu;
  styleEnd.lastIndex = start;
  return styleEnd.exec(html)?.index ?? html.length;
}

/**
 * Finds the end of a script. As in browsers, a comment inside the script may contain a whole script element (HTML
 * standard, 13.2.5.18).
 */
function findScriptEnd(html: string, start: number): number {
  const mark = /<!--|-->|<\/?script[\s/>]/giu;
  mark.lastIndex = start;
  let isInComment = false;
  let isInInner = false;
  for (let found = mark.exec(html); found !== null; found = mark.exec(html)) {
    const [text] = found;
    if (text === '<!--') {
      isInComment = true;
      // The dashes of `<!--` may also belong to the end of the comment, as in `<!-->`.
      mark.lastIndex -= 2;
    } else if (text === '-->') isInComment = isInInner = false;
    else if (text.charAt(1) !== '/') isInInner = isInComment;
    else if (isInInner) isInInner = false;
    else return found.index;
  }
  return html.length;
}
