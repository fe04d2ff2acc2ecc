import { parseUrl } from '../../net/url.ts';

/** Returns a path of this site with its query; `/` for a URL that leads elsewhere. */
export function toLocalPath(value: unknown): string {
  const base = 'http://page.invalid';
  const url = typeof value === 'string' && value.startsWith('/') ? parseUrl(value, base) : null;
  return url?.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
