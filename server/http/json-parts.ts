/** What a JSON text may have at most: values and keys in all, and fields in any one object. */
export interface PartsMax {
  parts: number;
  fields: number;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openObject, openArray] = [0x7b, 0x5b];
const closing = flagged([0x7d, 0x5d]);
// What a value or a key of JSON comes after: { [ , :
const before = flagged([openObject, openArray, comma, 0x3a]);

/** A comma between two entries of a list that stands in the outermost object, and where that list begins; in bytes. */
export interface Seam {
  list: number;
  at: number;
}

/** What was found out about a JSON text before any part of it is made. */
export interface Look {
  hasMore: boolean;
  /** At least a step apart. */
  seams: Seam[];
}

const bytesPerStep = 64 * 1024;

/**
 * Whether JSON text has more parts than it may, and where it can be taken apart: one look at each byte, texts skipped,
 * and none beyond the one too many. It stops every step of 64 KiB. For what is no JSON the answer means nothing.
 */
export function* lookAtParts(json: Buffer, max: PartsMax, step = bytesPerStep): Generator<void, Look> {
  // Of each object that is open its fields so far, and of each list less than can ever be too many.
  const open: number[] = [];
  const seams: Seam[] = [];
  let parts = 0;
  let list = 0;
  let stopAt = step;
  let seamFrom = step;
  for (let at = 0; at < json.length; at++) {
    if (at >= stopAt) {
      stopAt = at + step;
      yield;
    }
    const byte = json[at] as number;
    if (byte === quote) at = endOfText(json, at + 1);
    else if (closing[byte]) open.pop();
    else if (before[byte]) {
      if (++parts > max.parts) return { hasMore: true, seams };
      if (byte === openObject) open.push(1);
      else if (byte === openArray) {
        if (open.push(aList) === 2) list = at;
      } else if (byte === comma) {
        if (addField(open) > max.fields) return { hasMore: true, seams };
        if (at >= seamFrom && open.length === 2 && open[0] !== aList && open[1] === aList) {
          seams.push({ list, at });
          seamFrom = at + step;
        }
      }
    }
  }
  return { hasMore: false, seams };
}

const aList = Number.NEGATIVE_INFINITY;

/** A table of bytes, in which these are 1; a set would be slower for each byte of a body. */
function flagged(bytes: number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
}

/** One more in the innermost. */
function addField(open: number[]): number {
  const fields = (open.pop() ?? 0) + 1;
  open.push(fields);
  return fields;
}

/** Where the text ends that begins at `from`; at the end of all when it does not. */
function endOfText(json: Buffer, from: number): number {
  let at = json.indexOf(quote, from);
  while (at !== -1 && isEscaped(json, at, from)) at = json.indexOf(quote, at + 1);
  return at === -1 ? json.length : at;
}

function isEscaped(json: Buffer, at: number, from: number): boolean {
  let first = at;
  while (first > from && json[first - 1] === backslash) first--;
  return (at - first) % 2 === 1;
}
