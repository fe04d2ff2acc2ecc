import { Tokenizer } from 'parse5';
import { type Page, pageOf } from './page.ts';
import { PageReader } from './reader.ts';

/** How much of a page is read, in UTF-16 units. */
export const pageCharsMax = 256 * 1024;

/**
 * Reads a page in one pass, without building a tree, which strangers can make as deep as they like. It may be read only
 * as far as is needed: `isEnough` is asked now and then about what was read so far, once that is long.
 */
export function readPage(html: string, isEnough: (soFar: Page) => boolean = () => false): Page {
  const reader = new PageReader();
  const tokenizer = new Tokenizer({}, reader);
  reader.tokenizer = tokenizer;
  const end = Math.min(html.length, pageCharsMax);
  for (let at = 0; at < end || at === 0; at += sliceChars) {
    const isLast = at + sliceChars >= end;
    tokenizer.write(html.slice(at, Math.min(at + sliceChars, end)), isLast);
    if (!isLast && reader.proseWords > longWords && isEnough(pageOf(reader))) break;
  }
  return pageOf(reader);
}

const sliceChars = 4 * 1024;
const longWords = 300;
