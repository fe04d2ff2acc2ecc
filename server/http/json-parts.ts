const [quote, backslash] = [0x22, 0x5c];
// What a value or a key of JSON comes after: { [ , :
const before = new Set([0x7b, 0x5b, 0x2c, 0x3a]);

/**
 * Whether JSON text has more than `max` values and keys, found out before any of them is made: one look at each byte,
 * texts skipped, and none beyond the one too many. For what is no JSON the answer means nothing.
 */
export function hasMoreParts(json: Buffer, max: number): boolean {
  let parts = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === quote) at = endOfText(json, at + 1);
    else if (before.has(byte) && ++parts > max) return true;
  }
  return false;
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
