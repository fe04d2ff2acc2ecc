import { answerWithOverview, type OverviewCase, type OverviewGoogle } from './overviews.ts';
import { type Answer, type ProviderServer, type SeenRequest, startProvider } from './provider.ts';
import { type ProviderFormat, providerFormats } from './replies.ts';

/** Two providers in their real formats, with the results of one simulated Google. */
export interface TestGoogle {
  serper: ProviderServer;
  serpapi: ProviderServer;
  /** Settings of a process that uses them, in the order of `names`. */
  env(names?: string): Record<string, string>;
  /** Makes a provider return an answer, or work normally again. */
  let(provider: 'serper' | 'serpapi', be: 'well' | Answer): void;
  close(): Promise<void>;
}

/**
 * Ways in which Google shows an AI Overview. A word in the keyword selects one, such as `overview-later`. `phone`: only
 * phones get it.
 */
export const overviewCases = [
  ...(['inline', 'later', 'expired', 'placeholder', 'hidden', 'none'] as const),
  'phone',
] as const;
export type OverviewWord = (typeof overviewCases)[number];

/** Returns the kind of AI Overview that a keyword names. */
export function findOverviewWord(keyword: string): OverviewWord {
  return overviewCases.find((kind) => keyword.includes(`overview-${kind}`)) ?? 'none';
}

/** A host that every overview cites. */
export const citedHost = 'rank-4.example';

const inventedGoogle: OverviewGoogle = {
  pages: (query) => Array.from({ length: 10 }, (_, index) => resultsFor(query, index + 1)),
  overview: (query, device): OverviewCase => {
    const word = findOverviewWord(query);
    if (word !== 'phone') return word;
    return device === 'mobile' ? 'inline' : 'none';
  },
  sources: () => ['https://wiki.example/', `https://${citedHost}/`],
};

/** A URL is in Google when its host starts with `indexed`. For words, the nth of 100 results is `rank-<n>.example`. */
function resultsFor(query: string, page: number): string[] {
  const address = query.replace(/^site:/, '');
  if (/^\S+\.\S+$/.test(address))
    return page === 1 && address.startsWith('indexed') ? [`https://${address}`] : [];
  return page > 10
    ? []
    : Array.from({ length: 10 }, (_, index) => `https://rank-${(page - 1) * 10 + index + 1}.example/`);
}

export async function startGoogle({ delayMs = 0 } = {}): Promise<TestGoogle> {
  const [serper, serpapi] = [await startProvider(), await startProvider()];
  const well = {
    serper: (request: SeenRequest) => ({ delayMs, body: asSerper(JSON.parse(request.body)) }),
    serpapi: (request: SeenRequest) => ({ delayMs, ...asSerpApi(request) }),
  };
  serper.willAnswer(well.serper);
  serpapi.willAnswer(well.serpapi);
  return {
    serper,
    serpapi,
    env: (names = 'serper,serpapi') => ({
      SERP_PROVIDERS: names,
      SERPER_API_KEY: 'serper-key',
      SERPER_BASE_URL: serper.baseUrl,
      SERPAPI_API_KEY: 'serpapi-key',
      SERPAPI_BASE_URL: serpapi.baseUrl,
    }),
    let: (provider, be) => {
      const server = provider === 'serper' ? serper : serpapi;
      server.willAnswer(be === 'well' ? well[provider] : be);
    },
    close: async () => {
      await Promise.all([serper.close(), serpapi.close()]);
    },
  };
}

/** Runs both providers for a suite. Its fields are set when the suite's hooks have run. */
export function useGoogle(): TestGoogle {
  const google = {} as TestGoogle;
  before(async () => void Object.assign(google, await startGoogle()));
  after(() => google.close());
  return google;
}

export function asSerper({ q, page = 1 }: { q: string; page?: number }): object {
  const organic = resultsFor(q, page).map((link, index) => ({ position: index + 1, title: link, link }));
  return { searchParameters: { q }, organic };
}

export const asSerpApi = answerWithOverview(
  providerFormats.find(({ source }) => source.name === 'serpapi') as ProviderFormat,
  inventedGoogle,
);
