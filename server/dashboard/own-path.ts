import { parseUrl } from '../../net/url.ts';

/** A path of this site, as it was asked for; the first page for anything that leads elsewhere. */
export function ownPath(value: unknown): string {
  const base = 'http://page.invalid';
  const url = typeof value === 'string' && value.startsWith('/') ? parseUrl(value, base) : null;
  return url?.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
