import { setTimeout as pause } from 'node:timers/promises';
import { type ProviderGate, Search } from '../../checks/search/search.ts';
import {
  type PageProvider,
  ProviderError,
  type ProviderErrorKind,
  type Serp,
  type SerpProvider,
  type SerpRequest,
  type SerpSupport,
} from '../../checks/search/serp.ts';

/** What a told provider answers: addresses in order, or a failure. */
export type ToldPage = string[] | ProviderErrorKind | ProviderError;

export interface ToldProvider extends PageProvider {
  asked: SerpRequest[];
}

/** A provider that answers as it is told; the interface is ours, so nothing of ours is replaced. */
export function tell(
  name: string,
  answer: (request: SerpRequest) => ToldPage | Promise<ToldPage>,
  supports: Partial<SerpSupport> = {},
): ToldProvider {
  const asked: SerpRequest[] = [];
  return {
    name,
    asked,
    supports: { mobile: true, countries: 'any', languages: 'any', operators: true, ...supports },
    search: async (request) => {
      asked.push(request);
      const page = await answer(request);
      if (typeof page === 'string') throw new ProviderError(name, page, 'as it was told');
      if (page instanceof ProviderError) throw page;
      return serpOf(page);
    },
  };
}

export function serpOf(urls: string[], featuredSnippetUrl: string | null = null): Serp {
  return {
    results: urls.map((url) => ({ url, title: url })),
    featuredSnippetUrl,
  };
}

/** Lets every call out, and counts nothing. */
export const openGate: ProviderGate = {
  acquire: async () => ({ release: () => {} }),
  countCall: async () => true,
  countPages: () => {},
  countAnswer: () => {},
};

/** A search without limits over told providers. */
export function searchWith(
  providers: SerpProvider[],
  reuseSeconds = 0,
  restMs?: number,
  callMs?: number,
): Search {
  return new Search({ providers, gate: openGate, reuseSeconds, restMs, callMs });
}

export const patient = { accountId: 1, deadlineMs: null, signal: new AbortController().signal };

/** As while somebody waits, with so much time. */
export function hurried(milliseconds: number) {
  return { accountId: 1, deadlineMs: performance.now() + milliseconds, signal: new AbortController().signal };
}

export async function afterMs<T>(milliseconds: number, value: T): Promise<T> {
  await pause(milliseconds);
  return value;
}
