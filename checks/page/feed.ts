import { type Token, type Tokenizer, TokenizerMode } from 'parse5';

interface Reader {
  tokenizer: Tokenizer | null;
  onCharacter(token: Pick<Token.CharacterToken, 'chars'>): void;
}

/** Shorter than this, text is given to the tokenizer with the tags around it: a call costs as much. */
const textCharsMin = 16;
/** Where it is not known what ends what the tokenizer is in, such as a script, at least so much at once. */
const blindCharsMin = 64;

/**
 * So many characters of HTML, and one more where they would part a pair: the tokenizer waits for its other half.
 */
export function sliceOf(html: string, at: number, chars: number): string {
  const isPair = (html.codePointAt(at + chars - 1) ?? 0) > 0xffff;
  return html.slice(at, at + chars + Number(isPair));
}

/**
 * Gives a slice of HTML, as `sliceOf` makes them, to a reader: what is text and nothing else as it is, and the rest
 * by its tokenizer, which would look at each letter and part the words. Exact: between tags, but for `<` and three
 * others, every character stands for itself.
 */
export function feed(slice: string, tokenizer: Tokenizer, reader: Reader): void {
  // It may be one with the carriage return that the slice before ended with.
  let special = slice.startsWith('\n') ? 0 : -1;
  let at = 0;
  // What is left of the slice before, an ampersand's, comes first.
  if (isBetweenTags(tokenizer)) tokenizer.flushCharacters();
  while (at < slice.length) {
    let end = slice.length;
    if (isBetweenTags(tokenizer)) {
      if (special < at) special = indexOfSpecial(slice, at);
      const plainEnd = Math.min(indexOrEnd(slice, '<', at), special);
      if (plainEnd > at) {
        reader.onCharacter({ chars: slice.slice(at, plainEnd) });
        at = plainEnd;
        continue;
      }
      end = slice.charAt(at) === '<' ? endOfTags(slice, at) : indexOrEnd(slice, '<', at);
    } else end = endOfTags(slice, at + blindCharsMin);
    tokenizer.write(slice.slice(at, end), false);
    at = end;
    // What an ampersand stands for is kept back until something else comes.
    if (at < slice.length && isBetweenTags(tokenizer) && slice.charAt(at) !== '<')
      tokenizer.flushCharacters();
  }
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
