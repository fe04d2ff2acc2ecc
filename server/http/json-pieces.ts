import { randomUUID } from 'node:crypto';
import type { Seam } from './json-parts.ts';

/**
 * Parses JSON text as `JSON.parse` does, a piece at a time: what stands between the first and the last seam of a
 * list is parsed by itself, the rest with a mark in its place. It stops after each piece. Throws SyntaxError.
 */
export function* parseInPieces(json: Buffer, seams: Seam[]): Generator<void, unknown> {
  const taken: Array<{ mark: string; entries: unknown[] }> = [];
  const left: Buffer[] = [];
  let from = 0;
  for (const [first, ...others] of Map.groupBy(seams, ({ list }) => list).values()) {
    const last = others.at(-1);
    if (!first || !last) continue;
    const entries: unknown[] = [];
    let start = first.at;
    for (const { at } of others) {
      entries.push(parseEntries(json, start, at));
      start = at;
      yield;
    }
    const mark = randomUUID();
    taken.push({ mark, entries });
    left.push(json.subarray(from, first.at), Buffer.from(`,"${mark}"`));
    from = last.at;
  }
  left.push(json.subarray(from));
  const body: unknown = JSON.parse(new TextDecoder().decode(Buffer.concat(left)));
  for (const { mark, entries } of taken) putBack(body, mark, entries.flat(1));
  return body;
}

// A byte order mark is none in the middle of a text.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * What stands between two commas. They are brackets meanwhile: a text put together from others would be made twice, and
 * all of it is garbage.
 */
function parseEntries(json: Buffer, first: number, last: number): unknown[] {
  json[first] = openList;
  json[last] = closeList;
  const text = decoder.decode(json.subarray(first, last + 1));
  json[first] = comma;
  json[last] = comma;
  const entries: unknown[] = JSON.parse(text);
  if (entries.length === 0) throw new SyntaxError('a comma with no entry before it');
  return entries;
}

const [openList, closeList, comma] = [0x5b, 0x5d, 0x2c];

/** In place of their mark; nowhere when another field of the same name came after. */
function putBack(body: unknown, mark: string, entries: unknown[]): void {
  for (const list of Object.values(body as object)) {
    const at = Array.isArray(list) ? list.indexOf(mark) : -1;
    if (at !== -1) list.splice(at, 1, ...entries);
  }
}
