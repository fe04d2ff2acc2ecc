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

const bytesPerStep = 64 * 1024;

/**
 * What is found out about a JSON text before any part of it is made, as its bytes come: whether it has more parts than
 * it may, and where it can be taken apart. One look at each byte, texts skipped, and none beyond the one too many. Of
 * what is no JSON it says nothing.
 */
export class PartsLook {
  /** At least a step apart. */
  readonly seams: Seam[] = [];
  readonly #max: PartsMax;
  readonly #step: number;
  // Of each object that is open its fields so far, and of each list less than can ever be too many.
  readonly #open: number[] = [];
  #parts = 0;
  #list = 0;
  #seamFrom: number;
  #bytesBefore = 0;
  #isInText = false;
  #isEscaped = false;

  constructor(max: PartsMax, step = bytesPerStep) {
    this.#max = max;
    this.#step = step;
    this.#seamFrom = step;
  }

  /** Looks at the next bytes. False as soon as there is more than there may be: the rest need not come. */
  read(piece: Buffer): boolean {
    for (let at = this.#isInText ? this.#endOfText(piece, 0) + 1 : 0; at < piece.length; at++) {
      const byte = piece[at] as number;
      if (byte === quote) at = this.#endOfText(piece, at + 1);
      else if (closing[byte]) this.#open.pop();
      else if (before[byte] && !this.#addPart(byte, this.#bytesBefore + at)) return false;
    }
    this.#bytesBefore += piece.length;
    return true;
  }

  #addPart(byte: number, at: number): boolean {
    const open = this.#open;
    if (++this.#parts > this.#max.parts) return false;
    if (byte === openObject) open.push(1);
    else if (byte === openArray) {
      if (open.push(aList) === 2) this.#list = at;
    } else if (byte === comma) {
      if (addField(open) > this.#max.fields) return false;
      if (at >= this.#seamFrom && open.length === 2 && open[0] !== aList && open[1] === aList) {
        this.seams.push({ list: this.#list, at });
        this.#seamFrom = at + this.#step;
      }
    }
    return true;
  }

  /** Where the text ends that is open at `from`; at the end of the piece when it goes on in the next. */
  #endOfText(piece: Buffer, from: number): number {
    const first = this.#isEscaped ? from + 1 : from;
    let at = piece.indexOf(quote, first);
    while (at !== -1 && isEscaped(piece, at, first)) at = piece.indexOf(quote, at + 1);
    this.#isInText = at === -1;
    this.#isEscaped = at === -1 && isEscaped(piece, piece.length, first);
    return at === -1 ? piece.length : at;
  }
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

function isEscaped(json: Buffer, at: number, from: number): boolean {
  let first = at;
  while (first > from && json[first - 1] === backslash) first--;
  return (at - first) % 2 === 1;
}
