import { ProviderError } from '../serp.ts';

/**
 * The largest answers recorded have 20,000. At this many the parser takes about 25 ms, whatever they are
 * (measured).
 */
const valuesMax = 60_000;
/** A page of Google in a string has some 50,000; each is looked at by itself. */
const escapedQuotesMax = 500_000;

/**
 * A body as JSON, told in one pass before the parser sees it to hold no more values and quotes than any
 * answer does: eight million brackets would stop the event loop for a third of a second. Errors:
 * `ProviderError` (unreadable).
 */
export function readJson(text: string, provider: string): unknown {
  if (hasTooManyValues(text)) {
    throw new ProviderError(
      provider,
      'unreadable',
      `JSON of more than ${valuesMax} values, or of quotes without end`,
    );
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
  let escapedQuotes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quoteCode) {
      at = text.indexOf('"', at + 1);
      while (at > 0 && isEscaped(text, at)) {
        if (++escapedQuotes > escapedQuotesMax) return true;
        at = text.indexOf('"', at + 1);
      }
      if (at < 0) return false;
    } else if (openingCodes.has(code) && ++values > valuesMax) return true;
  }
  return false;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charAt(at - 1 - slashes) === '\\') slashes++;
  return slashes % 2 === 1;
}
