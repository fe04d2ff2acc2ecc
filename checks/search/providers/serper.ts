import { resultsOf } from '../google/url.ts';
import {
  defineProvider,
  ProviderError,
  type Serp,
  type SerpProvider,
  type SerpRequest,
  toSerp,
} from '../serp.ts';
import { ownAddress, type ProviderSource, secret, settingOf } from '../source.ts';
import { addressOf, ask, errorOfStatus, type Reply } from '../upstream/ask.ts';
import { readJson } from '../upstream/json.ts';
import { toRecord, toRecords, toText } from '../upstream/shape.ts';

const NAME = 'serper';
const KEY = secret('SERPER_API_KEY', 'the key of the account');
const ADDRESS = ownAddress('SERPER_BASE_URL', 'https://serper-proxy.example.com');

/**
 * Serper.dev. It has no mobile results, and no way to switch off the duplicate filter.
 *
 * Errors: `ProviderError`. Source: public clients, its own reference not being public; seen November 2026.
 */
export const serper: ProviderSource = {
  name: NAME,
  variables: [KEY, ADDRESS],
  make: (env, timeoutMs) =>
    create(settingOf(KEY, env), settingOf(ADDRESS, env, 'https://google.serper.dev'), timeoutMs),
};

function create(apiKey: string, baseUrl: string, timeoutMs: number): SerpProvider {
  const url = addressOf(baseUrl, 'search');
  return defineProvider({
    name: NAME,
    supports: { mobile: false, countries: 'any', languages: 'any', operators: true },
    async search(request, signal) {
      const headers = { 'x-api-key': apiKey };
      const reply = await ask({
        provider: NAME,
        url,
        method: 'POST',
        headers,
        body: toBody(request),
        timeoutMs,
        signal,
      });
      const error = errorOfStatus(reply, NAME);
      if (error !== null) throw explain(error, reply);
      return readSerper(readJson(reply.text, NAME));
    },
  });
}

/** A search. `organic` may be missing when nothing matches; then the echo of the query shows that it was a search. */
export function readSerper(body: unknown): Serp {
  const search = toRecord(body);
  if (toText(toRecord(search.searchInformation).showingResultsFor) !== null) {
    throw new ProviderError(NAME, 'rewritten', 'Google answered another query');
  }
  const organic = toRecords(search.organic);
  if (organic === null && toText(toRecord(search.searchParameters).q) === null) {
    throw new ProviderError(NAME, 'unreadable', 'not a page of results');
  }
  const answer = toRecord(search.answerBox);
  return toSerp(resultsOf(organic ?? [], 'link'), answer.snippet === undefined ? null : toText(answer.link));
}

function toBody(request: SerpRequest): Record<string, unknown> {
  return {
    q: request.query,
    gl: request.country.toLowerCase(),
    hl: request.language.toLowerCase(),
    page: request.page,
    autocorrect: !request.isUnfiltered,
  };
}

/** Used-up credits come as a bad request. */
function explain(error: ProviderError, reply: Reply): ProviderError {
  if (reply.status !== 400 || !/not enough credits/i.test(reply.text)) return error;
  return new ProviderError(NAME, 'quota', 'not enough credits on this account');
}
