import type { Answer, SeenRequest } from './provider.ts';
import { dataForSeoItems, type ProviderFormat } from './replies.ts';

/** The results of one query, by page. */
export type Pages = string[][];

/** Creates pages. Each begins with the last `repeatedPerPage` results before it. `sN.example` is the Nth new one. */
export function createPages(sizes: number[], repeatedPerPage: number): Pages {
  const pages: Pages = [];
  let next = 1;
  for (const size of sizes) {
    const repeated = pages.at(-1)?.slice(-repeatedPerPage || Infinity) ?? [];
    const fresh = Array.from({ length: size - repeated.length }, () => `https://s${next++}.example/page`);
    pages.push([...repeated, ...fresh]);
  }
  return pages;
}

/** Returns the rank of a URL: the number of different URLs up to it. */
export function rankIn(pages: Pages, url: string): number {
  return [...new Set(pages.flat())].indexOf(url) + 1;
}

/** Answers requests in a provider's format: a page, or a crawl for DataForSEO. */
export function answering(
  format: ProviderFormat,
  query: string,
  pages: Pages,
): (request: SeenRequest) => Answer {
  return (request) => {
    const page = readPageNumber(format.source.name, request);
    if (page !== null) return { body: format.reply(query, pages[page - 1] ?? []) };
    const [task] = JSON.parse(request.body);
    return { body: crawled(format, query, pages, task) };
  };
}

/** Returns the requested page, or null for a crawl. */
export function readPageNumber(name: string, { url, body }: SeenRequest): number | null {
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

/** Returns the reply to a crawl, which ends at enough results, at a match, or after the last page. */
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

/** Returns the query of a request. */
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

/** Returns the coordinates in Google's parameter `uule`. */
export function decodeUule(uule: string): { latitude: number; longitude: number } {
  const text = /^a\+[\w-]+$/.test(uule) ? Buffer.from(uule.slice(2), 'base64url').toString() : '';
  const found =
    /^role:1\nproducer:12\nprovenance:6\ntimestamp:\d{16}\nlatlng\{\nlatitude_e7:(-?\d+)\nlongitude_e7:(-?\d+)\n\}\nradius:-1\n$/.exec(
      text,
    );
  if (!found) throw new Error(`${uule} has no coordinates`);
  return { latitude: Number(found[1]) / 1e7, longitude: Number(found[2]) / 1e7 };
}
