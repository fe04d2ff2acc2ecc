import type { Environment } from '../../../config/settings.ts';
import { readGoogleHtml } from '../google/html.ts';
import { toGoogleParameters } from '../google/search-url.ts';
import {
  type AskedPage,
  ProviderError,
  type ProviderErrorKind,
  type Serp,
  type SerpOverview,
  type SerpPart,
  type SerpProvider,
  type SerpRequest,
  supportsAll,
} from '../serp.ts';
import { type ProviderSource, proxyUrlVariable, readVariable, secretVariable } from '../source.ts';
import {
  addParts,
  type Block,
  overviewNotShown,
  overviewUnknown,
  type PageParts,
  readOverview,
} from '../upstream/features.ts';
import { findUnknownMember, hasContent, hasLaterPage, rejectErrorReply } from '../upstream/reply-errors.ts';
import { joinUrl, parseJson, sendRequest, toStatusError } from '../upstream/request.ts';
import { isSameQuery, toEntries, toRecord, toRecords, toText } from '../upstream/shape.ts';
import { type Notice, toVerifiedSerp } from '../upstream/verified-serp.ts';

const providerName = 'brightdata';
const tokenVariable = secretVariable('BRIGHTDATA_API_TOKEN', 'the API token');
const zoneVariable = {
  ...secretVariable('BRIGHTDATA_ZONE', 'the name of a SERP zone', 'serp_api1'),
  isSecret: false,
};
const addressVariable = proxyUrlVariable(
  'BRIGHTDATA_BASE_URL',
  'https://brightdata-proxy.example.com',
  'https://api.brightdata.com',
);

/** Documented error codes with the pause in seconds (docs.brightdata.com errorCatalog, read November 2026). */
const kindsByCode: Record<
  string,
  { kind: ProviderErrorKind; seconds: number | null; isOfQueryOnly?: boolean }
> = {
  sr_rate_limit: { kind: 'rate_limit', seconds: null },
  bucket_rate_limit: { kind: 'rate_limit', seconds: null },
  failed_query_rejected: { kind: 'rate_limit', seconds: 15, isOfQueryOnly: true },
  repeat_query_rejected: { kind: 'rate_limit', seconds: 15, isOfQueryOnly: true },
  client_10110: { kind: 'rate_limit', seconds: null },
  unexpected_q: { kind: 'rewritten', seconds: 15 },
  verifying: { kind: 'blocked', seconds: 15 },
};
/** Kinds by status. Unlike the 403 of other APIs, a 403 is Google's refusal and says nothing about our account. */
const kindsByStatus: Record<number, ProviderErrorKind> = { 403: 'blocked', 407: 'auth', 503: 'blocked' };

const typesByMember = {
  featured_snippets: 'featured_snippet',
  people_also_ask: 'people_also_ask',
  snack_pack: 'local_pack',
  knowledge: 'knowledge_panel',
  images: 'images',
  videos: 'videos',
  news: 'news',
  perspectives: 'discussions',
  top_ads: 'ads_top',
  bottom_ads: 'ads_bottom',
} as const;

type GetHeader = (name: string) => string | null;

/**
 * Bright Data's SERP API. A zone fetches a URL of Google and returns parsed results or Google's page.
 *
 * Throws `ProviderError`. Source: docs.brightdata.com products/serp-api, read November 2026.
 */
export const brightData: ProviderSource = {
  name: providerName,
  variables: [tokenVariable, zoneVariable, addressVariable],
  create,
};

function create(env: Environment, timeoutMs: number): SerpProvider {
  const headers = { authorization: `Bearer ${readVariable(tokenVariable, env)}` };
  const zone = readVariable(zoneVariable, env);
  const url = joinUrl(readVariable(addressVariable, env), 'request');
  return {
    name: providerName,
    supports: supportsAll,
    async search(request) {
      // Only the JSON envelope is sure to contain status and error headers of the fetch.
      const body = { zone, url: toGoogleUrl(request), format: 'json' };
      const reply = await sendRequest({ provider: providerName, url, headers, body, timeoutMs });
      const error = toStatusError(reply, providerName);
      const getHeader: GetHeader = (name) => reply.headers.get(name);
      if (error !== null || hasCode(getHeader))
        throw explain(reply.status, error?.kind ?? 'upstream', getHeader, reply.text);
      return readBrightDataReply(reply.text, request);
    },
  };
}

/**
 * Reads an answer to `POST /request`. The answer is the envelope with the status of the fetch, parsed JSON (full or
 * light), or Google's page if the zone does not parse it. Throws `ProviderError`.
 */
export function readBrightDataReply(text: string, asked: AskedPage = {}): Serp {
  if (!isJson(text)) return readGoogleHtml(text, providerName, asked);
  const reply = toRecord(parseJson(text, providerName));
  return 'status_code' in reply ? readEnvelope(reply, asked) : readBrightData(reply, asked);
}

function readEnvelope(envelope: Record<string, unknown>, asked: AskedPage): Serp {
  const headers = new Map(
    Object.entries(toRecord(envelope.headers)).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const getHeader: GetHeader = (name) => (headers.has(name) ? String(headers.get(name)) : null);
  const body = toText(envelope.body) ?? JSON.stringify(envelope.body ?? null);
  const status = Number(envelope.status_code);
  if (status !== 200 || hasCode(getHeader))
    throw explain(status, toErrorKind(status, getHeader), getHeader, body);
  rejectErrorReply(providerName, { ...envelope, status_code: undefined });
  if (!isJson(body)) return readGoogleHtml(body, providerName, asked);
  return readBrightData(parseJson(body, providerName), asked);
}

function hasCode(getHeader: GetHeader): boolean {
  return getHeader('x-brd-error-code') !== null || getHeader('x-brd-err-code') !== null;
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function toErrorKind(status: number, getHeader: GetHeader): ProviderErrorKind {
  if (status === 429 || /\/sorry\//.test(getHeader('location') ?? '')) return 'blocked';
  return status >= 400 && status < 500 ? 'bad_request' : 'upstream';
}

/** Reads parsed results in full or light JSON. Both forms name the query. Throws `ProviderError`. */
function readBrightData(body: unknown, { query, page: number = 1, wants = [] }: AskedPage): Serp {
  const page = toRecord(body);
  const general = toRecord(page.general);
  rejectErrorReply(providerName, page, general, toRecord(page.input));
  const named = toText(general.query);
  const original = URL.parse(toText(toRecord(page.input).original_url) ?? '')?.searchParams.get('q');
  const serp = toVerifiedSerp({
    provider: providerName,
    asked: query,
    engine: general.search_engine,
    echoes: original === undefined || original === null ? [named] : [named, original],
    notice: findNotice(toRecord(page.spelling), named, toText(general.detected_query)),
    linking: [page],
    doubt: findUnknownMember(page, 'timestamp', 'url', 'keyword') ?? findNextPage(page, number),
    saysNoResults: named !== null && saysNone(page.organic, general.results_cnt),
    entries: toEntries(page.organic),
    key: 'link',
    featuredSnippetUrl: toText(toRecords(page.featured_snippets)?.[0]?.link),
  });
  return addParts(serp, wants, () => readParts(page, wants));
}

/** Returns no blocks for light JSON, which contains only organic results. */
function readParts(page: Record<string, unknown>, wants: readonly SerpPart[]): PageParts {
  if (toText(toRecord(page.general).search_engine) === null)
    return { visible: [], blocks: [], overview: overviewUnknown };
  const organic = toRecords(page.organic) ?? [];
  const siteLinks = organic.flatMap(({ extensions }) =>
    (toRecords(extensions) ?? []).filter(({ type }) => type === 'site_link'),
  );
  const ranked = Object.entries(typesByMember).map(([name, type]) => {
    const content = page[name];
    const [first] = toRecords(content) ?? [];
    return { type, content, rank: toRank(first ?? toRecord(content)) };
  });
  const blocks: Block[] = [...ranked, { type: 'sitelinks', content: siteLinks }];
  return {
    visible: [...Object.values(typesByMember), 'sitelinks'],
    blocks,
    organicRanks: organic.map(toRank).filter((rank) => rank !== null),
    overview: findOverview(page.ai_overview, wants),
  };
}

function toRank({ global_rank: rank }: Record<string, unknown>): number | null {
  return Number.isInteger(rank) ? Number(rank) : null;
}

/**
 * Without the parameter `brd_ai_overview`, the reply contains only some overviews, so a missing overview is unknown.
 */
function findOverview(content: unknown, wants: readonly SerpPart[]): SerpOverview {
  if (content === undefined) return wants.includes('ai_overview') ? overviewNotShown : overviewUnknown;
  const { references, source_links: links } = toRecord(content);
  const entries = toRecords(hasContent(references) ? references : links) ?? [];
  const sources = entries.map((entry) => ({ ...entry, title: withoutTabNote(toText(entry.title)) }));
  return readOverview(content, sources);
}

/** Removes Google's note for screen readers from the title of a source. */
function withoutTabNote(title: string | null): string {
  return (title ?? '').replace(/[.,\s]*Opens in new tab\.?\s*$/i, '');
}

function findNotice(
  spelling: Record<string, unknown>,
  query: string | null,
  detected: string | null,
): Notice | null {
  if (spelling.original_empty === true) return 'nothing-matches';
  const isOther = query !== null && detected !== null && !isSameQuery(query, detected);
  return isOther ? 'other-query' : null;
}

/** Returns a sign of a next page; null at the end of the results. Light JSON omits the current page from its list. */
function findNextPage({ pagination }: Record<string, unknown>, number: number): string | null {
  const { pages, current_page: current, ...ways } = toRecord(pagination);
  const way = ['next_page', 'next_page_link', 'next_page_start'].find((one) => hasContent(ways[one]));
  const listed = toEntries(pages)?.map(({ page }) => page) ?? [];
  return way ?? (hasLaterPage(listed, Math.max(Number(current) || 0, number)) ? 'pages' : null);
}

/**
 * Returns whether the reply says that there are no results: an empty list without a contradicting count, or a missing
 * list with the count 0.
 */
function saysNone(organic: unknown, count: unknown): boolean {
  const isCountZero = count === 0 || count === '0';
  if (organic === undefined || organic === null) return isCountZero;
  const isUncounted = count === undefined || count === null;
  return Array.isArray(organic) && organic.length === 0 && (isUncounted || isCountZero);
}

function toGoogleUrl(request: SerpRequest): string {
  const parameters = toGoogleParameters(request);
  if (request.device === 'mobile') parameters.set('brd_mobile', '1');
  parameters.set('brd_json', '1');
  if (request.wants?.includes('ai_overview')) parameters.set('brd_ai_overview', '2');
  return `https://www.google.com/search?${parameters}`;
}

// The error code is in one of two headers, or within the text of another header or the body.
function explain(
  status: number,
  fallback: ProviderErrorKind,
  getHeader: GetHeader,
  text: string,
): ProviderError {
  const names = ['x-brd-error-code', 'x-brd-err-code', 'x-brd-error', 'x-brd-err-msg', 'proxy-status'];
  const reply = [...names.map(getHeader), text.slice(0, 500)].join(' ');
  const code = Object.keys(kindsByCode).find((one) => reply.includes(one)) ?? '';
  const known = kindsByCode[code];
  const kind = known?.kind ?? kindsByStatus[status] ?? fallback;
  const periodMs = getHeader('x-brd-rate-limit-period-ms');
  const seconds = getHeader('retry-after') ?? (periodMs === null ? null : Math.ceil(Number(periodMs) / 1000));
  const retryAfterSeconds = known?.seconds ?? (seconds === null ? null : Number(seconds) || null);
  return new ProviderError(providerName, kind, `status ${status}${code && `, ${code}`}`, {
    retryAfterSeconds,
    isOfQueryOnly: known?.isOfQueryOnly,
  });
}
