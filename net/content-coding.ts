import type { Transform } from 'node:stream';
import { createBrotliDecompress, createInflateRaw } from 'node:zlib';
import { BodyReader } from './body-reader.ts';
import { gzipHeaderLength } from './gzip.ts';

/** Value of `Accept-Encoding`. */
export const acceptedCodings = 'gzip, deflate, br';

/**
 * Maximum number of codings of a body. The output of each coding can be a body of maximum size. curl and undici have
 * the same limit.
 */
const codingsMax = 5;

/**
 * Decodes a body by its `Content-Encoding`. Cuts the body to `bytesMax` after each coding. Bytes after the end of a
 * compressed body are ignored. A truncated body is decoded up to its last byte. Browsers do the same. A coding is
 * skipped if it is unknown or does not match the bytes. The result may then still be compressed. With too many codings,
 * the result is empty.
 */
export async function decodeContent(
  bytes: Buffer,
  contentEncoding: string,
  bytesMax: number,
): Promise<DecodedContent> {
  const codings = contentEncoding.split(',', codingsMax + 1);
  if (codings.length > codingsMax) return { content: Buffer.alloc(0), isWhole: false };
  let content = bytes;
  let isWhole = true;
  for (const coding of codings.reverse()) {
    const opened = openDecoder(coding.trim().toLowerCase(), content);
    if (!opened) continue;
    const decoded = await decode(opened, content, bytesMax);
    content = decoded.content;
    isWhole &&= decoded.isWhole;
  }
  return { content, isWhole };
}

interface DecodedContent {
  content: Buffer;
  /**
   * False if a compressed body is truncated or corrupt, or if there are too many codings. Stays true after a skipped
   * coding and after the cut to `bytesMax`.
   */
  isWhole: boolean;
}

/** A decoder, and the offset of its input in the body. */
interface OpenedDecoder {
  decoder: Transform;
  start: number;
}

/** Returns null for an unknown coding, and for a body without the header that the coding requires. */
function openDecoder(coding: string, bytes: Buffer): OpenedDecoder | null {
  switch (coding) {
    // zlib's own gzip mode is not used, because it rejects a body with a wrong checksum or with further bytes after its
    // end.
    case 'gzip':
    case 'x-gzip': {
      const start = gzipHeaderLength(bytes);
      return start === null ? null : { decoder: createInflateRaw(), start };
    }
    case 'deflate':
    case 'x-deflate':
      // Some servers omit the zlib header.
      return { decoder: createInflateRaw(), start: hasZlibHeader(bytes) ? 2 : 0 };
    case 'br':
      return { decoder: createBrotliDecompress(), start: 0 };
    default:
      return null;
  }
}

async function decode(
  { decoder, start }: OpenedDecoder,
  bytes: Buffer,
  bytesMax: number,
): Promise<DecodedContent> {
  let error: NodeJS.ErrnoException | null = null as NodeJS.ErrnoException | null;
  decoder.once('error', (reason) => {
    error = reason;
  });
  const reader = new BodyReader(decoder);
  decoder.end(bytes.subarray(start));
  const content = await reader.readUpTo(bytesMax);
  const isMislabeled = error !== null && error.code !== 'Z_BUF_ERROR' && content.length === 0;
  return isMislabeled ? { content: bytes, isWhole: true } : { content, isWhole: error === null };
}

/** RFC 1950 section 2.2. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && (bytes.readUInt8(0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}
