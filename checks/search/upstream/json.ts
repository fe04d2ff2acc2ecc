import { ProviderError } from '../serp.ts';

/**
 * The largest answers recorded have 20,000. At this many the parser takes about 25 ms, whatever they are
 * (measured).
 */
const VALUES_MAX = 60_000;

/**
 * A body as JSON, told in one pass before the parser sees it to hold no more values than any answer does: eight million
 * brackets would stop the event loop for a third of a second. Errors: `ProviderError` (unreadable).
 */
export function readJson(text: string, provider: string): unknown {
  if (hasTooManyValues(text)) {
    throw new ProviderError(provider, 'unreadable', `JSON of more than ${VALUES_MAX} values`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProviderError(provider, 'unreadable', `not JSON (${text.length} characters)`, { cause });
  }
}

const OPENING = new Set([...'[{,'].map((mark) => mark.charCodeAt(0)));
const QUOTE = '"'.charCodeAt(0);

/** Counts what begins a value outside strings; a string, which may hold a whole page, is leapt over. */
function hasTooManyValues(text: string): boolean {
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (OPENING.has(code) && ++values > VALUES_MAX) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charAt(at - 1 - slashes) === '\\') slashes++;
  return slashes % 2 === 1;
}
