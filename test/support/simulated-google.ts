import type { Answer, SeenRequest } from './provider.ts';
import { dataForSeoItems, type ProviderFormat } from './replies.ts';

/** The results of one query, page by page; beyond the last there is nothing. */
export type Pages = string[][];

/**
 * Pages of six to twelve results, the first of which may stand on the page before as well; `sN.example` is
 * the Nth different one.
 */
export function pagesOf(sizes: number[], repeatedPerPage: number): Pages {
  const pages: Pages = [];
  let next = 1;
  for (const size of sizes) {
    const repeated = pages.at(-1)?.slice(-repeatedPerPage || Infinity) ?? [];
    const fresh = Array.from({ length: size - repeated.length }, () => `https://s${next++}.example/page`);
    pages.push([...repeated, ...fresh]);
  }
  return pages;
}

/** Different addresses before and with this one; what every rank is held against. */
export function rankIn(pages: Pages, url: string): number {
  return [...new Set(pages.flat())].indexOf(url) + 1;
}

/**
 * The provider's server over a Google: answers a page in its own format, or a crawl as DataForSEO makes it.
 */
export function answering(format: ProviderFormat, query: string, pages: Pages): (request: SeenRequest) => Answer {
  return (request) => {
    const page = pageOf(format.source.name, request);
    if (page !== null) return { body: format.reply(query, pages[page - 1] ?? []) };
    const [task] = JSON.parse(request.body);
    return { body: crawled(format, query, pages, task) };
  };
}

/** The page that is asked for; null for one that crawls. */
export function pageOf(name: string, { url, body }: SeenRequest): number | null {
  const fromStart = (start: string | null | undefined) => Number(start ?? 0) / 10 + 1;
  switch (name) {
    case 'brightdata':
      return fromStart(new URL(JSON.parse(body).url).searchParams.get('start'));
    case 'serper':
      return JSON.parse(body).page;
    case 'searxng':
      return Number(url.searchParams.get('pageno'));
    case 'dataforseo':
      return null;
    default:
      return fromStart(url.searchParams.get('start'));
  }
}

interface Task {
  depth: number;
  max_crawl_pages: number;
  stop_crawl_on_match?: { match_value: string; match_type: string }[];
}

/** Reads pages until there are enough, until one has a match, or until Google has no more. */
function crawled(format: ProviderFormat, query: string, pages: Pages, task: Task): object {
  const read: Pages = [];
  for (const page of pages.slice(0, task.max_crawl_pages)) {
    read.push(page);
    const isMatch = task.stop_crawl_on_match?.some(({ match_value: host, match_type: type }) =>
      page.some((url) => isOn(new URL(url).hostname, host, type === 'with_subdomains')),
    );
    if (isMatch || read.flat().length >= task.depth) break;
  }
  const urls = read.flat().slice(0, task.depth);
  const reply = format.reply(query, urls) as { tasks: { result: object[] | null }[] };
  const [first] = reply.tasks;
  const result = { keyword: query, items: dataForSeoItems(urls), pages_count: read.length };
  if (first?.result) first.result = [result];
  return reply;
}

function isOn(hostname: string, host: string, withSubdomains: boolean): boolean {
  return hostname === host || (withSubdomains && hostname.endsWith(`.${host}`));
}

/** What a provider was asked, read from its request. */
export function queryIn(name: string, { url, body }: SeenRequest): string {
  switch (name) {
    case 'brightdata':
      return new URL(JSON.parse(body).url).searchParams.get('q') ?? '';
    case 'serper':
      return JSON.parse(body).q;
    case 'dataforseo':
      return JSON.parse(body)[0].keyword.replaceAll('%2B', '+').replaceAll('%25', '%');
    default:
      return url.searchParams.get('q') ?? url.searchParams.get('text') ?? '';
  }
}
