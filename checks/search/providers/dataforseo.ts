import type { Environment } from '../../../config/settings.ts';
import { countryNumber } from '../google/locales.ts';
import { toResults } from '../google/url.ts';
import {
  type AskedPage,
  type PageRange,
  ProviderError,
  type ProviderErrorKind,
  type SerpOverview,
  type SerpPart,
  type SerpProvider,
  type SerpQuery,
  supportsAll,
} from '../serp.ts';
import { type ProviderSource, proxyUrlVariable, readVariable, secretVariable } from '../source.ts';
import type { RankTarget } from '../target.ts';
import { type CrawlReading, toCrawl } from '../upstream/crawl.ts';
import {
  addParts,
  type Block,
  overviewNotShown,
  overviewUnknown,
  overviewUnread,
  type PageParts,
  readOverview,
} from '../upstream/features.ts';
import {
  findContradictingCount,
  findUnknownMember,
  hasContent,
  rejectErrorReply,
} from '../upstream/reply-errors.ts';
import { joinUrl, parseJson, sendRequest, toStatusError } from '../upstream/request.ts';
import { toEntries, toRecord, toRecords, toText } from '../upstream/shape.ts';
import { type Notice, toVerifiedSerp } from '../upstream/verified-serp.ts';

const providerName = 'dataforseo';
const loginVariable = {
  ...secretVariable('DATAFORSEO_LOGIN', 'the login of the account', 'ann@example.com'),
  isSecret: false,
};
const passwordVariable = secretVariable('DATAFORSEO_PASSWORD', 'the API password');
const addressVariable = proxyUrlVariable(
  'DATAFORSEO_BASE_URL',
  'https://dataforseo-proxy.example.com',
  'https://api.dataforseo.com',
);
const keywordCharsMax = 700;
const codeOk = 20000;
const codeNoResults = 40102;

/** Source: docs.dataforseo.com/v3/appendix/errors, read November 2026. For other codes, the first digit decides. */
const kindsByCode: Record<number, ProviderErrorKind> = {
  20100: 'upstream',
  40100: 'auth',
  40101: 'upstream',
  40103: 'upstream',
  40104: 'auth',
  40200: 'quota',
  40202: 'rate_limit',
  40203: 'quota',
  40204: 'auth',
  40205: 'rate_limit',
  40206: 'rate_limit',
  40207: 'auth',
  40209: 'rate_limit',
  40210: 'quota',
  40601: 'upstream',
  40602: 'upstream',
  50401: 'timeout',
  50402: 'timeout',
};

/** Types of blocks by DataForSEO's item types. Items of other types become `other`. `ignoredTypes` are not blocks. */
const typesByItem = new Map<string, Block['type']>(
  Object.entries({
    featured_snippet: 'featured_snippet',
    people_also_ask: 'people_also_ask',
    local_pack: 'local_pack',
    knowledge_graph: 'knowledge_panel',
    images: 'images',
    video: 'videos',
    top_stories: 'news',
    shopping: 'shopping',
    popular_products: 'shopping',
    commercial_units: 'shopping',
    discussions_and_forums: 'discussions',
    perspectives: 'discussions',
  } as const),
);
const ignoredTypes = new Set(['organic', 'paid', 'ai_overview', 'related_searches', 'people_also_search']);
const visibleTypes = [
  ...new Set(typesByItem.values()),
  ...(['sitelinks', 'ads_top', 'ads_bottom', 'other'] as const),
];

/**
 * DataForSEO's live Google organic results. DataForSEO crawls from the first page to the last or to a match, and
 * charges for each page. `site:` costs five times the price.
 *
 * Throws `ProviderError`; unsupported for a query over 700 characters. Source: docs.dataforseo.com
 * v3/serp/google/organic/live/regular and live/advanced, read November 2026.
 */
export const dataForSeo: ProviderSource = {
  name: providerName,
  variables: [loginVariable, passwordVariable, addressVariable],
  create,
};

function create(env: Environment, timeoutMs: number): SerpProvider {
  const credentials = `${readVariable(loginVariable, env)}:${readVariable(passwordVariable, env)}`;
  const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  const baseUrl = readVariable(addressVariable, env);
  return {
    name: providerName,
    supports: supportsAll,
    async crawl(query, range) {
      const body = [toTask(query, range)];
      // Only the advanced form reports blocks other than snippets and ads.
      const form = query.wants ? 'advanced' : 'regular';
      const url = joinUrl(baseUrl, `v3/serp/google/organic/live/${form}`);
      const reply = await sendRequest({ provider: providerName, url, headers, body, timeoutMs });
      const error = toStatusError(reply, providerName);
      // Errors of the account have a status and a code in the body. A failing gateway sends no JSON.
      if (error !== null && !reply.text.trimStart().startsWith('{')) throw error;
      const reading = readDataForSeo(parseJson(reply.text, providerName), query);
      if (error !== null) throw error;
      return toCrawl(reading, range);
    },
  };
}

/**
 * Reads the answer to one live task. Checks the codes of the answer and of the task, because the code of the answer may
 * be 20000 although the task failed. Throws `ProviderError`.
 */
export function readDataForSeo(body: unknown, { query, wants = [] }: AskedPage = {}): CrawlReading {
  const answer = toRecord(body);
  const task = toRecords(answer.tasks)?.[0];
  const parts = [answer, ...(task === undefined ? [] : [task])];
  const failed = parts.find(({ status_code: code }) => code !== codeOk && code !== codeNoResults);
  if (failed) throw toError(Number(failed.status_code));
  const result = toRecord(toRecords(task?.result)?.[0]);
  rejectErrorReply(
    providerName,
    ...parts.map((part) => ({ ...part, status_code: undefined })),
    result,
    toRecord(task?.data),
  );
  const items = toEntries(result.items);
  // Keeps items without a type and items with unknown organic types, because the wanted result may be among them.
  const organic = sortByRank(
    items?.filter(({ type }) => typeof type !== 'string' || /organic/i.test(type)) ?? [],
  );
  const snippet = items?.find((item) => item.type === 'featured_snippet');
  const isEmpty = 'items' in result && (items === null || items.length === 0);
  const isNone = parts.some(({ status_code: code }) => code === codeNoResults);
  const serp = toVerifiedSerp({
    provider: providerName,
    asked: query,
    echoes: [findQuery(result, toRecord(task?.data), query)],
    notice: toNotice(toText(toRecord(result.spell).type)),
    linking: [result],
    doubt:
      findUnknownMember(answer, ...envelopeMembers) ??
      findUnknownMember(task ?? {}, ...envelopeMembers) ??
      findContradictingCount(result.se_results_count, 1),
    saysNoResults: isNone || (isEmpty && result.se_results_count === 0),
    entries: organic,
    key: 'url',
    featuredSnippetUrl: toText(snippet?.url),
  });
  const read = serp.results.length === 0 ? [] : organic.filter((item) => toResults([item], 'url').length > 0);
  return {
    ...addParts(serp, wants, () => readParts(items ?? [], wants)),
    pageNumbers: read.map(({ page }) => toCount(page)),
    pagesCount: toCount(result.pages_count),
    resultsCount: toCount(result.se_results_count),
  };
}

function readParts(items: Record<string, unknown>[], wants: readonly SerpPart[]): PageParts {
  const first = items.filter(({ page }) => (toCount(page) ?? 1) === 1);
  const organic = first.filter(({ type }) => type === 'organic');
  const organicRanks = organic.map(toRank).filter((rank) => rank !== null);
  const topRank = Math.min(...organicRanks);
  const blocks = first.flatMap((item): Block[] => {
    const type = toText(item.type) ?? '';
    const rank = toRank(item);
    if (type === 'paid')
      return [{ type: (rank ?? 0) < topRank ? 'ads_top' : 'ads_bottom', rank, content: item }];
    return ignoredTypes.has(type) ? [] : [{ type: typesByItem.get(type) ?? 'other', rank, content: item }];
  });
  const siteLinks = organic.flatMap(({ links }) => toRecords(links) ?? []);
  const overview = first.find(({ type }) => type === 'ai_overview');
  return {
    visible: visibleTypes,
    blocks: [...blocks, { type: 'sitelinks', content: siteLinks }],
    organicRanks,
    overview: findOverview(overview, wants),
    overviewRank: overview ? toRank(overview) : null,
  };
}

function toRank({ rank_absolute: rank }: Record<string, unknown>): number | null {
  return toCount(rank);
}

/**
 * Judges an overview by its contents, because `asynchronous_ai_overview` stays true after the contents were loaded.
 * Without the parameter `load_async_ai_overview`, it is unknown whether a missing overview was shown.
 */
function findOverview(item: Record<string, unknown> | undefined, wants: readonly SerpPart[]): SerpOverview {
  if (item === undefined) return wants.includes('ai_overview') ? overviewNotShown : overviewUnknown;
  const { items, markdown, references } = item;
  if (!hasContent(items) && !hasContent(markdown) && !hasContent(references)) return overviewUnread;
  return readOverview(hasContent(items) ? { items } : { text: markdown }, references);
}

/**
 * Members of an answer and of a task. Source: docs.dataforseo.com v3/serp/google/organic/live/regular, November 2026.
 */
const envelopeMembers =
  'id version status_code status_message time cost tasks_count tasks_error path result_count'.split(' ');

/** Returns the query of the answer. A task without a result contains the keyword as it was sent. */
function findQuery(
  result: Record<string, unknown>,
  data: Record<string, unknown>,
  asked: string | undefined,
): string | null {
  const sent = toText(data.keyword);
  return toText(result.keyword) ?? (asked !== undefined && sent === toKeyword(asked) ? asked : sent);
}

function toNotice(spelling: string | null): Notice | null {
  if (spelling === 'no_results_found_for') return 'nothing-matches';
  const isOther = spelling === 'showing_results_for' || spelling === 'including_results_for';
  return isOther ? 'other-query' : null;
}

/** Sorts items by rank if each rank occurs once. Ranks have gaps, so only their order is used. */
function sortByRank(items: Record<string, unknown>[]): Record<string, unknown>[] {
  const key = ['rank_absolute', 'rank_group'].find((one) => {
    const ranks = items.map((item) => toCount(item[one]));
    return !ranks.includes(null) && new Set(ranks).size === ranks.length;
  });
  return key === undefined ? items : items.toSorted((one, other) => Number(one[key]) - Number(other[key]));
}

function toCount(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : null;
}

/** Escapes "%" and "+", because DataForSEO decodes the keyword. */
function toKeyword(query: string): string {
  return query.replaceAll('%', '%25').replaceAll('+', '%2B');
}

function toTask(query: SerpQuery, { from, to, stopAt }: PageRange): Record<string, unknown> {
  const keyword = toKeyword(query.query);
  if (keyword.length > keywordCharsMax) {
    throw new ProviderError(providerName, 'unsupported', `the query is over ${keywordCharsMax} characters`);
  }
  return {
    keyword,
    ...toPlace(query),
    language_code: languageCodes[query.language] ?? query.language,
    device: query.device,
    os: query.device === 'mobile' ? 'android' : 'windows',
    ...(query.wants?.includes('ai_overview') ? { load_async_ai_overview: true } : {}),
    max_crawl_pages: to,
    // High enough that only the number of pages limits the crawl, even if pages have more than ten results.
    depth: to * 20,
    // By default, the further results of a site are hidden below its first result.
    group_organic_results: false,
    // A match before the range must not end the crawl.
    ...(from === 1 ? stopAtMatch(stopAt) : {}),
    ...(query.isUnfiltered ? { search_param: 'filter=0&safe=off&pws=0&nfpr=1' } : {}),
  };
}

/**
 * Codes that differ from Google's. DataForSEO does not know some languages with a region, so these map to the language
 * alone or to another region.
 */
const languageCodes: Record<string, string> = {
  iw: 'he',
  'en-AU': 'en',
  'en-GB': 'en',
  'fr-CA': 'fr',
  'zh-HK': 'zh-TW',
};

/** The smallest radius that is allowed. */
const radius = 200;

function toPlace({ location, country }: SerpQuery): object {
  if (!location) return { location_code: 2000 + countryNumber(country) };
  const { latitude, longitude } = location;
  return { location_coordinate: [latitude, longitude, radius].join() };
}

/** Returns the parameters that end the crawl at a host. Pages and paths are not supported, because spellings vary. */
function stopAtMatch(stopAt: RankTarget | null): object {
  if (stopAt === null || !/^[\w.-]+$/.test(stopAt.host)) return {};
  const stop = (match_type: string, ...hosts: string[]) => ({
    stop_crawl_on_match: hosts.map((match_value) => ({ match_value, match_type })),
    find_targets_in: ['organic'],
  });
  if (stopAt.match === 'site') return stop('with_subdomains', stopAt.host);
  if (stopAt.match === 'host') return stop('domain', stopAt.host, `www.${stopAt.host}`);
  return {};
}

function toError(code: number): ProviderError {
  if (!Number.isInteger(code))
    return new ProviderError(providerName, 'unreadable', 'not an answer of DataForSEO');
  return new ProviderError(
    providerName,
    kindsByCode[code] ?? (code < 50000 ? 'bad_request' : 'upstream'),
    `code ${code}`,
  );
}
