import type { Environment } from '../../../config/settings.ts';
import { toGoogleParameters } from '../google/search-url.ts';
import {
  type AskedPage,
  ProviderError,
  type Serp,
  type SerpOverview,
  type SerpProvider,
  type SerpRequest,
  supportsAll,
} from '../serp.ts';
import { type ProviderSource, proxyUrlVariable, readVariable, secretVariable } from '../source.ts';
import {
  addParts,
  type Block,
  overviewNotShown,
  overviewUnread,
  type PageParts,
  readOverview,
  toBlocks,
} from '../upstream/features.ts';
import {
  findContradictingCount,
  findUnknownMember,
  hasContent,
  hasLaterPage,
  rejectErrorReply,
} from '../upstream/reply-errors.ts';
import { joinUrl, type ProviderReply, requestJson } from '../upstream/request.ts';
import { isSameQuery, toEntries, toRecord, toRecords, toText } from '../upstream/shape.ts';
import { type Notice, toVerifiedSerp } from '../upstream/verified-serp.ts';

const providerName = 'serpapi';
const keyVariable = secretVariable('SERPAPI_API_KEY', 'the key of the account');
const addressVariable = proxyUrlVariable(
  'SERPAPI_BASE_URL',
  'https://serpapi-proxy.example.com',
  'https://serpapi.com',
);

/**
 * SerpApi's Google engine.
 *
 * Throws `ProviderError`. Source: serpapi.com api-status-and-error-codes, organic-results, blog (changelog of March
 * 2026), read November 2026.
 */
export const serpApi: ProviderSource = {
  name: providerName,
  variables: [keyVariable, addressVariable],
  create,
};

const typesByMember = {
  related_questions: 'people_also_ask',
  local_results: 'local_pack',
  knowledge_graph: 'knowledge_panel',
  inline_images: 'images',
  inline_videos: 'videos',
  top_stories: 'news',
  shopping_results: 'shopping',
  discussions_and_forums: 'discussions',
} as const;
const visibleTypes = [
  ...Object.values(typesByMember),
  ...(['featured_snippet', 'sitelinks', 'ads_top', 'ads_bottom'] as const),
];

function create(env: Environment, timeoutMs: number): SerpProvider {
  const [apiKey, baseUrl] = [readVariable(keyVariable, env), readVariable(addressVariable, env)];
  const get = (parameters: URLSearchParams) => {
    const url = joinUrl(baseUrl, 'search.json');
    parameters.set('api_key', apiKey);
    url.search = parameters.toString();
    return requestJson({ provider: providerName, url, timeoutMs }, explain);
  };
  return {
    name: providerName,
    supports: supportsAll,
    async search(request) {
      return readSerpApi(await get(toParameters(request)), request);
    },
    /** The token works only once, and only within one minute after the search. */
    async readOverview(token) {
      const parameters = new URLSearchParams({ engine: 'google_ai_overview', page_token: token });
      const { ai_overview: overview } = toRecord(await get(parameters));
      return readSerpApiOverview(toRecord(overview));
    },
  };
}

/**
 * Reads a search. A successful search without results also has an `error`. Throws `ProviderError` (rewritten,
 * unreadable, upstream).
 */
export function readSerpApi(body: unknown, { query, page = 1, wants = [] }: AskedPage = {}): Serp {
  const search = toRecord(body);
  const { status } = toRecord(search.search_metadata);
  if (status !== 'Success')
    throw new ProviderError(providerName, 'upstream', `the search is in state ${toText(status)}`);
  const { error, ...rest } = search;
  const isSentence = /hasn.t returned any results/.test(toText(error) ?? '');
  const { search_metadata: metadata, search_parameters: parameters } = search;
  const information = toRecord(search.search_information);
  rejectErrorReply(
    providerName,
    isSentence ? rest : search,
    toRecord(metadata),
    toRecord(parameters),
    information,
  );
  const { q, engine } = toRecord(parameters);
  const state = toText(information.organic_results_state) ?? '';
  const serp = toVerifiedSerp({
    provider: providerName,
    asked: query,
    engine,
    echoes: [toText(q)],
    notice: findNotice(state, information, query ?? toText(q)),
    linking: [search, toRecord(metadata)],
    doubt:
      findUnknownMember(rest) ??
      findNextPage(search, page) ??
      findContradictingCount(information.total_results, page),
    saysNoResults: isSentence || state === 'Fully empty',
    entries: toEntries(search.organic_results),
    key: 'link',
    featuredSnippetUrl: findSnippetUrl(search),
  });
  return addParts(serp, wants, () => readParts(search));
}

function readParts(search: Record<string, unknown>): PageParts {
  const ads = toRecords(search.ads) ?? [];
  const isAtBottom = (ad: Record<string, unknown>) => ad.block_position === 'bottom';
  const blocks: Block[] = [
    ...toBlocks(search, typesByMember),
    { type: findSnippetUrl(search) === null ? 'other' : 'featured_snippet', content: search.answer_box },
    { type: 'sitelinks', content: toRecords(search.organic_results)?.flatMap((one) => one.sitelinks ?? []) },
    { type: 'ads_top', content: ads.filter((ad) => !isAtBottom(ad)) },
    { type: 'ads_bottom', content: ads.filter(isAtBottom) },
  ];
  const { ai_overview: overview } = search;
  return {
    visible: visibleTypes,
    blocks,
    overview: overview === undefined ? overviewNotShown : readSerpApiOverview(toRecord(overview)),
  };
}

/** An overview that Google loads later has only a token. */
function readSerpApiOverview(overview: Record<string, unknown>): SerpOverview {
  const { page_token: token, references, text_blocks: blocks, error } = overview;
  if (hasContent(error)) return overviewUnread;
  if (!hasContent(references) && toText(token)) return { ...overviewUnread, token: String(token) };
  return readOverview(blocks, references);
}

/**
 * Finds Google's notice in the state of the results. "Empty showing …" and "… without quotes" mean no results for the
 * original words. "Fixed" means that the results include results for other words.
 */
function findNotice(
  state: string,
  information: Record<string, unknown>,
  asked: string | null,
): Notice | null {
  if (/^Empty showing|without quotes/i.test(state)) return 'nothing-matches';
  const displayed = toText(information.query_displayed);
  const isOther = asked !== null && displayed !== null && !isSameQuery(asked, displayed);
  const isReplaced =
    /fixed spelling|spelling fix|fixed typo/i.test(state) || 'showing_results_for' in information;
  return isReplaced || isOther ? 'other-query' : null;
}

/** Returns a sign of a next page; null at the end of the results. */
function findNextPage(
  { pagination, serpapi_pagination: own }: Record<string, unknown>,
  number: number,
): string | null {
  const hasNextPage = ({ next, next_link: link, current, other_pages: others }: Record<string, unknown>) => {
    // SerpApi gives later pages the number 1 (serpapi/public-roadmap 4325). The links contain their real numbers.
    const last = Math.max(Number(current) || 0, number);
    const listed = Object.entries(toRecord(others)).map(([page, to]) => parsePageNumber(to) ?? page);
    const onward = [next, link].filter(hasContent).map((to) => parsePageNumber(to) ?? last + 1);
    return hasLaterPage([...listed, ...onward], last);
  };
  return [pagination, own].map(toRecord).some(hasNextPage) ? 'next' : null;
}

/** Returns the page number in a link, from 1; null if the link has no page number. */
function parsePageNumber(link: unknown): number | null {
  const start = /[?&]start=(\d+)/.exec(toText(link) ?? '')?.[1];
  return start === undefined ? null : Math.floor(Number(start) / 10) + 1;
}

function toParameters(request: SerpRequest): URLSearchParams {
  const parameters = toGoogleParameters(request);
  // SerpApi does not support `pws`, because its searches are never personalised.
  parameters.delete('pws');
  parameters.delete('uule');
  if (request.location) {
    // The location is sent as coordinates. The parameter `location` rejects names that are not in Google's list.
    parameters.set('lat', String(request.location.latitude));
    parameters.set('lon', String(request.location.longitude));
  }
  parameters.set('engine', 'google');
  parameters.set('device', request.device);
  parameters.set('gl', request.country === 'GB' ? 'uk' : request.country.toLowerCase());
  parameters.set('hl', request.language.toLowerCase());
  return parameters;
}

function findSnippetUrl(search: Record<string, unknown>): string | null {
  const box = toRecord(search.answer_box);
  return box.type === 'organic_result' ? toText(box.link) : null;
}

// 429 means too many requests, or an account without searches left. Only the message distinguishes both cases.
function explain(error: ProviderError, reply: ProviderReply): ProviderError {
  if (error.kind !== 'rate_limit' || !/run out of searches|searches left|monthly/i.test(reply.text))
    return error;
  return new ProviderError(providerName, 'quota', 'no searches left on this account');
}
