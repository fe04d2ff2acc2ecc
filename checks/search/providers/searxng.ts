import {
  defineProvider,
  ProviderError,
  type ProviderErrorKind,
  type Serp,
  type SerpProvider,
} from '../serp.ts';
import { type ProviderSource, type ProviderVariable, settingOf } from '../source.ts';
import { addressOf, ask, errorOfStatus } from '../upstream/ask.ts';
import { readJson } from '../upstream/json.ts';
import { prove } from '../upstream/proof.ts';
import { toEntries, toRecord, toText } from '../upstream/shape.ts';
import { contradictingCount, refuseTrouble, unknownMember } from '../upstream/trouble.ts';

const providerName = 'searxng';
const addressVariable: ProviderVariable = {
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
  name: providerName,
  variables: [addressVariable],
  make: (env, timeoutMs) => create(settingOf(addressVariable, env), timeoutMs),
};

function create(baseUrl: string, timeoutMs: number): SerpProvider {
  return defineProvider({
    name: providerName,
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
      const reply = await ask({ provider: providerName, url, timeoutMs, signal });
      if (reply.status === 403) {
        throw new ProviderError(
          providerName,
          'bad_request',
          'refused; is "json" among search.formats of the instance?',
        );
      }
      const error = errorOfStatus(reply, providerName);
      if (error !== null) throw error;
      return readSearxng(readJson(reply.text, providerName), request.query, request.page);
    },
  });
}

/**
 * An answer of the instance. It is 200 and empty too when Google has shut the instance out. `number` is of the page
 * asked for. Errors: `ProviderError`.
 */
export function readSearxng(body: unknown, asked: string | null = null, number = 1): Serp {
  const answer = toRecord(body);
  const reason = reasonOfSilence(answer.unresponsive_engines);
  if (reason !== null)
    throw new ProviderError(providerName, kindOfReason(reason), `Google did not answer: ${reason}`);
  refuseTrouble(providerName, answer);
  const entries = toEntries(answer.results);
  const ofGoogle =
    entries?.filter(isOfGoogle).sort((one, other) => positionOf(one) - positionOf(other)) ?? [];
  if (ofGoogle.length === 0 && (entries?.length ?? 0) > 0) {
    const hint = 'results of other engines only; is Google enabled on the instance?';
    throw new ProviderError(providerName, 'unreadable', hint);
  }
  const hasCorrections = Array.isArray(answer.corrections) && answer.corrections.length > 0;
  const serp = prove({
    provider: providerName,
    asked,
    echoes: [toText(answer.query)],
    notice: hasCorrections ? 'other-query' : null,
    linking: [answer],
    doubt:
      unknownMember(answer, 'query', 'number_of_results') ??
      contradictingCount(answer.number_of_results, number),
    // It lists the engines that did not answer, and Google is not among them.
    saysNone: entries?.length === 0 && Array.isArray(answer.unresponsive_engines),
    entries: entries && ofGoogle,
    key: 'url',
  });
  return { ...serp, urlSpelling: 'cleaned' };
}

/** Pairs of name and reason, or objects in other versions; an engine's name may be any instance's spelling. */
function reasonOfSilence(unresponsive: unknown): string | null {
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

function kindOfReason(reason: string): ProviderErrorKind {
  if (/captcha|denied|blocked/i.test(reason)) return 'blocked';
  if (/too many requests/i.test(reason)) return 'rate_limit';
  return /timeout/i.test(reason) ? 'timeout' : 'upstream';
}

/** Of another engine is only what says so. */
function isOfGoogle({ engines, engine }: Record<string, unknown>): boolean {
  const names = (Array.isArray(engines) ? engines : [engine]).filter((name) => typeof name === 'string');
  return names.length === 0 || names.some((name) => name.toLowerCase() === 'google');
}

/** Results come by score; the first position is Google's own. */
function positionOf(result: Record<string, unknown>): number {
  const position = Array.isArray(result.positions) ? result.positions[0] : undefined;
  return typeof position === 'number' ? position : Number.MAX_SAFE_INTEGER;
}
