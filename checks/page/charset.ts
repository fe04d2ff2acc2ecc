import { analyse } from 'chardet';
import { parse } from 'content-type';
import { readByteOrderMark, toEncoding } from '../../lists/sitemap-bytes.ts';
import { type MarkupHandler, MarkupReader } from './markup.ts';
import { countClosed, countOpened, type Region } from './reader.ts';
import { getAttribute, headTags, rawTags, type Tag } from './tags.ts';

/**
 * Decodes an HTML document. The charset comes from the byte order mark, the `Content-Type` header or the head, in this
 * order. In the head, the first declaration with a known label is used, and at most 20 declarations are read. A
 * document without a declared charset is decoded as UTF-8. If most of its non-ASCII text is then invalid, the charset
 * is detected. Invalid bytes become U+FFFD.
 */
export function decodeHtml(bytes: Uint8Array, contentType: string | null): string {
  const label = readByteOrderMark(bytes) ?? headerCharset(contentType) ?? documentCharset(bytes);
  return label === null ? decodeUndeclared(bytes) : new TextDecoder(label).decode(bytes);
}

/**
 * Returns whether a decoded document is binary, such as an image or an archive. Text has almost no control characters.
 * Ignores null characters at the end, because some servers pad their pages with nulls.
 */
export function isBinary(text: string): boolean {
  if (text.startsWith('%PDF-')) return true;
  let end = Math.min(text.length, binaryCharsRead);
  while (end > 0 && text.charCodeAt(end - 1) === 0) end--;
  const start = text.slice(0, end);
  if (!control.test(start)) return false;
  const controls = start.replaceAll(notControls, '').length;
  return controls > Math.max(controlsMax, start.length * controlShareMax);
}

const binaryCharsRead = 16 * 1024;
const controlsMax = 4;
const controlShareMax = 0.01;
const control = /[\p{Cc}--\s]/v;
const notControls = /[^[\p{Cc}--\s]]+/gv;

/** Returns true if most of a text is U+FFFD, because it was decoded with the wrong charset. */
export function isUndecodable(text: string): boolean {
  return isMostlyReplaced(text, space);
}

function isMostlyReplaced(text: string, from: number): boolean {
  if (!text.includes('\ufffd')) return false;
  let [replaced, others] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === replacement) replaced++;
    else if (unit > from) others++;
  }
  return replaced > others;
}

const replacement = 0xfffd;
const space = 0x20;
const lastAscii = 0x7f;

function headerCharset(contentType: string | null): string | null {
  return contentType === null ? null : toEncoding(parse(contentType).parameters.charset);
}

function documentCharset(bytes: Uint8Array): string | null {
  const html = toLatin1(bytes);
  const label = headCharset(html) ?? toEncoding(xmlEncoding.exec(html.slice(0, prescanChars))?.[1]);
  // A document whose declaration can be read byte by byte is not in UTF-16.
  return label?.startsWith('utf-16') ? 'utf-8' : label;
}

/**
 * Browsers look for a declaration in the first 1,024 bytes. In this part, a declaration after the head is also used.
 */
const prescanChars = 1024;
/** Maximum of the characters searched for a declaration, without scripts and styles. */
const headCharsMax = 256 * 1024;
const headPieceChars = 4 * 1024;
const opaqueTags: ReadonlySet<string> = new Set(['noscript', 'template']);
const xmlEncoding = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/iu;
/** Maximum length of a text for `contentCharset`. The pattern takes quadratic time. */
const declarationCharsMax = 200;
/** Maximum of labels to try. An unknown label throws an error, which is slow. */
const declarationsMax = 20;
const contentCharset = /charset\s*=\s*["']?\s*([^\s"';]+)/iu;

function headCharset(html: string): string | null {
  let label: string | null = null;
  let declarations = 0;
  let isInHead = true;
  let opaque: Region | null = null;
  const isLookedAt = () => declarations < declarationsMax && (isInHead || markup.at < prescanChars);
  const markup: MarkupReader = new MarkupReader(html, {
    isForeign: false,
    onStartTag: (tag) => {
      const { tagName } = tag;
      if (opaque) return countOpened(opaque, tagName);
      if (opaqueTags.has(tagName)) opaque = { tag: tagName, depth: 1 };
      else if (!headTags.has(tagName)) isInHead = false;
      else if (tagName === 'meta' && isLookedAt()) {
        const declared = metaLabel(tag);
        if (declared) {
          declarations++;
          label ??= toEncoding(declared);
        }
      }
    },
    onEndTag: (tagName) => {
      if (opaque) opaque = countClosed(opaque, tagName);
      else if (tagName === 'head') isInHead = false;
    },
    onText: () => {},
  });
  while (label === null && !markup.isAtEnd && isLookedAt() && markup.atOutsideScripts < headCharsMax) {
    // A piece ends exactly at `prescanChars`, because `isLookedAt` tests the start of a piece.
    markup.read(markup.at < prescanChars ? prescanChars - markup.at : headPieceChars);
  }
  return label;
}

function metaLabel(tag: Tag): string | undefined {
  const label = getAttribute(tag, 'charset').slice(0, declarationCharsMax);
  if (label || getAttribute(tag, 'http-equiv').toLowerCase() !== 'content-type') return label;
  return contentCharset.exec(getAttribute(tag, 'content').slice(0, declarationCharsMax))?.[1];
}

function decodeUndeclared(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  // UTF-8 with a few broken bytes is still UTF-8.
  if (!isMostlyReplaced(text, lastAscii)) return text;
  const label = detectCharset(bytes);
  return label === null ? text : new TextDecoder(label).decode(bytes);
}

function detectCharset(bytes: Uint8Array): string | null {
  const sample = Buffer.from(takeSample(toLatin1(bytes)), 'latin1');
  const [best] = analyse(sample).filter(({ name }) => name !== 'UTF-8' && toEncoding(name) !== null);
  return best && best.confidence >= confidenceMin ? toEncoding(best.name) : null;
}

// Minimum confidence of a detection. Random bytes and very short words reach a confidence of 10.
const confidenceMin = 20;
// Maximum length of the text for a detection, which takes half a millisecond per KiB.
const sampleChars = 8 * 1024;
/** Maximum of the characters searched for a sample, without scripts and styles. */
const sampleWithinChars = 256 * 1024;
const beyondAscii = /[\x80-\xff]/u;

/** Returns the first texts with non-ASCII bytes. The other texts show nothing about the charset. */
function takeSample(html: string): string {
  let sample = '';
  let isInScript = false;
  const handler: MarkupHandler = {
    isForeign: false,
    onStartTag: ({ tagName }) => {
      isInScript = rawTags.has(tagName) && tagName !== 'title';
    },
    onEndTag: () => {
      isInScript = false;
    },
    onText: (text) => {
      if (!isInScript && beyondAscii.test(text)) sample += `${text} `;
    },
  };
  const markup = new MarkupReader(html, handler);
  while (!markup.isAtEnd && sample.length < sampleChars && markup.atOutsideScripts < sampleWithinChars) {
    markup.read(sampleChars);
  }
  return sample.slice(0, sampleChars);
}

function toLatin1({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}
