import { setTimeout as pause } from 'node:timers/promises';
import type { RankQuestion } from '../../checks/search/rank-check.ts';
import { type ProviderGate, Search } from '../../checks/search/search.ts';
import {
  type PageProvider,
  ProviderError,
  type ProviderErrorKind,
  type Serp,
  type SerpProvider,
  type SerpRequest,
  type SerpSupport,
  supportsAll,
} from '../../checks/search/serp.ts';
import { parseRankTarget, type RankTarget, type TargetMatch } from '../../checks/search/target.ts';

/** Answer of a scripted provider: URLs in order, or a failure. */
export type ScriptedPage = string[] | ProviderErrorKind | ProviderError;

/** A provider whose answers a test scripts. */
export function scriptProvider(
  name: string,
  answer: (request: SerpRequest) => ScriptedPage | Promise<ScriptedPage>,
  supports: Partial<SerpSupport> = {},
): PageProvider & { asked: SerpRequest[] } {
  const asked: SerpRequest[] = [];
  return {
    name,
    asked,
    supports: { ...supportsAll, aiOverviews: false, ...supports },
    search: async (request) => {
      asked.push(request);
      const page = await answer(request);
      if (typeof page === 'string') throw new ProviderError(name, page, 'scripted');
      if (page instanceof ProviderError) throw page;
      return toTestSerp(page);
    },
  };
}

export function toTestSerp(urls: string[], featuredSnippetUrl: string | null = null): Serp {
  return {
    results: urls.map((url) => ({ url, title: url })),
    featuredSnippetUrl,
  };
}

/** Admits every call, and counts nothing. */
export const openGate: ProviderGate = {
  acquire: async () => ({ release: () => {} }),
  countCall: async () => true,
  countPages: () => {},
  countAnswer: () => {},
};

/** A search without limits. */
export function searchWith(
  providers: SerpProvider[],
  reuseSeconds = 0,
  restMs?: number,
  callMs?: number,
): Search {
  return new Search({ providers, gate: openGate, reuseSeconds, openMs: restMs, callMs });
}

/** Context of a check in a batch. */
export const noDeadline = { accountId: 1, deadlineMs: null, signal: new AbortController().signal };

/** Context of a check that a caller waits for. */
export function deadlineIn(milliseconds: number) {
  return { accountId: 1, deadlineMs: performance.now() + milliseconds, signal: new AbortController().signal };
}

/** A question for the rank of a target on page 1. */
export function rankQuestion(
  url: string,
  { match, ...changes }: Partial<RankQuestion> & { match?: TargetMatch } = {},
): RankQuestion {
  const place = { country: 'US', language: 'en', device: 'desktop', startPage: 1, endPage: 1 } as const;
  const target = parseRankTarget(url, match) as RankTarget;
  return { target, competitors: [], isFull: false, wants: [], keyword: 'red shoes', ...place, ...changes };
}

export async function afterMs<T>(milliseconds: number, value: T): Promise<T> {
  await pause(milliseconds);
  return value;
}
