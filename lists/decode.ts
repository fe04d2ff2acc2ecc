import { TextDecoder } from 'node:util';

const restMax = 64 * 1024;

/** Decodes a file as UTF-16 or UTF-8, by its first bytes. Continues as Windows-1252 if it is not valid UTF-8. */
export async function* decoded(
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  for await (const piece of splitAtLines(bytes)) {
    decoder ??= new TextDecoder(detectEncoding(piece), { fatal: true });
    const text = decode(decoder, piece);
    if (text === null) decoder = new TextDecoder('windows-1252');
    yield text ?? decoder.decode(piece, { stream: true });
  }
}

/** Yields pieces that end with a line, so that the encoding never changes within a character. */
async function* splitAtLines(
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  for await (const piece of bytes) {
    const both: Uint8Array = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const end = both.lastIndexOf(0x0a) + 1;
    const cut = end > 0 || both.length < restMax ? end : both.length;
    if (cut > 0) yield both.subarray(0, cut);
    rest = both.subarray(cut);
  }
  if (rest.length > 0) yield rest;
}

function decode(decoder: TextDecoder, piece: Uint8Array): string | null {
  try {
    return decoder.decode(piece, { stream: true });
  } catch {
    return null;
  }
}

/** Detects UTF-16 by its byte order mark, or without one by zeros in every other byte. */
function detectEncoding([first, second, third, fourth]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && fourth === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && third === 0)) return 'utf-16be';
  return 'utf-8';
}
