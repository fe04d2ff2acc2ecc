import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  defineProvider,
  ProviderError,
  type Serp,
  type SerpProvider,
  type SerpRequest,
  toSerp,
} from '../serp.ts';
import type { ProviderSource } from '../source.ts';
import { toAbortReason } from '../upstream/request.ts';

const providerName = 'sandbox';
const pagesMax = 10;
const slowMs = 5_000;

/**
 * Provider of simulated answers, without network access.
 *
 * `indexed.example` is in the index and `not-indexed.example` is not; for other URLs a hash decides. `slow.example`
 * takes five seconds, and `blocked.example` fails with a captcha. For any keyword, `rank-1.example` is the first
 * result, `rank-7.example` the seventh and so on, for ten pages.
 */
export const sandbox: ProviderSource = {
  name: providerName,
  variables: [],
  isSimulated: true,
  create: () => create(),
};

function create(): SerpProvider {
  return defineProvider({
    name: providerName,
    supports: { mobile: true, countries: 'any', languages: 'any', locations: 'any', operators: true },
    async search(request, signal) {
      const address = request.query.replace(/^site:/i, '').trim();
      const host = address.split(/[/?#:\s]/, 1)[0] ?? '';
      if (isNamed(host, 'blocked.example'))
        throw new ProviderError(providerName, 'blocked', 'Google asks for a captcha');
      if (isNamed(host, 'slow.example')) await delay(signal);
      const isAddress = /^\S+\.\S+$/.test(address) && !/^rank-\d+\.example$/i.test(host);
      const serp = isAddress ? toIndexPage(address, host, request) : toRankPage(request);
      return { ...serp, isSimulated: true };
    },
  });
}

async function delay(signal: AbortSignal): Promise<void> {
  try {
    await pause(slowMs, undefined, { signal });
  } catch {
    throw toAbortReason(providerName, signal);
  }
}

function toIndexPage(address: string, host: string, request: SerpRequest): Serp {
  const isIndexed =
    !isNamed(host, 'not-indexed.example') && (isNamed(host, 'indexed.example') || hasEvenHash(address));
  return toSerp(isIndexed && request.page === 1 ? [{ url: `https://${address}`, title: host }] : []);
}

function toRankPage({ page }: SerpRequest): Serp {
  if (page > pagesMax) return toSerp([]);
  const ranks = Array.from({ length: 10 }, (_, index) => (page - 1) * 10 + index + 1);
  return toSerp(
    ranks.map((rank) => ({ url: `https://rank-${rank}.example/`, title: `Invented result ${rank}` })),
  );
}

function isNamed(host: string, name: string): boolean {
  const lower = host.toLowerCase();
  return lower === name || lower.endsWith(`.${name}`);
}

function hasEvenHash(address: string): boolean {
  return createHash('sha256').update(address).digest()[0]! % 2 === 0;
}
