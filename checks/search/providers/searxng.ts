import type { Environment } from '../../../config/settings.ts';
import {
  type AskedPage,
  ProviderError,
  type ProviderErrorKind,
  type Serp,
  type SerpProvider,
  supportsAll,
} from '../serp.ts';
import { type ProviderSource, readVariable, serverUrlVariable } from '../source.ts';
import { findContradictingCount, findUnknownMember, rejectErrorReply } from '../upstream/reply-errors.ts';
import { joinUrl, type ProviderReply, requestJson } from '../upstream/request.ts';
import { toEntries, toRecord, toText } from '../upstream/shape.ts';
import { toVerifiedSerp } from '../upstream/verified-serp.ts';

const providerName = 'searxng';
const addressVariable = serverUrlVariable('SEARXNG_BASE_URL', 'http://127.0.0.1:8080');

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
  create,
};

function create(env: Environment, timeoutMs: number): SerpProvider {
  const baseUrl = readVariable(addressVariable, env);
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
      const answer = await requestJson({ provider: providerName, url, timeoutMs }, explain);
      return readSearxng(answer, request);
    },
  };
}

function explain(error: ProviderError, { status }: ProviderReply): ProviderError {
  if (status !== 403) return error;
  const hint = 'refused; is "json" among search.formats of the instance?';
  return new ProviderError(providerName, 'bad_request', hint);
}

/**
 * Reads an answer of the instance. An answer with status 200 and no results may also mean that Google blocks the
 * instance. Throws `ProviderError`.
 */
export function readSearxng(body: unknown, { query, page = 1 }: AskedPage = {}): Serp {
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
    asked: query,
    echoes: [toText(answer.query)],
    notice: hasCorrections ? 'other-query' : null,
    linking: [answer],
    doubt:
      findUnknownMember(answer, 'query', 'number_of_results') ??
      findContradictingCount(answer.number_of_results, page),
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
