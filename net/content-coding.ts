import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createInflateRaw } from 'node:zlib';
import { BodyReader } from './body-reader.ts';

/** Value of `Accept-Encoding`. */
export const acceptedCodings = 'gzip, deflate, br';

/** Like curl and undici; each layer may cost as much time as a whole body. */
const codingsMax = 5;

/**
 * Returns a body without the codings that its `Content-Encoding` names, cut to `bytesMax` at each layer. As in
 * browsers, what follows the end of a compressed body is ignored, and a truncated body gives what came. A coding
 * that is unknown or does not fit the bytes is skipped, so the result may still be compressed. Empty when there
 * are too many codings.
 */
export async function decodeContent(
  bytes: Buffer,
  contentEncoding: string,
  bytesMax: number,
): Promise<Buffer> {
  const codings = contentEncoding.split(',', codingsMax + 1);
  if (codings.length > codingsMax) return Buffer.alloc(0);
  let content = bytes;
  for (const coding of codings.reverse()) {
    const opened = openDecoder(coding.trim().toLowerCase(), content);
    if (opened) content = await decode(opened, content, bytesMax);
  }
  return content;
}

/** A decoder, and where in the body its input starts. */
interface OpenedDecoder {
  decoder: Transform;
  start: number;
}

// Flushing at the end makes truncated input a short result instead of an error.
const truncatedZlib = { finishFlush: constants.Z_SYNC_FLUSH };
const truncatedBrotli = { finishFlush: constants.BROTLI_OPERATION_FLUSH };

/** Returns null for an unknown coding, and for a body that does not start as the coding does. */
function openDecoder(coding: string, bytes: Buffer): OpenedDecoder | null {
  switch (coding) {
    // Raw, because zlib's own gzip mode rejects the body for a wrong checksum or for bytes after the end.
    case 'gzip':
    case 'x-gzip': {
      const start = gzipHeaderLength(bytes);
      return start === null ? null : { decoder: createInflateRaw(truncatedZlib), start };
    }
    case 'deflate':
    case 'x-deflate':
      // Some servers send it without the zlib header.
      return { decoder: createInflateRaw(truncatedZlib), start: hasZlibHeader(bytes) ? 2 : 0 };
    case 'br':
      return { decoder: createBrotliDecompress(truncatedBrotli), start: 0 };
    default:
      return null;
  }
}

async function decode({ decoder, start }: OpenedDecoder, bytes: Buffer, bytesMax: number): Promise<Buffer> {
  let isFalse = false;
  decoder.once('error', () => {
    isFalse = true;
  });
  const reader = new BodyReader(decoder);
  decoder.end(bytes.subarray(start));
  const decoded = await reader.readUpTo(bytesMax);
  return isFalse && decoded.length === 0 ? bytes : decoded;
}

/** RFC 1950 section 2.2. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && (bytes.readUInt8(0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

const gzipFlags = { headerChecksum: 2, extra: 4, name: 8, comment: 16 };

/** RFC 1952 section 2.3; null when the bytes are not gzip. */
function gzipHeaderLength(bytes: Buffer): number | null {
  if (bytes.length < 10 || bytes.readUIntBE(0, 3) !== 0x1f8b08) return null;
  const flags = bytes.readUInt8(3);
  let length = 10;
  if (flags & gzipFlags.extra) {
    if (bytes.length < length + 2) return null;
    length += 2 + bytes.readUInt16LE(length);
  }
  for (const text of [gzipFlags.name, gzipFlags.comment]) {
    if (!(flags & text)) continue;
    const end = bytes.indexOf(0, length);
    if (end < 0) return null;
    length = end + 1;
  }
  return flags & gzipFlags.headerChecksum ? length + 2 : length;
}
