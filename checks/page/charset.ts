import { parse } from 'content-type';

/**
 * The text of an HTML document: its charset from a byte order mark, else the `Content-Type` header, else what its
 * first 1,024 bytes declare, else UTF-8. Labels nobody knows are passed over and bytes that fit nothing become U+FFFD,
 * so that any bytes give a text (encoding.spec.whatwg.org for the labels).
 */
export function decodeHtml(bytes: Uint8Array, contentType: string | null): string {
  const label = markedCharset(bytes) ?? declaredCharset(contentType) ?? writtenCharset(bytes) ?? 'utf-8';
  return new TextDecoder(label).decode(bytes);
}

const prescanBytes = 1024;

function markedCharset(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return null;
}

function declaredCharset(contentType: string | null): string | null {
  return contentType === null ? null : known(parse(contentType).parameters.charset);
}

function writtenCharset(bytes: Uint8Array): string | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, prescanBytes));
  const markup = start.replaceAll(/<!--[\s\S]*?(?:-->|$)/gu, '');
  const declaration = metaCharset.exec(markup) ?? xmlEncoding.exec(markup);
  const label = known(declaration?.[1]);
  // Read byte by byte, it cannot be what it says.
  return label?.startsWith('utf-16') ? 'utf-8' : label;
}

const metaCharset = /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/iu;
const xmlEncoding = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/iu;

function known(label: string | undefined): string | null {
  try {
    return label === undefined ? null : new TextDecoder(label.trim()).encoding;
  } catch {
    return null;
  }
}
