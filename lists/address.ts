/** Returns whether a text looks like a URL or a domain. Takes linear time. */
export function looksLikeUrl(text: string): boolean {
  return hasScheme(text) || /^[^\s/?#:@,;"]+\.[a-z]{2,}(?::\d+)?(?:[/?#]\S*)?$/i.test(text);
}

/** Returns whether a text is clearly a URL and not a keyword: it has a scheme, a path, or www. at the start. */
export function isUnambiguousUrl(text: string): boolean {
  return hasScheme(text) || (looksLikeUrl(text) && /^www\.|[/]/i.test(text));
}

/** Adds https:// to a URL without a scheme. Returns other texts unchanged. */
export function addScheme(text: string): string {
  return lacksScheme(text) ? `https://${text}` : text;
}

/** Returns whether a text looks like a URL without a scheme. */
export function lacksScheme(text: string): boolean {
  return !hasScheme(text) && looksLikeUrl(text);
}

function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/\S/i.test(text);
}
