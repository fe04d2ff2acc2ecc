import { readGoogleHtml } from '../google/html.ts';
import { googleParameters } from '../google/search-url.ts';
import { resultsOf } from '../google/url.ts';
import {
  defineProvider,
  ProviderError,
  type ProviderErrorKind,
  type Serp,
  type SerpProvider,
  type SerpRequest,
  toSerp,
} from '../serp.ts';
import {
  type Environment,
  ownAddress,
  type ProviderSource,
  type ProviderVariable,
  secret,
  settingOf,
} from '../source.ts';
import { addressOf, ask, errorOfStatus } from '../upstream/ask.ts';
import { readJson } from '../upstream/json.ts';
import { isSameQuery, toRecord, toRecords, toText } from '../upstream/shape.ts';

const NAME = 'brightdata';
const TOKEN = secret('BRIGHTDATA_API_TOKEN', 'the API token');
const ZONE: ProviderVariable = {
  name: 'BRIGHTDATA_ZONE',
  what: 'the name of a SERP zone',
  example: 'serp_api1',
  isSecret: false,
  isRequired: true,
};
const ADDRESS = ownAddress('BRIGHTDATA_BASE_URL', 'https://brightdata-proxy.example.com');
const addressIn = (env: Environment) =>
  addressOf(settingOf(ADDRESS, env, 'https://api.brightdata.com'), 'request');

/** Catalogued error codes (docs.brightdata.com errorCatalog, read November 2026), and the seconds to stay away. */
const CODES: Record<string, { kind: ProviderErrorKind; seconds: number | null }> = {
  sr_rate_limit: { kind: 'rate_limit', seconds: null },
  bucket_rate_limit: { kind: 'rate_limit', seconds: null },
  failed_query_rejected: { kind: 'rate_limit', seconds: 15 },
  repeat_query_rejected: { kind: 'rate_limit', seconds: 15 },
  client_10110: { kind: 'rate_limit', seconds: null },
  unexpected_q: { kind: 'rewritten', seconds: 15 },
  verifying: { kind: 'blocked', seconds: 15 },
};
/** What a status says about the target, Google: not about our account, as the same status of an API would. */
const STATUSES: Record<number, ProviderErrorKind> = { 403: 'blocked', 407: 'auth', 503: 'blocked' };

type HeaderOf = (name: string) => string | null;

/**
 * Bright Data's SERP API: a zone fetches the Google address and parses it, or hands back Google's own page.
 *
 * Errors: `ProviderError`. Source: docs.brightdata.com products/serp-api, read November 2026.
 */
export const brightData: ProviderSource = {
  name: NAME,
  variables: [TOKEN, ZONE, ADDRESS],
  make: (env, timeoutMs) => create(settingOf(TOKEN, env), settingOf(ZONE, env), addressIn(env), timeoutMs),
};

function create(token: string, zone: string, url: URL, timeoutMs: number): SerpProvider {
  return defineProvider({
    name: NAME,
    supports: { mobile: true, countries: 'any', languages: 'any', operators: true },
    async search(request, signal) {
      const headers = { authorization: `Bearer ${token}` };
      // The envelope, not the raw body: only there do status and error headers of the fetch come through for certain.
      const body = { zone, url: toGoogleUrl(request), format: 'json' };
      const reply = await ask({
        provider: NAME,
        url,
        method: 'POST',
        headers,
        body,
        timeoutMs,
        signal,
      });
      const error = errorOfStatus(reply, NAME);
      if (error !== null) {
        throw explain(reply.status, error.kind, (name) => reply.headers.get(name), reply.text);
      }
      return readBrightDataReply(reply.text, request.page);
    },
  });
}

/**
 * The answer to `POST /request` in each of its forms: the envelope with the status of the fetch inside, parsed JSON
 * (full or light), or Google's page when the zone does not parse. Errors: `ProviderError`.
 */
export function readBrightDataReply(text: string, page: number): Serp {
  if (!text.trimStart().startsWith('{')) return readGoogleHtml(text, NAME);
  const reply = toRecord(readJson(text, NAME));
  if (typeof reply.status_code !== 'number' || !('body' in reply)) return readBrightData(reply, page);
  const inner = toText(reply.body) ?? JSON.stringify(reply.body);
  const headers = new Map(
    Object.entries(toRecord(reply.headers)).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const headerOf: HeaderOf = (name) => (headers.has(name) ? String(headers.get(name)) : null);
  // A status in here is Google's own.
  const status = reply.status_code;
  const hasCode = headerOf('x-brd-error-code') !== null || headerOf('x-brd-err-code') !== null;
  if (status >= 400 && status < 500) {
    throw explain(status, status === 429 ? 'blocked' : 'bad_request', headerOf, inner);
  }
  if (status >= 500 || hasCode) throw explain(status, 'upstream', headerOf, inner);
  return readBrightDataReply(inner, page);
}

/**
 * Parsed results, full or light JSON. Light JSON has no `rank`, and `organic` may be missing when nothing matches; on
 * the first page that contradicts a count above zero. Errors: `ProviderError` (rewritten, unreadable).
 */
export function readBrightData(body: unknown, page = 1): Serp {
  const { organic, general, spelling, featured_snippets: snippets } = toRecord(body);
  const { query, detected_query: detected, results_cnt: count } = toRecord(general);
  if (toRecord(spelling).original_empty === true) return toSerp([]);
  if (!isSameQuery(toText(query), toText(detected))) {
    throw new ProviderError(NAME, 'rewritten', 'Google answered another query');
  }
  const items = toRecords(organic);
  const isEmpty = items === null || items.length === 0;
  if (
    (items === null && general === undefined) ||
    (isEmpty && page === 1 && typeof count === 'number' && count > 0)
  ) {
    throw new ProviderError(NAME, 'unreadable', 'no organic results, and no word that there are none');
  }
  return toSerp(resultsOf(items ?? [], 'link'), toText(toRecords(snippets)?.[0]?.link));
}

function toGoogleUrl(request: SerpRequest): string {
  const parameters = googleParameters(request);
  if (request.device === 'mobile') parameters.set('brd_mobile', '1');
  parameters.set('brd_json', '1');
  return `https://www.google.com/search?${parameters}`;
}

/** Both header families name codes, the newer standard header and the body only mention them. */
function explain(
  status: number,
  otherwise: ProviderErrorKind,
  headerOf: HeaderOf,
  text: string,
): ProviderError {
  const names = ['x-brd-error-code', 'x-brd-err-code', 'x-brd-error', 'x-brd-err-msg', 'proxy-status'];
  const said = [...names.map(headerOf), text.slice(0, 500)].join(' ');
  const code = Object.keys(CODES).find((known) => said.includes(known)) ?? '';
  const kind = CODES[code]?.kind ?? STATUSES[status] ?? otherwise;
  const periodMs = headerOf('x-brd-rate-limit-period-ms');
  const seconds = headerOf('retry-after') ?? (periodMs === null ? null : Math.ceil(Number(periodMs) / 1000));
  const retryAfterSeconds = CODES[code]?.seconds ?? (seconds === null ? null : Number(seconds) || null);
  return new ProviderError(NAME, kind, `status ${status}${code && `, ${code}`}`, { retryAfterSeconds });
}
