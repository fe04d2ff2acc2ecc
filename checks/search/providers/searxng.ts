import { ProviderError, type ProviderErrorKind, type Serp, type SerpProvider, supportsAll } from '../serp.ts';
import { type ProviderSource, type ProviderVariable, readVariable } from '../source.ts';
import { parseJson } from '../upstream/json.ts';
import { findContradictingCount, findUnknownMember, rejectErrorReply } from '../upstream/reply-errors.ts';
import { joinUrl, sendRequest, toStatusError } from '../upstream/request.ts';
import { toEntries, toRecord, toText } from '../upstream/shape.ts';
import { toVerifiedSerp } from '../upstream/verified-serp.ts';

const providerName = 'searxng';
const addressVariable: ProviderVariable = {
  name: 'SEARXNG_BASE_URL',
  description: 'the URL of your own server',
  example: 'http://127.0.0.1:8080',
  isSecret: false,
  isRequired: true,
  isUrl: true,
};

/**
 * A SearXNG instance of the operator with its Google engine. The locale `all` means English and United States for
 * Google; any other locale restricts the language of the results. The instance has no mobile results. Pages with
 * corrections are rejected, because the instance does not report whether Google searched for the corrected words.
 *
 * Throws `ProviderError`. Source: searxng/searxng docs/dev/search_api.rst and searx/engines/google.py, August 2026.
 */
export const searxng: ProviderSource = {
  name: providerName,
  variables: [addressVariable],
  create: (env, timeoutMs) => create(readVariable(addressVariable, env), timeoutMs),
};

function create(baseUrl: string, timeoutMs: number): SerpProvider {
  return {
    name: providerName,
    supports: {
      ...supportsAll,
      mobile: false,
      countries: new Set(['US']),
      languages: new Set(['en']),
      locations: new Set(),
      aiOverviews: false,
    },
    async search(request) {
      const url = joinUrl(baseUrl, 'search');
      url.search = new URLSearchParams({
        q: request.query,
        format: 'json',
        engines: 'google',
        language: 'all',
        pageno: String(request.page),
        safesearch: '0',
      }).toString();
      const reply = await sendRequest({ provider: providerName, url, timeoutMs });
      if (reply.status === 403) {
        throw new ProviderError(
          providerName,
          'bad_request',
          'refused; is "json" among search.formats of the instance?',
        );
      }
      const error = toStatusError(reply, providerName);
      if (error !== null) throw error;
      return readSearxng(parseJson(reply.text, providerName), request.query, request.page);
    },
  };
}

/**
 * Reads an answer of the instance. An answer with status 200 and no results may also mean that Google blocks the
 * instance. `number` is the number of the requested page. Throws `ProviderError`.
 */
export function readSearxng(body: unknown, asked: string | null = null, number = 1): Serp {
  const answer = toRecord(body);
  const reason = findGoogleError(answer.unresponsive_engines);
  if (reason !== null)
    throw new ProviderError(providerName, toErrorKind(reason), `Google did not answer: ${reason}`);
  rejectErrorReply(providerName, answer);
  const entries = toEntries(answer.results);
  const googleEntries =
    entries?.filter(isFromGoogle).sort((one, other) => getPosition(one) - getPosition(other)) ?? [];
  if (googleEntries.length === 0 && (entries?.length ?? 0) > 0) {
    const hint = 'results of other engines only; is Google enabled on the instance?';
    throw new ProviderError(providerName, 'unreadable', hint);
  }
  const hasCorrections = Array.isArray(answer.corrections) && answer.corrections.length > 0;
  const serp = toVerifiedSerp({
    provider: providerName,
    asked,
    echoes: [toText(answer.query)],
    notice: hasCorrections ? 'other-query' : null,
    linking: [answer],
    doubt:
      findUnknownMember(answer, 'query', 'number_of_results') ??
      findContradictingCount(answer.number_of_results, number),
    // Accepts an empty list only if the answer also lists the engines that did not respond. Google is not among them.
    saysNoResults: entries?.length === 0 && Array.isArray(answer.unresponsive_engines),
    entries: entries && googleEntries,
    key: 'url',
  });
  return { ...serp, urlSpelling: 'cleaned' };
}

/** Finds the error of the Google engine. Its entry is a pair of name and reason, or an object in other versions. */
function findGoogleError(unresponsive: unknown): string | null {
  const entries = Array.isArray(unresponsive) ? unresponsive : Object.entries(toRecord(unresponsive));
  for (const entry of entries) {
    const record = toRecord(entry);
    const [name, reason] = Array.isArray(entry)
      ? entry
      : [toText(entry) ?? record.engine ?? record.name, record.error ?? record.message ?? record.reason];
    if (/\bgoogle\b/i.test(toText(name) ?? '')) return (toText(reason) ?? 'no reason given').slice(0, 200);
  }
  return null;
}

function toErrorKind(reason: string): ProviderErrorKind {
  if (/captcha|denied|blocked/i.test(reason)) return 'blocked';
  if (/too many requests/i.test(reason)) return 'rate_limit';
  return /timeout/i.test(reason) ? 'timeout' : 'upstream';
}

/** Returns whether a result is from Google, or names no engine. */
function isFromGoogle({ engines, engine }: Record<string, unknown>): boolean {
  const names = (Array.isArray(engines) ? engines : [engine]).filter((name) => typeof name === 'string');
  return names.length === 0 || names.some((name) => name.toLowerCase() === 'google');
}

/** Returns the position that Google gave, because the instance sorts results by its own score. */
function getPosition(result: Record<string, unknown>): number {
  const position = Array.isArray(result.positions) ? result.positions[0] : undefined;
  return typeof position === 'number' ? position : Number.MAX_SAFE_INTEGER;
}
