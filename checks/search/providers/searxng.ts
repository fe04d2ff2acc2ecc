import { resultsOf } from '../google/url.ts';
import {
  defineProvider,
  ProviderError,
  type ProviderErrorKind,
  type Serp,
  type SerpProvider,
  toSerp,
} from '../serp.ts';
import { type ProviderSource, type ProviderVariable, settingOf } from '../source.ts';
import { addressOf, ask, errorOfStatus } from '../upstream/ask.ts';
import { readJson } from '../upstream/json.ts';
import { toRecord, toRecords } from '../upstream/shape.ts';

const NAME = 'searxng';
const ADDRESS: ProviderVariable = {
  name: 'SEARXNG_BASE_URL',
  what: 'where your own server is',
  example: 'http://127.0.0.1:8080',
  isSecret: false,
  isRequired: true,
  isAddress: true,
};

/**
 * A SearXNG instance of our own, Google engine. Its only neutral locale is `all`, which Google is told as English,
 * United States; any other would restrict the language of the pages found. It has no mobile results, and it may show
 * Google's corrections without saying so, so a page with corrections is no answer.
 *
 * Errors: `ProviderError`. Source: searxng/searxng docs/dev/search_api.rst and searx/engines/google.py, August 2026.
 */
export const searxng: ProviderSource = {
  name: NAME,
  variables: [ADDRESS],
  make: (env, timeoutMs) => create(settingOf(ADDRESS, env), timeoutMs),
};

function create(baseUrl: string, timeoutMs: number): SerpProvider {
  return defineProvider({
    name: NAME,
    supports: { mobile: false, countries: new Set(['US']), languages: new Set(['en']), operators: true },
    async search(request, signal) {
      const url = addressOf(baseUrl, 'search');
      url.search = new URLSearchParams({
        q: request.query,
        format: 'json',
        engines: 'google',
        language: 'all',
        pageno: String(request.page),
        safesearch: '0',
      }).toString();
      const reply = await ask({ provider: NAME, url, timeoutMs, signal });
      if (reply.status === 403) {
        throw new ProviderError(
          NAME,
          'bad_request',
          'refused; is "json" among search.formats of the instance?',
        );
      }
      const error = errorOfStatus(reply, NAME);
      if (error !== null) throw error;
      return readSearxng(readJson(reply.text, NAME));
    },
  });
}

/** An answer of the instance. It is 200 and empty too when Google has shut the instance out. Errors: `ProviderError`. */
export function readSearxng(body: unknown): Serp {
  const answer = toRecord(body);
  const reason = reasonOfSilence(answer.unresponsive_engines);
  if (reason !== null)
    throw new ProviderError(NAME, kindOfReason(reason), `Google did not answer: ${reason}`);
  const results = toRecords(answer.results);
  if (results === null) throw new ProviderError(NAME, 'unreadable', 'not a page of results');
  if (Array.isArray(answer.corrections) && answer.corrections.length > 0) {
    throw new ProviderError(NAME, 'rewritten', 'Google may have answered another query');
  }
  const ofGoogle = results.filter(isOfGoogle).sort((one, other) => positionOf(one) - positionOf(other));
  if (ofGoogle.length === 0 && results.length > 0) {
    throw new ProviderError(
      NAME,
      'unreadable',
      'results of other engines only; is Google enabled on the instance?',
    );
  }
  return toSerp(resultsOf(ofGoogle, 'url'));
}

function reasonOfSilence(unresponsive: unknown): string | null {
  if (!Array.isArray(unresponsive)) return null;
  const entry = unresponsive.find((pair) => Array.isArray(pair) && pair[0] === 'google');
  return entry === undefined ? null : String(entry[1] ?? 'no reason given');
}

function kindOfReason(reason: string): ProviderErrorKind {
  if (/captcha|denied|blocked/i.test(reason)) return 'blocked';
  if (/too many requests/i.test(reason)) return 'rate_limit';
  return /timeout/i.test(reason) ? 'timeout' : 'upstream';
}

function isOfGoogle(result: Record<string, unknown>): boolean {
  return Array.isArray(result.engines) ? result.engines.includes('google') : result.engine === 'google';
}

/** Results come by score; the first position is Google's own. */
function positionOf(result: Record<string, unknown>): number {
  const position = Array.isArray(result.positions) ? result.positions[0] : undefined;
  return typeof position === 'number' ? position : Number.MAX_SAFE_INTEGER;
}
