import { TextDecoder } from 'node:util';
import { createInflateRaw } from 'node:zlib';
import { gzipHeaderLength } from '../net/gzip.ts';

const pieceBytes = 64 * 1024;
/**
 * Maximum number of members in one gzip. Each member takes 0.1 ms, even if empty; 16 MiB packed in blocks of 64 KiB
 * have 256.
 */
export const membersMax = 1000;

/** Receives each piece; false stops the reading immediately. */
type OnPiece = (piece: Uint8Array) => boolean;

/**
 * Passes on a body in pieces of 64 KiB, unpacked if it starts like gzip. Returns false if the gzip is damaged, breaks
 * off or has too many members; earlier pieces were passed on. Bytes after the last member are ignored.
 */
export function readPieces(body: Uint8Array, onPiece: OnPiece, most = membersMax): Promise<boolean> {
  return isGzip(body, 0) ? unzip(body, onPiece, most) : Promise.resolve(split(body, onPiece));
}

function split(body: Uint8Array, onPiece: OnPiece): true {
  for (let at = 0; at < body.length; at += pieceBytes) {
    if (!onPiece(body.subarray(at, at + pieceBytes))) break;
  }
  return true;
}

async function unzip(body: Uint8Array, onPiece: OnPiece, most: number): Promise<boolean> {
  let at = 0;
  let isWanted = true;
  for (let members = 0; isGzip(body, at); members++) {
    if (members === most) return false;
    const headerLength = gzipHeaderLength(body.subarray(at));
    if (headerLength === null) return false;
    const start = at + headerLength;
    let unpacked = 0;
    const packed = await inflate(body.subarray(start), (piece) => {
      unpacked += piece.length;
      isWanted &&= onPiece(piece);
      return isWanted;
    });
    if (!isWanted) return true;
    at = start + (packed ?? body.length) + trailerBytes;
    // The trailer ends with the unpacked length. It reveals damage that causes no error when inflating.
    if (at > body.length || unpacked !== uint32(body, at - 4)) return false;
  }
  return true;
}

/**
 * Returns how many bytes were read, or null if they are damaged or truncated. Inflates without zlib's own gzip mode,
 * which rejects bytes after the last member and then drops the text before them.
 */
function inflate(packed: Uint8Array, onPiece: OnPiece): Promise<number | null> {
  return new Promise((resolve) => {
    const inflater = createInflateRaw({ chunkSize: pieceBytes });
    // Uses events, because an iterator would lose buffered pieces when an error occurs.
    inflater.on('data', (piece: Uint8Array) => {
      if (!onPiece(piece)) inflater.destroy();
    });
    inflater.on('error', () => resolve(null));
    inflater.on('close', () => resolve(inflater.bytesWritten));
    // Two calls, because `end(packed)` would drop the last text of a truncated body.
    inflater.write(packed);
    inflater.end();
  });
}

const trailerBytes = 8;

export function isGzip(body: Uint8Array, at: number): boolean {
  return body[at] === 0x1f && body[at + 1] === 0x8b;
}

function uint32(body: Uint8Array, at: number): number {
  return new DataView(body.buffer, body.byteOffset).getUint32(at, true);
}

/**
 * Returns the encoding of a document, by its byte order mark, zero bytes around its first character, its XML
 * declaration or the charset of its Content-Type; else UTF-8 (www.w3.org/TR/xml, appendix F).
 */
export function detectEncoding(start: Uint8Array, contentType: string | null): string {
  const [first, second] = start;
  const marked = readByteOrderMark(start);
  if (marked) return marked;
  if (first === 0x3c && second === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c) return 'utf-16be';
  const text = new TextDecoder('latin1').decode(start.subarray(0, 1024));
  const declared = toEncoding(/<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)/.exec(text)?.[1]);
  // A document whose declaration is readable as single bytes is not UTF-16.
  if (declared) return declared.startsWith('utf-16') ? 'utf-8' : declared;
  return toEncoding(/charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]) ?? 'utf-8';
}

/** Returns the encoding of a byte order mark; null without one. */
export function readByteOrderMark([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : null;
}

/** Returns the encoding that a label names; null if the label is missing or unknown. */
export function toEncoding(label: string | undefined): string | null {
  try {
    return label === undefined ? null : new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
