import type { Environment } from '../../../config/settings.ts';
import {
  type AskedPage,
  ProviderError,
  type ProviderErrorKind,
  type Serp,
  type SerpOverview,
  type SerpProvider,
  type SerpRequest,
  supportsAll,
} from '../serp.ts';
import { type ProviderSource, readVariable, serverUrlVariable } from '../source.ts';
import {
  addParts,
  type Block,
  overviewNotShown,
  overviewUnknown,
  type PageParts,
  readOverview,
} from '../upstream/features.ts';
import { findUnknownMember, hasContent, rejectErrorReply } from '../upstream/reply-errors.ts';
import { joinUrl, type ProviderReply, requestJson } from '../upstream/request.ts';
import { toEntries, toRecord, toRecords, toText } from '../upstream/shape.ts';
import { toVerifiedSerp } from '../upstream/verified-serp.ts';

const providerName = 'openserp';
const addressVariable = serverUrlVariable('OPENSERP_BASE_URL', 'http://127.0.0.1:7000');

/** Codes in error bodies (core/server.go, 2026). For other codes, the status decides. */
const kindsByWord = new Map<string, ProviderErrorKind>(
  Object.entries({
    bad_request: 'bad_request',
    blocked: 'blocked',
    captcha_detected: 'blocked',
    parser_failure: 'unreadable',
    search_timeout: 'timeout',
    request_timeout: 'timeout',
    proxy_timeout: 'timeout',
  } as const),
);

/**
 * An openserp server of the operator. It has no mobile results.
 *
 * Throws `ProviderError`. Source: karust/openserp docs/openapi.yaml and core/, 2026.
 */
export const openserp: ProviderSource = {
  name: providerName,
  variables: [addressVariable],
  create,
};

/** Block types by openserp's types (google/features.go and core/, 2026). Related searches are not a block here. */
const typesByName = new Map<string, Block['type']>(
  Object.entries({
    people_also_ask: 'people_also_ask',
    featured_snippet: 'featured_snippet',
    knowledge_panel: 'knowledge_panel',
    local_pack: 'local_pack',
    local: 'local_pack',
    video: 'videos',
    videos: 'videos',
    image: 'images',
    images: 'images',
    news: 'news',
  } as const),
);
/** Minimum confidence of openserp in an overview that it has recognised by the layout of the page. */
const confidenceMin = 0.75;

function create(env: Environment, timeoutMs: number): SerpProvider {
  const baseUrl = readVariable(addressVariable, env);
  return {
    name: providerName,
    supports: {
      ...supportsAll,
      mobile: false,
      // If Google has another name for the city, openserp silently searches from the whole country. Only in the United
      // States do Google's names have the same form as our names.
      locations: new Set(['US']),
    },
    async search(request) {
      const url = joinUrl(baseUrl, 'google/search');
      url.search = toParameters(request).toString();
      const answer = await requestJson({ provider: providerName, url, timeoutMs }, explain);
      return readOpenserp(answer, request);
    },
  };
}

/** Reads an answer of the server. Its results include ads. Throws `ProviderError`. */
export function readOpenserp(body: unknown, { query, wants = [] }: AskedPage = {}): Serp {
  const answer = toRecord(body);
  const { engines_failed: failed, engine_errors: errors, ...meta } = toRecord(answer.meta);
  if (hasContent(failed) || hasContent(errors)) {
    throw new ProviderError(providerName, 'upstream', 'the Google engine failed');
  }
  rejectErrorReply(providerName, answer, meta, toRecord(answer.query));
  const results = toEntries(answer.results);
  const organic = results?.filter(isOrganic) ?? [];
  const { text } = toRecord(answer.query);
  const serp = toVerifiedSerp({
    provider: providerName,
    asked: query,
    echoes: [toText(text)],
    notice: null,
    linking: [answer, toRecord(answer.query)],
    doubt: findUnknownMember(answer) ?? (toRecord(answer.pagination).has_more === true ? 'has_more' : null),
    saysNoResults: results?.length === 0,
    entries: results && organic.sort(byRank),
    key: 'url',
    featuredSnippetUrl: findSnippetUrl(answer),
  });
  return addParts({ ...serp, urlSpelling: 'sorted' }, wants, () => readParts(answer));
}

/** The raw mode of openserp reports no blocks. */
function readParts({ serp_features: all }: Record<string, unknown>): PageParts {
  const features = toRecords(all) ?? [];
  const blocks = features.flatMap(({ type, links, items, url }) => {
    const known = typesByName.get(toText(type) ?? '');
    return known ? [{ type: known, content: [links, items, { url }] }] : [];
  });
  const overview = all === undefined ? overviewUnknown : findOverview(features);
  return { visible: all === undefined ? [] : ['people_also_ask'], blocks, overview };
}

function findOverview(features: Record<string, unknown>[]): SerpOverview {
  const summary = features.find(({ type }) => type === 'ai_summary');
  if (summary === undefined) return overviewNotShown;
  const { text, links, confidence } = summary;
  if (!(Number(confidence) >= confidenceMin)) return overviewUnknown;
  const references = Array.isArray(links) ? links.map((link) => (toText(link) ? { url: link } : link)) : [];
  return readOverview({ text }, references);
}

/** Returns whether an entry is, or may be, an organic result of Google. */
function isOrganic({ type, engine }: Record<string, unknown>): boolean {
  return matchesOrMissing(type, /organic/i) && matchesOrMissing(engine, /google/i);
}

function matchesOrMissing(value: unknown, wanted: RegExp): boolean {
  return typeof value !== 'string' || wanted.test(value);
}

function toParameters(request: SerpRequest): URLSearchParams {
  return new URLSearchParams({
    text: request.query,
    // The name of a city takes the place of the country (core/region/region.go).
    region: request.location?.name ?? request.country,
    lang: request.language.length === 2 ? request.language.toUpperCase() : request.language,
    limit: '10',
    start: String((request.page - 1) * 10),
    // True hides similar results, which is Google's default.
    filter: String(!request.isUnfiltered),
    format: 'json',
    ...(request.wants ? { features: 'true' } : {}),
  });
}

function byRank(one: Record<string, unknown>, other: Record<string, unknown>): number {
  return Number(one.rank ?? 0) - Number(other.rank ?? 0);
}

function findSnippetUrl(answer: Record<string, unknown>): string | null {
  const features = toRecords(answer.serp_features) ?? [];
  return toText(features.find((feature) => feature.type === 'featured_snippet')?.url);
}

// A captcha has status 429 or 503, depending on the version.
function explain(error: ProviderError, reply: ProviderReply): ProviderError {
  let word: string | null = null;
  try {
    word = toText(toRecord(JSON.parse(reply.text)).error);
  } catch {
    return error;
  }
  const kind = kindsByWord.get(word ?? '');
  if (kind === undefined) return error;
  return new ProviderError(providerName, kind, `${word} (status ${reply.status})`, {
    retryAfterSeconds: error.retryAfterSeconds,
  });
}
