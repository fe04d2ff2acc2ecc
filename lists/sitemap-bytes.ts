import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';

const pieceBytes = 64 * 1024;

/** Receives each piece. Returning false stops the reading. */
type OnPiece = (piece: Uint8Array) => boolean;

/**
 * Passes a body on in pieces of 64 KiB, until `onPiece` returns false. Unpacks it if its first bytes are those of gzip.
 * Returns false if the gzip is damaged; the pieces before the damage were passed on.
 */
export function readPieces(body: Uint8Array, onPiece: OnPiece): Promise<boolean> {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  return isGzip ? unzip(body, onPiece) : Promise.resolve(split(body, onPiece));
}

function split(body: Uint8Array, onPiece: OnPiece): true {
  for (let at = 0; at < body.length; at += pieceBytes) {
    if (!onPiece(body.subarray(at, at + pieceBytes))) break;
  }
  return true;
}

function unzip(body: Uint8Array, onPiece: OnPiece): Promise<boolean> {
  return new Promise((resolve) => {
    const gunzip = createGunzip({ chunkSize: pieceBytes });
    // An iterator would lose the pieces that wait when an error occurs.
    gunzip.on('data', (piece: Uint8Array) => {
      if (onPiece(piece)) return;
      gunzip.destroy();
      resolve(true);
    });
    gunzip.on('end', () => resolve(true));
    gunzip.on('error', () => resolve(false));
    gunzip.end(body);
  });
}

/**
 * Returns the encoding of a document, by its byte order mark, zero bytes around its first character, its XML
 * declaration or the charset of its Content-Type; else UTF-8 (www.w3.org/TR/xml, appendix F).
 */
export function encodingOf(start: Uint8Array, contentType: string | null): string {
  const [first, second, third] = start;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const text = new TextDecoder('latin1').decode(start.subarray(0, 1024));
  const declared = known(/<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)/.exec(text)?.[1]);
  // A declaration that was readable as single bytes is not UTF-16.
  if (declared) return declared.startsWith('utf-16') ? 'utf-8' : declared;
  return known(/charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]) ?? 'utf-8';
}

function known(label: string | undefined): string | null {
  try {
    return label === undefined ? null : new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
