const sampleBytes = 2048;

// UTF-16 text holds bytes of every value.
const utf16 = /charset\s*=\s*"?\s*utf-?16/i;

/**
 * Returns whether a body is something other than text, such as a picture or a body still compressed: more than
 * one byte in 64 is a control character. NUL does not count, because some pages are padded with it.
 */
export function isBinary(bytes: Buffer, contentType: string | null): boolean {
  if (utf16.test(contentType ?? '') || hasUtf16Mark(bytes)) return false;
  const sample = bytes.subarray(0, sampleBytes);
  if (sample.toString('latin1', 0, 5) === '%PDF-') return true;
  let controls = 0;
  for (const byte of sample) {
    if (byte < 0x20 && isControl(byte)) controls += 1;
  }
  return controls * 64 > sample.length;
}

function hasUtf16Mark(bytes: Buffer): boolean {
  const mark = bytes.toString('latin1', 0, 2);
  return mark === '\xfe\xff' || mark === '\xff\xfe';
}

/** A binary data byte of mimesniff.spec.whatwg.org: not white space, nor ESC, which some charsets use. */
function isControl(byte: number): boolean {
  return byte !== 0 && !(byte >= 0x09 && byte <= 0x0d && byte !== 0x0b) && byte !== 0x1b;
}
