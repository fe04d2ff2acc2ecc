import { ProviderError } from '../serp.ts';

/**
 * The largest answers recorded have 20,000. At this many the parser takes about 25 ms, whatever they are
 * (measured).
 */
const valuesMax = 60_000;

/**
 * A body as JSON, told in one pass before the parser sees it to hold no more values than any answer does: eight million
 * brackets would stop the event loop for a third of a second. Errors: `ProviderError` (unreadable).
 */
export function readJson(text: string, provider: string): unknown {
  if (hasTooManyValues(text)) {
    throw new ProviderError(provider, 'unreadable', `JSON of more than ${valuesMax} values`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProviderError(provider, 'unreadable', `not JSON (${text.length} characters)`, { cause });
  }
}

const openingCodes = new Set([...'[{,'].map((mark) => mark.charCodeAt(0)));
const quoteCode = '"'.charCodeAt(0);

/** Counts what begins a value outside strings; a string, which may hold a whole page, is leapt over. */
function hasTooManyValues(text: string): boolean {
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quoteCode) at = endOfString(text, at);
    else if (openingCodes.has(code) && ++values > valuesMax) return true;
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
