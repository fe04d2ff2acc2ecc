import { type Tokenizer, TokenizerMode } from 'parse5';
import type { PageReader } from './reader.ts';

/**
 * Where to read on in HTML of which a tokenizer has read all before `at`: further along if it stands inside a
 * script or style, of which nothing is of use but its end. Exact, for in these two states nothing else
 * changes the state.
 */
export function scriptEnd(html: string, at: number, tokenizer: Tokenizer, reader: PageReader): number {
  if (reader.scriptTag === '' || !(tokenizer.state in ends)) return at;
  const end = ends[tokenizer.state]?.[reader.scriptTag];
  if (!end) return at;
  end.lastIndex = at;
  return end.exec(html)?.index ?? html.length;
}

// Within a script a comment may hold scripts of its own, whose ends do not end it.
const ends: Readonly<Record<number, Readonly<Record<string, RegExp>>>> = {
  [TokenizerMode.SCRIPT_DATA]: { script: /<\/script|<!--/giu },
  [TokenizerMode.RAWTEXT]: { style: /<\/style/giu },
};
