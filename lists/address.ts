/** Returns whether a text looks like a URL or a domain of any script. Takes linear time. */
export function looksLikeUrl(text: string): boolean {
  return hasScheme(text) || isAddressWithoutScheme(text.startsWith('//') ? text.slice(2) : text);
}

function isAddressWithoutScheme(text: string): boolean {
  return (
    !isFilePath(text) &&
    /^[^\s/?#:@,;|"]+\.(?:[\p{L}\p{M}]{2,}|xn--[a-z\d-]+)(?::\d+)?(?:[/?#]\S*)?$/iu.test(text)
  );
}

/** Returns whether a text is clearly a URL and not a keyword: it has a scheme, a path, or www. at the start. */
export function isUnambiguousUrl(text: string): boolean {
  return hasScheme(text) || (looksLikeUrl(text) && /^www\.|[/]/i.test(text));
}

/** Returns whether a text looks like the path of a URL, such as `/`, `/a?b`, `./a` or `index.php`. */
export function isPath(text: string): boolean {
  return isPathFromRoot(text) || isFilePath(text);
}

/** Returns whether a text looks like a path that begins with a slash, or with `./` as the command `find` writes it. */
export function isPathFromRoot(text: string): boolean {
  return /^\.?\/(?:[^\s/]\S*)?$/.test(text);
}

/** Returns whether a text is a path without a leading slash that has the extension of a page, such as `a/b.html`. */
function isFilePath(text: string): boolean {
  return /^(?:[^\s/?#:@.]+\/)*[^\s/?#:@]+\.(?:[sx]?html?|php|aspx?|jsp|cfm|pdf)(?:[?#]\S*)?$/i.test(text);
}

/** Returns whether the ending of a URL or path is that of an image. */
export function isImage(text: string): boolean {
  return /\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|ico)(?:[?#]|$)/i.test(text);
}

/** Returns whether a text may be a path without a slash before it, such as `index.php` or `old/page`. */
export function isBarePath(text: string): boolean {
  return /^(?!www\.)[^\s/?#:@]+(?:[/?#]\S*)?$/i.test(text);
}

/**
 * Returns the URL of a path on a host, which may have a scheme. Returns other texts unchanged. A text that begins with
 * a domain such as `blog.example.com` is not a path if the host ends with the same `.com`.
 */
export function joinToHost(host: string, text: string): string {
  const base = host.replace(/\/+$/, '');
  if (isPathFromRoot(text)) return base + text.replace(/^\./, '');
  const ending = getEnding(text);
  const isUrl = ending !== null && ending === getEnding(base.replace(/^https?:\/\//i, ''));
  return isBarePath(text) && !isUrl ? `${base}/${text}` : text;
}

/** Returns the text behind the last dot of the first segment, in lower case. */
function getEnding(text: string): string | null {
  return /^[^/?#:]*\.([^./?#:]+)/.exec(text)?.[1]?.toLowerCase() ?? null;
}

/** Returns whether a text is a host, with or without a scheme. */
export function isHost(text: string): boolean {
  return looksLikeUrl(text) && /^(?:https?:\/\/)?[^/?#]+\/?$/i.test(text);
}

/** Adds https:// to a URL without a scheme. Returns other texts unchanged. */
export function addScheme(text: string): string {
  return lacksScheme(text) ? `https://${text.replace(/^\/\//, '')}` : text;
}

export function lacksScheme(text: string): boolean {
  return !hasScheme(text) && looksLikeUrl(text);
}

function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/\S/i.test(text);
}

/** Removes white space and invisible characters, which copying from a page adds, from both ends of a text. */
export function trimInvisible(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isInvisible(text.charCodeAt(from))) from += 1;
  while (to > from && isInvisible(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** First and last codes of white space, controls, soft hyphens, and characters without width or of direction. */
const invisibleRanges = [
  ...[0x7f, 0xa0, 0xad, 0xad, 0x61c, 0x61c, 0x1680, 0x1680, 0x180e, 0x180e, 0x2000, 0x200f, 0x2028, 0x202f],
  ...[0x205f, 0x206f, 0x3000, 0x3000, 0xfeff, 0xfeff],
];

function isInvisible(code: number): boolean {
  if (code < 0x7f) return code <= 0x20;
  for (let at = 0; at < invisibleRanges.length; at += 2) {
    if (code <= (invisibleRanges[at + 1] as number)) return code >= (invisibleRanges[at] as number);
  }
  return false;
}
