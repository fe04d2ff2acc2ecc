import { type Token, type Tokenizer, TokenizerMode } from 'parse5';
import { plainTagAt } from './plain-tag.ts';
import type { Tag } from './tags.ts';

interface Reader {
  tokenizer: Tokenizer | null;
  onStartTag(tag: Tag): void;
  onEndTag(tag: Tag): void;
  onCharacter(token: Pick<Token.CharacterToken, 'chars'>): void;
}

/** Shorter than this, text is given to the tokenizer with the tags around it: a call costs as much. */
const textCharsMin = 16;
/** Where it is not known what ends what the tokenizer is in, such as a script, at least so much at once. */
const blindCharsMin = 64;

/**
 * So many characters of HTML, and one more where they would part a pair, for whose other half the tokenizer waits, or
 * end with a carriage return: it would pass over the next line feed it is given, whatever had been given past it.
 */
export function sliceOf(html: string, at: number, chars: number): string {
  const [last, next] = [html.charCodeAt(at + chars - 1), html.charCodeAt(at + chars)];
  const end = at + chars + Number(last === carriageReturn && next !== carriageReturn);
  const isPair = (html.codePointAt(end - 1) ?? 0) > 0xffff;
  return html.slice(at, end + Number(isPair));
}

/**
 * Gives a slice of HTML, as `sliceOf` makes them, to a reader: text that is nothing else and tags that are plain as
 * they are, and the rest by its tokenizer, which would look at each letter by itself. Exact: between tags, but for
 * `<` and three others, every character stands for itself.
 */
export function feed(slice: string, tokenizer: Tokenizer, reader: Reader): void {
  let special = -1;
  let at = 0;
  // What is left of the slice before, an ampersand's, comes first.
  if (isBetweenTags(tokenizer)) tokenizer.flushCharacters();
  while (at < slice.length) {
    let end = slice.length;
    if (isBetweenTags(tokenizer)) {
      if (special < at) special = indexOfSpecial(slice, at);
      const isTag = slice.charCodeAt(at) === tagOpen;
      const plainEnd = isTag ? giveTag(slice, at, special, reader) : giveText(slice, at, special, reader);
      if (plainEnd > at) {
        at = plainEnd;
        continue;
      }
      end = isTag ? endOfTags(slice, at) : indexOrEnd(slice, '<', at);
    } else end = endOfTags(slice, at + blindCharsMin);
    tokenizer.write(slice.slice(at, end), false);
    at = end;
    // What an ampersand stands for is kept back until something else comes.
    if (at < slice.length && isBetweenTags(tokenizer)) tokenizer.flushCharacters();
  }
}

const tagOpen = 0x3c;
const carriageReturn = 0x0d;

/** Gives the text that begins at a place, and answers where it ends. */
function giveText(slice: string, at: number, special: number, reader: Reader): number {
  const end = Math.min(indexOrEnd(slice, '<', at), special);
  if (end > at) reader.onCharacter({ chars: slice.slice(at, end) });
  return end;
}

/** Gives the tag that begins at a place if it is plain, and answers where it ends; else that place. */
function giveTag(slice: string, at: number, special: number, reader: Reader): number {
  // After a carriage return, the tokenizer waits for a line feed.
  const mayWait = slice.charCodeAt(at - 1) === carriageReturn;
  const plain = mayWait ? null : plainTagAt(slice, at, special);
  if (plain === null) return at;
  if (plain.isEnd) reader.onEndTag(plain.tag);
  else reader.onStartTag(plain.tag);
  return plain.end;
}

function isBetweenTags(tokenizer: Tokenizer): boolean {
  return tokenizer.state === TokenizerMode.DATA;
}

/** Ampersands, null characters, which are none, and carriage returns, which are line feeds. */
function indexOfSpecial(text: string, from: number): number {
  return Math.min(...['&', '\0', '\r'].map((special) => indexOrEnd(text, special, from)));
}

function indexOrEnd(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found < 0 ? text.length : found;
}

/** Where the tag at a place may end, and those that follow with next to nothing in between. */
function endOfTags(text: string, from: number): number {
  let end = indexOrEnd(text, '>', from) + 1;
  while (end < text.length) {
    const next = text.indexOf('<', end);
    if (next < 0 || next - end >= textCharsMin) return end;
    end = indexOrEnd(text, '>', next) + 1;
  }
  return text.length;
}
