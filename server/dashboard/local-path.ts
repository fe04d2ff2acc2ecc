import { parseUrl } from '../../net/url.ts';

/** Returns the path and query of a URL on this site; `/` for any other value. */
export function toLocalPath(value: unknown): string {
  const base = 'http://page.invalid';
  const url = typeof value === 'string' && value.startsWith('/') ? parseUrl(value, base) : null;
  return url?.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
