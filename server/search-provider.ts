import { ApiError } from './errors.ts';

/** Index and keyword checks read Google through a provider, and there is none yet. */
export function refuseWithoutProvider(): never {
  throw new ApiError(
    503,
    'no_search_provider',
    'No search provider: set BRIGHTDATA_API_TOKEN and BRIGHTDATA_ZONE, or SERP_PROVIDERS=sandbox to try it out.',
    { headers: { 'Retry-After': '3600' } },
  );
}
