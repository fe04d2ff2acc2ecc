import { dataForSeo } from '../../checks/search/providers/dataforseo.ts';
import type { SerpProvider } from '../../checks/search/serp.ts';
import type { Answer } from './provider.ts';

export const apiPassword = 'dataforseo-password-0123';

/** One entry of a page. `rank` counts the entries of its type. */
export const item = (type: string, url: string, rank: number) => ({
  type,
  rank_group: rank,
  rank_absolute: rank + 3,
  url,
  title: url,
});

/** A page with two organic results, a snippet and an ad. */
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

/** The answer to a successful task. */
export const answered = (result: unknown): Answer => ({
  body: {
    status_code: 20000,
    cost: 0.002,
    tasks_error: 0,
    tasks: [{ status_code: 20000, result: result === null ? null : [result] }],
  },
});

/** DataForSEO with the base URL of a local server. */
export function dataForSeoAt(baseUrl: string): SerpProvider {
  return dataForSeo.create(
    {
      DATAFORSEO_LOGIN: 'me',
      DATAFORSEO_PASSWORD: apiPassword,
      DATAFORSEO_BASE_URL: `${baseUrl}/proxy`,
    },
    2_000,
  );
}
