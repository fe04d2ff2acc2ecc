import type { SerpLocation, SerpRequest } from '../serp.ts';

/** Returns the parameters of Google's search URL. `q` comes first, because Bright Data is slow otherwise. */
export function toGoogleParameters(request: SerpRequest): URLSearchParams {
  const parameters = new URLSearchParams({
    q: request.query,
    gl: request.country.toLowerCase(),
    hl: request.language,
  });
  if (request.location) parameters.set('uule', toUule(request.location));
  if (request.page > 1) parameters.set('start', String((request.page - 1) * 10));
  if (request.isUnfiltered) {
    parameters.set('filter', '0');
    parameters.set('safe', 'off');
    parameters.set('pws', '0');
    parameters.set('nfpr', '1');
  }
  return parameters;
}

/**
 * Encodes a place as Google's apps send it. The other form of `uule` has a name instead of coordinates. Google silently
 * ignores a name that is not in its list of locations.
 *
 * Source: serpapi/uule_converter, read November 2026.
 */
function toUule({ latitude, longitude }: SerpLocation): string {
  const toE7 = (degrees: number) => Math.round(degrees * 1e7);
  const lines = [
    ...['role:1', 'producer:12', 'provenance:6', `timestamp:${Date.now() * 1000}`],
    ...['latlng{', `latitude_e7:${toE7(latitude)}`, `longitude_e7:${toE7(longitude)}`, '}', 'radius:-1'],
  ];
  return `a+${Buffer.from(`${lines.join('\n')}\n`).toString('base64url')}`;
}
