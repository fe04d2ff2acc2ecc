import { type Answer, type ProviderServer, type SeenRequest, startProvider } from './provider.ts';

/** Two providers in their real formats over one invented Google. */
export interface TestGoogle {
  serper: ProviderServer;
  serpapi: ProviderServer;
  /** Settings of a process that uses them, in the order of `names`. */
  env(names?: string): Record<string, string>;
  /** Makes one of them give an answer, or work again. */
  let(provider: 'serper' | 'serpapi', be: 'well' | Answer): void;
  close(): Promise<void>;
}

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
    serpapi: (request: SeenRequest) => ({ delayMs, body: asSerpApi(request.url.searchParams) }),
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

export function asSerpApi(parameters: URLSearchParams): object {
  const [q, start] = [parameters.get('q') ?? '', Number(parameters.get('start') ?? 0)];
  const links = resultsFor(q, start / 10 + 1);
  const state = links.length > 0 ? 'Results for exact spelling' : 'Fully empty';
  return {
    search_metadata: { status: 'Success' },
    search_parameters: { engine: 'google', q },
    search_information: { organic_results_state: state, query_displayed: q },
    ...(links.length > 0
      ? { organic_results: links.map((link, index) => ({ position: index + 1, title: link, link })) }
      : { error: "Google hasn't returned any results for this query." }),
  };
}
