import { brightData } from '../../checks/search/providers/brightdata.ts';
import { dataForSeo } from '../../checks/search/providers/dataforseo.ts';
import { openserp } from '../../checks/search/providers/openserp.ts';
import { searxng } from '../../checks/search/providers/searxng.ts';
import { serpApi } from '../../checks/search/providers/serpapi.ts';
import { serper } from '../../checks/search/providers/serper.ts';
import type { SerpProvider } from '../../checks/search/serp.ts';
import type { ProviderSource } from '../../checks/search/source.ts';
import { pageWith } from './google-pages.ts';
import type { Answer } from './provider.ts';

type Body = Record<string, unknown>;

/** Replies in the format of one provider. */
export interface ProviderFormat {
  source: ProviderSource;
  env(baseUrl: string): Record<string, string>;
  /** A page of results. Without URLs: an empty page as documented. */
  reply(query: string | undefined, urls: string[]): Body;
  /** Replaces the entries of a reply. */
  withEntries(reply: Body, entries: unknown): Body;
  withError(reply: Body): Body;
  /** Google answered another query. Null when the format cannot express it. */
  rewritten(query: string, urls: string[]): Body | null;
  /** Google found nothing and shows other results. Null when the format cannot express it. */
  nothingMatched(query: string, urls: string[]): Body | null;
  /** Adds a count of all results. Null when the format has none. */
  counting(reply: Body, count: number | string | null): Body | null;
  /**
   * Adds links to the previous and next pages. Serper, SearXNG and openserp probably send no such links. Here, they
   * have the links of SerpApi.
   */
  withOtherPages(reply: Body, links: PageLinks): Body;
  /** The answer when Google asked for a captcha. */
  captcha: Answer;
}

/** Makes the provider of a format. */
export function makeProvider({ source, env }: ProviderFormat, baseUrl: string): SerpProvider {
  return source.create(env(baseUrl), 30_000);
}

/** Links to the other pages of a search. */
export interface PageLinks {
  /** The query in the links. */
  query: string;
  /** The page that has the links, from 1. */
  page: number;
  hasNext: boolean;
}

const linkTo = (query: string, page: number, base = 'https://www.google.com/search') =>
  `${base}?${new URLSearchParams({ q: query, hl: 'en', start: String((page - 1) * 10) })}`;

const withPagination = (reply: Body, { query, page, hasNext }: PageLinks, base?: string): Body => {
  const earlier = Array.from({ length: page - 1 }, (_, index) => index + 1);
  const others = hasNext ? [...earlier, page + 1] : earlier;
  const pagination = {
    current: page,
    ...(hasNext ? { next: linkTo(query, page + 1, base) } : {}),
    other_pages: Object.fromEntries(others.map((one) => [one, linkTo(query, one, base)])),
  };
  return { ...reply, pagination };
};

const address = (name: string) => (baseUrl: string) => ({ [name]: baseUrl });

const brightDataReply = (query: string | undefined, urls: string[]): Body => ({
  general: {
    search_engine: 'google',
    query,
    mobile: false,
    ...(urls.length > 0 ? { results_cnt: 120 } : {}),
  },
  organic: urls.map((link, index) => ({ link, title: link, rank: index + 1, global_rank: index + 2 })),
});

const serpApiReply = (query: string | undefined, urls: string[], state?: string): Body => ({
  search_metadata: { status: 'Success' },
  search_parameters: { engine: 'google', q: query },
  search_information: {
    organic_results_state: state ?? (urls.length > 0 ? 'Results for exact spelling' : 'Fully empty'),
    query_displayed: query,
  },
  ...(urls.length > 0
    ? { organic_results: urls.map((link, index) => ({ link, title: link, position: index + 1 })) }
    : { error: "Google hasn't returned any results for this query." }),
});

const task = (code: number, query: string | undefined, result: Body | null): Body => ({
  status_code: 20000,
  tasks: [
    {
      status_code: code,
      data: { se: 'google', keyword: query },
      result: result && [{ keyword: query, ...result }],
    },
  ],
});
export const dataForSeoItems = (urls: string[]) =>
  urls.map((url, index) => ({
    type: 'organic',
    rank_group: index + 1,
    rank_absolute: index + 3,
    url,
    title: url,
  }));
const dataForSeoReply = (query: string | undefined, urls: string[], spell: Body | null = null): Body =>
  urls.length === 0
    ? task(40102, query, null)
    : task(20000, query, { spell, se_results_count: 120, items: dataForSeoItems(urls) });

const openserpReply = (query: string | undefined, urls: string[]): Body => ({
  query: { text: query, engines_requested: ['google'] },
  meta: { engines_failed: [], engine_errors: [] },
  results: urls.map((url, index) => ({
    rank: index + 1,
    type: 'organic',
    url,
    title: url,
    engine: 'google',
  })),
});

const searxngReply = (query: string | undefined, urls: string[]): Body => ({
  query,
  results: urls.map((url, index) => ({ url, title: url, engines: ['google'], positions: [index + 1] })),
  corrections: [],
  unresponsive_engines: [],
});

const serperReply = (query: string | undefined, urls: string[]): Body => ({
  searchParameters: { q: query, engine: 'google' },
  organic: urls.map((link, index) => ({ link, title: link, position: index + 1 })),
});

/** The six providers, in their documented or recorded formats. */
export const providerFormats: ProviderFormat[] = [
  {
    source: brightData,
    env: (baseUrl) => ({ BRIGHTDATA_API_TOKEN: 't', BRIGHTDATA_ZONE: 'z', BRIGHTDATA_BASE_URL: baseUrl }),
    reply: brightDataReply,
    withEntries: (reply, organic) => ({ ...reply, organic }),
    withError: (reply) => ({ ...reply, error: 'parser failed' }),
    rewritten: (query, urls) => ({
      ...brightDataReply(query, urls),
      general: { query, detected_query: 'other words' },
    }),
    nothingMatched: (query, urls) => ({
      ...brightDataReply(query, urls),
      spelling: { original_empty: true },
    }),
    counting: (reply, results_cnt) => ({ ...reply, general: { ...(reply.general as Body), results_cnt } }),
    withOtherPages: (reply, { query, page, hasNext }) => {
      const others = Array.from({ length: page + Number(hasNext) }, (_, index) => index + 1);
      const pages = others.filter((one) => one !== page);
      return {
        ...reply,
        pagination: {
          current_page: page,
          pages: pages.map((one) => ({ page: one, start: (one - 1) * 10, link: linkTo(query, one) })),
        },
      };
    },
    captcha: {
      body: { status_code: 302, headers: { Location: 'https://www.google.com/sorry/index?q=x' }, body: '' },
    },
  },
  {
    source: serpApi,
    env: (baseUrl) => ({ SERPAPI_API_KEY: 'k', ...address('SERPAPI_BASE_URL')(baseUrl) }),
    reply: serpApiReply,
    withEntries: (reply, organic_results) => ({ ...reply, error: undefined, organic_results }),
    withError: (reply) => ({ ...reply, error: 'We could not get valid results for this search.' }),
    rewritten: (query, urls) =>
      serpApiReply(query, urls, 'Some results for exact spelling but showing fixed spelling'),
    nothingMatched: (query, urls) => serpApiReply(query, urls, 'Results without quotes'),
    counting: (reply, total_results) => ({
      ...reply,
      search_information: { ...(reply.search_information as Body), total_results },
    }),
    withOtherPages: (reply, links) => ({
      ...withPagination(reply, links),
      serpapi_pagination: withPagination({}, links, 'https://serpapi.com/search.json').pagination,
    }),
    captcha: {
      status: 503,
      body: { search_metadata: { status: 'Error' }, error: 'Google asked for a captcha.' },
    },
  },
  {
    source: serper,
    env: (baseUrl) => ({ SERPER_API_KEY: 'k', ...address('SERPER_BASE_URL')(baseUrl) }),
    reply: serperReply,
    withEntries: (reply, organic) => ({ ...reply, organic }),
    withError: (reply) => ({ ...reply, message: 'Internal error', statusCode: 500 }),
    rewritten: (query, urls) => ({
      ...serperReply(query, urls),
      searchInformation: { showingResultsFor: 'other' },
    }),
    nothingMatched: () => null,
    counting: (reply, totalResults) => ({ ...reply, searchInformation: { totalResults } }),
    withOtherPages: withPagination,
    captcha: { status: 500, body: { message: 'captcha' } },
  },
  {
    source: dataForSeo,
    env: (baseUrl) => ({
      DATAFORSEO_LOGIN: 'l',
      DATAFORSEO_PASSWORD: 'p',
      ...address('DATAFORSEO_BASE_URL')(baseUrl),
    }),
    reply: (query, urls) => dataForSeoReply(query, urls),
    withEntries: (_reply, items) => task(20000, 'red shoes', { se_results_count: 0, items }),
    withError: (reply) => ({ ...reply, error: 'crawl failed' }),
    rewritten: (query, urls) =>
      dataForSeoReply(query, urls, { type: 'showing_results_for', keyword: 'other' }),
    nothingMatched: (query, urls) => dataForSeoReply(query, urls, { type: 'no_results_found_for' }),
    counting: (_reply, se_results_count) => task(40102, 'red shoes', { se_results_count, items: [] }),
    withOtherPages: (reply, { query }) => {
      const [first] = (reply.tasks as { result: Body[] | null }[] | undefined) ?? [];
      for (const result of first?.result ?? []) result.check_url = linkTo(query, 1);
      return reply;
    },
    captcha: { body: task(40101, 'red shoes', null) },
  },
  {
    source: searxng,
    env: address('SEARXNG_BASE_URL'),
    reply: searxngReply,
    withEntries: (reply, results) => ({ ...reply, results }),
    withError: (reply) => ({ ...reply, error: 'engine crashed' }),
    rewritten: (query, urls) => ({ ...searxngReply(query, urls), corrections: ['other words'] }),
    nothingMatched: () => null,
    counting: (reply, number_of_results) => ({ ...reply, number_of_results }),
    withOtherPages: withPagination,
    captcha: { body: { ...searxngReply('red shoes', []), unresponsive_engines: [['google', 'CAPTCHA']] } },
  },
  {
    source: openserp,
    env: address('OPENSERP_BASE_URL'),
    reply: openserpReply,
    withEntries: (reply, results) => ({ ...reply, results }),
    withError: (reply) => ({ ...reply, error: 'parser_failure' }),
    rewritten: () => null,
    nothingMatched: () => null,
    counting: () => null,
    withOtherPages: withPagination,
    captcha: { status: 429, body: { error: 'captcha_detected' } },
  },
];

/** A way to read Google: a provider's format, or our reader of Google's HTML. */
export interface GoogleReader {
  name: string;
  format: ProviderFormat;
  reply(query: string, urls: string[], links?: PageLinks): Answer;
}

export const googleReaders: GoogleReader[] = [
  ...providerFormats.map((format) => ({
    name: format.source.name,
    format,
    reply: (query: string, urls: string[], links?: PageLinks) => {
      const reply = format.reply(query, urls);
      return { body: links ? format.withOtherPages(reply, links) : reply };
    },
  })),
  { name: 'Google’s page', format: providerFormats[0] as ProviderFormat, reply: googlePage },
];

/** Google's HTML, as Bright Data passes it on when its zone does not parse. */
function googlePage(query: string, urls: string[], links?: PageLinks): Answer {
  const escaped = (text: string) => text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const list = urls.map((url) => `<div class="g"><a href="${escaped(url)}"><h3>A</h3></a></div>`).join('');
  const others = links ? [links.page - 1, links.page + Number(links.hasNext)] : [];
  const foot = others
    .filter((one) => one > 0 && one !== links?.page)
    .map((one) => `<td><a class="fl" href="${escaped(linkTo(links?.query ?? '', one))}">${one}</a></td>`);
  const html = pageWith('', `${list}<table id="nav"><tr>${foot.join('')}</tr></table>`, escaped(query));
  return { body: { status_code: 200, headers: {}, body: html } };
}
