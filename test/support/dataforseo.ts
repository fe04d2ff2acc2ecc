import { dataForSeo } from '../../checks/search/providers/dataforseo.ts';
import type { SerpProvider } from '../../checks/search/serp.ts';
import type { Answer, ProviderServer } from './provider.ts';

export const apiPassword = 'dataforseo-password-0123';

/** One entry of a page, at a rank among those of its type. */
export const item = (type: string, url: string, rank: number) => ({
  type,
  rank_group: rank,
  rank_absolute: rank + 3,
  url,
  title: url,
});

/** A page of two organic results, a snippet and an ad. */
export const organicResult = {
  keyword: 'red shoes',
  spell: null,
  se_results_count: 120,
  items: [
    item('featured_snippet', 'https://snippet.example/', 1),
    item('paid', 'https://box.example/', 1),
    item('organic', 'https://one.example/', 1),
    item('organic', 'https://two.example/', 2),
  ],
};

/** What their server sends when a task has gone well. */
export const answered = (result: unknown): Answer => ({
  body: {
    status_code: 20000,
    cost: 0.002,
    tasks_error: 0,
    tasks: [{ status_code: 20000, result: result === null ? null : [result] }],
  },
});

/** DataForSEO as it is when its address is a local server's. */
export function dataForSeoAt(server: ProviderServer): SerpProvider {
  return dataForSeo.make(
    {
      DATAFORSEO_LOGIN: 'me',
      DATAFORSEO_PASSWORD: apiPassword,
      DATAFORSEO_BASE_URL: `${server.baseUrl}/proxy`,
    },
    2_000,
  );
}
