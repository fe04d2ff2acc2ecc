import type { SerpRequest } from '../serp.ts';

/** Returns the parameters of Google's search URL. `q` comes first, because Bright Data is slow otherwise. */
export function toGoogleParameters(request: SerpRequest): URLSearchParams {
  const parameters = new URLSearchParams({
    q: request.query,
    gl: request.country.toLowerCase(),
    hl: request.language,
  });
  if (request.page > 1) parameters.set('start', String((request.page - 1) * 10));
  if (request.isUnfiltered) {
    parameters.set('filter', '0');
    parameters.set('safe', 'off');
    parameters.set('pws', '0');
    parameters.set('nfpr', '1');
  }
  return parameters;
}
