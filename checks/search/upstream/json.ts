import { ProviderError } from '../serp.ts';

/** The largest recorded answers have 20,000 values. At this limit, parsing takes about 25 ms. */
const valuesMax = 60_000;
/** A page of Google in a string has about 50,000 escaped quotes. */
const escapedQuotesMax = 500_000;

/**
 * Checks the number of values and quotes, and then parses JSON. Without this check, eight million brackets would block
 * the event loop for a third of a second. Throws `ProviderError` (unreadable).
 */
export function parseJson(text: string, provider: string): unknown {
  if (hasTooManyValues(text)) {
    throw new ProviderError(
      provider,
      'unreadable',
      `JSON with more than ${valuesMax} values or ${escapedQuotesMax} escaped quotes`,
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

/** Counts the characters that start a value. Strings, which may contain a whole page, are skipped. */
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
