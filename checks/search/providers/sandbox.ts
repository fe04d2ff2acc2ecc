import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ProviderError,
  type Serp,
  type SerpProvider,
  type SerpRequest,
  supportsAll,
  toSerp,
} from '../serp.ts';
import type { ProviderSource } from '../source.ts';
import {
  addParts,
  overviewNotShown,
  overviewUnknown,
  overviewUnread,
  readOverview,
} from '../upstream/features.ts';

const providerName = 'sandbox';
const pagesMax = 10;
const slowMs = 5_000;

/**
 * Provider of simulated answers, without network access.
 *
 * `indexed.example` is in the index and `not-indexed.example` is not; for other URLs a hash decides. `slow.example`
 * takes five seconds, and `blocked.example` fails with a captcha. For any keyword, `rank-1.example` is the first
 * result, `rank-7.example` the seventh and so on, for ten pages. Keywords with `overview-shown`, `overview-unread` or
 * `overview-unknown` have an AI Overview in that state; other keywords have none.
 */
export const sandbox: ProviderSource = {
  name: providerName,
  variables: [],
  isSimulated: true,
  create,
};

function create(): SerpProvider {
  return {
    name: providerName,
    supports: supportsAll,
    async search(request) {
      const address = request.query.replace(/^site:/i, '').trim();
      const host = address.split(/[/?#:\s]/, 1)[0] ?? '';
      if (isNamed(host, 'blocked.example'))
        throw new ProviderError(providerName, 'blocked', 'Google asks for a captcha');
      if (isNamed(host, 'slow.example')) await pause(slowMs);
      const isAddress = /^\S+\.\S+$/.test(address) && !/^rank-\d+\.example$/i.test(host);
      const serp = isAddress ? toIndexPage(address, host, request) : toRankPage(request);
      return { ...serp, isSimulated: true };
    },
  };
}

function toIndexPage(address: string, host: string, request: SerpRequest): Serp {
  const isIndexed =
    !isNamed(host, 'not-indexed.example') && (isNamed(host, 'indexed.example') || hasEvenHash(address));
  return toSerp(isIndexed && request.page === 1 ? [{ url: `https://${address}`, title: host }] : []);
}

function toRankPage({ page, query, wants = [] }: SerpRequest): Serp {
  if (page > pagesMax) return toSerp([]);
  const ranks = Array.from({ length: 10 }, (_, index) => (page - 1) * 10 + index + 1);
  const results = ranks.map((rank) => ({
    url: `https://rank-${rank}.example/`,
    title: `Simulated result ${rank}`,
  }));
  return addParts(toSerp(results), page === 1 ? wants : [], () => ({
    visible: ['people_also_ask', 'featured_snippet'],
    blocks: [{ type: 'people_also_ask', rank: 2.5, content: [{ link: 'https://rank-2.example/answer' }] }],
    organicRanks: ranks,
    overview: toOverview(query),
    overviewRank: 0,
  }));
}

/** The overview in the state that the keyword names. It cites the first three results. */
function toOverview(query: string) {
  const state = /\boverview-(shown|unread|unknown)\b/i.exec(query)?.[1]?.toLowerCase();
  if (state === 'unread') return overviewUnread;
  if (state === 'unknown') return overviewUnknown;
  if (state === undefined) return overviewNotShown;
  const references = [1, 2, 3].map((rank) => ({
    link: `https://rank-${rank}.example/`,
    title: `Simulated result ${rank}`,
  }));
  return readOverview({ text: 'A simulated overview.' }, references);
}

function isNamed(host: string, name: string): boolean {
  const lower = host.toLowerCase();
  return lower === name || lower.endsWith(`.${name}`);
}

function hasEvenHash(address: string): boolean {
  return createHash('sha256').update(address).digest()[0]! % 2 === 0;
}
