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
import { reasonToStop } from '../upstream/ask.ts';

const NAME = 'sandbox';
const PAGES = 10;
const SLOW_MS = 5_000;

/**
 * Invented answers that need no network, each marked as simulated.
 *
 * An address is indexed or not by its name: `indexed.example`, `not-indexed.example`; any other by its hash.
 * `slow.example` takes five seconds, `blocked.example` is the captcha page. For any keyword `rank-1.example` stands
 * first, `rank-7.example` seventh and so on, ten pages deep.
 */
export const sandbox: ProviderSource = { name: NAME, variables: [], isInvented: true, make: () => create() };

function create(): SerpProvider {
  return defineProvider({
    name: NAME,
    supports: { mobile: true, countries: 'any', languages: 'any', operators: true },
    async search(request, signal) {
      const address = request.query.replace(/^site:/i, '').trim();
      const host = address.split(/[/?#:\s]/, 1)[0] ?? '';
      if (isNamed(host, 'blocked.example'))
        throw new ProviderError(NAME, 'blocked', 'Google asks for a captcha');
      if (isNamed(host, 'slow.example')) await beSlow(signal);
      const isAddress = /^\S+\.\S+$/.test(address) && !/^rank-\d+\.example$/i.test(host);
      const serp = isAddress ? toIndexPage(address, host, request) : toRankPage(request);
      return { ...serp, isSimulated: true };
    },
  });
}

async function beSlow(signal: AbortSignal): Promise<void> {
  try {
    await pause(SLOW_MS, undefined, { signal });
  } catch {
    throw reasonToStop(NAME, signal);
  }
}

function toIndexPage(address: string, host: string, request: SerpRequest): Serp {
  const isIndexed =
    !isNamed(host, 'not-indexed.example') && (isNamed(host, 'indexed.example') || isLucky(address));
  return toSerp(isIndexed && request.page === 1 ? [{ url: `https://${address}`, title: host }] : []);
}

function toRankPage({ page }: SerpRequest): Serp {
  if (page > PAGES) return toSerp([]);
  const ranks = Array.from({ length: 10 }, (_, index) => (page - 1) * 10 + index + 1);
  return toSerp(
    ranks.map((rank) => ({ url: `https://rank-${rank}.example/`, title: `Invented result ${rank}` })),
  );
}

function isNamed(host: string, name: string): boolean {
  const lower = host.toLowerCase();
  return lower === name || lower.endsWith(`.${name}`);
}

function isLucky(address: string): boolean {
  return createHash('sha256').update(address).digest()[0]! % 2 === 0;
}
