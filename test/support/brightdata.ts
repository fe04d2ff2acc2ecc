import { brightData } from '../../checks/search/providers/brightdata.ts';
import type { SerpProvider } from '../../checks/search/serp.ts';
import type { Answer } from './provider.ts';

export const apiToken = 'bd-token-0123456789';

/** A page from the full parser. */
export const fullAnswer = {
  general: { search_engine: 'google', query: 'red shoes', results_cnt: 120, mobile: false },
  organic: [
    { rank: 1, global_rank: 2, title: 'One', link: 'https://one.example/', display_link: 'one › red' },
    {
      rank: 2,
      global_rank: 9,
      title: 'Two',
      link: 'https://two.example/',
      extensions: [{ link: 'https://box.example/', rank: 1 }],
    },
  ],
  top_ads: [{ link: 'https://box.example/' }],
};

/** A page from the light parser. */
export const light = {
  general: { query: 'red shoes', detected_query: 'Red  shoes' },
  organic: [{ global_rank: 3, title: 'One', link: 'https://one.example/' }],
};

/** Google’s answer in Bright Data's JSON envelope. */
export const inEnvelope = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  body: { status_code: status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
});

/** Bright Data with the base URL of a local server. */
export function brightDataAt(baseUrl: string): SerpProvider {
  return brightData.create(
    {
      BRIGHTDATA_API_TOKEN: apiToken,
      BRIGHTDATA_ZONE: 'serp1',
      BRIGHTDATA_BASE_URL: `${baseUrl}/proxy`,
    },
    2_000,
  );
}
