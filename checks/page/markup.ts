import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { keptAttributes, type Tag } from './tags.ts';

/** Receives what a document consists of, in its order. */
export interface MarkupHandler {
  /** Whether the next start tag stands in `<svg>` or `<math>`, where no element has raw text. */
  readonly isForeign: boolean;
  onStartTag(tag: Tag): void;
  onEndTag(tagName: string): void;
  /** Gets text with its entities decoded; one text may come in several parts. */
  onText(text: string): void;
}

/**
 * Tells a handler the tags and texts of HTML, as much at a time as it is asked to. Attributes that nobody reads are
 * only counted. CDATA sections are comments that end at the first `>`, as in any HTML outside `<svg>` and `<math>`.
 */
export class MarkupReader {
  readonly #html: string;
  /** What the tokenizer sees: as long as the HTML, so that its places are the same. */
  readonly #tokenized: string;
  readonly #handler: MarkupHandler;
  readonly #tokenizer: Tokenizer;
  /** Where in the HTML the tokenizer began to count. */
  #base = 0;
  #at = 0;
  #scriptChars = 0;
  #isEnding = false;
  /** Where to go on behind the text of a script or style; -1 elsewhere. */
  #scriptEnd = -1;

  constructor(html: string, handler: MarkupHandler) {
    this.#html = html;
    this.#tokenized = html.includes(cdataStart) ? html.replaceAll(cdataStart, bogusCommentStart) : html;
    this.#handler = handler;
    this.#tokenizer = new Tokenizer({}, this.#callbacks());
  }

  /** How many characters have been read. */
  get at(): number {
    return this.#at;
  }

  /** How many of these are not text of scripts and styles. */
  get atOutsideScripts(): number {
    return this.#at - this.#scriptChars;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#html.length;
  }

  /** Reads so many characters more, or up to the end of the first script or style that begins among them. */
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

  /** Reads what is unfinished, such as an ampersand at the end. */
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
    const textOf = (start: number, end: number) => this.#html.slice(this.#base + start, this.#base + end);
    const startTag = (end: number, selfClosing: boolean) => {
      const isForeign = handler.isForeign;
      handler.onStartTag({ tagName, attributes, attributeCount, selfClosing });
      if (!isForeign && (tagName === 'script' || tagName === 'style')) this.#passScript(tagName, end + 1);
    };
    return {
      isInForeignContext: () => handler.isForeign,
      ontext: (start, end) => {
        // At the end of the document, the tokenizer takes some unfinished tags for text, after their `<` or from -1 on.
        const isTag = this.#isEnding && (start < 0 || this.#html.charAt(this.#base + start - 1) === '<');
        if (!isTag) handler.onText(withoutNulls(textOf(start, end)));
      },
      ontextentity: (codePoint) => handler.onText(String.fromCodePoint(codePoint)),
      onopentagname: (start, end) => {
        tagName = textOf(start, end).toLowerCase();
        attributes = noAttributes;
        attributeCount = 0;
      },
      onattribname: (start, end) => {
        attributeCount++;
        name = end - start <= keptNameChars ? textOf(start, end).toLowerCase() : '';
        if (!keptAttributes.has(name)) name = '';
        value = '';
      },
      onattribdata: (start, end) => {
        if (name !== '') value += textOf(start, end);
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
      onclosetag: (start, end) => handler.onEndTag(textOf(start, end).toLowerCase()),
      oncdata: () => {},
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    };
  }

  /** Lets the tokenizer go on behind a script or style, whose end it would look for in its own way. */
  #passScript(tagName: 'script' | 'style', at: number): void {
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

/** Text as in the HTML standard, where null characters are dropped. */
function withoutNulls(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

function findStyleEnd(html: string, start: number): number {
  const styleEnd = /<\/style[\s/>]/giu;
  styleEnd.lastIndex = start;
  return styleEnd.exec(html)?.index ?? html.length;
}

/** A script that opens a comment and in it another script ends with the end of neither (HTML standard, 13.2.5.17). */
function findScriptEnd(html: string, start: number): number {
  const mark = /<!--|-->|<\/?script[\s/>]/giu;
  mark.lastIndex = start;
  let isInComment = false;
  let isInInner = false;
  for (let found = mark.exec(html); found !== null; found = mark.exec(html)) {
    const [text] = found;
    if (text === '<!--') {
      isInComment = true;
      // Its dashes may be those of an end, too: `<!-->`.
      mark.lastIndex -= 2;
    } else if (text === '-->') isInComment = isInInner = false;
    else if (text.charAt(1) !== '/') isInInner = isInComment;
    else if (isInInner) isInInner = false;
    else return found.index;
  }
  return html.length;
}
