const flagBits = { headerChecksum: 2, extra: 4, name: 8, comment: 16 };

/**
 * Returns the length of the header of gzip (RFC 1952 section 2.3). Returns null for other bytes, and if the header is
 * cut off in its first ten bytes, its name or its comment.
 */
export function gzipHeaderLength(bytes: Uint8Array): number | null {
  const [first, second, method, flags = 0] = bytes;
  if (bytes.length < 10 || first !== 0x1f || second !== 0x8b || method !== 8) return null;
  let length = 10;
  if (flags & flagBits.extra) length += 2 + (bytes[length] ?? 0) + 256 * (bytes[length + 1] ?? 0);
  for (const text of [flagBits.name, flagBits.comment]) {
    if (!(flags & text)) continue;
    const end = bytes.indexOf(0, length);
    if (end < 0) return null;
    length = end + 1;
  }
  return flags & flagBits.headerChecksum ? length + 2 : length;
}
