import { ProviderError, type SerpResult } from '../serp.ts';
import { toText } from '../upstream/shape.ts';
import { googleHost, unwrapViewer } from './viewers.ts';

const servicePaths = new Set(
  '/search /preferences /setprefs /aclk /imgres /flights/gwsredirect /goto'.split(' '),
);

/**
 * Returns the target of a link on a result page, as written. Removes Google's redirects (`/url?q=`, `/url?url=`) and
 * viewers (`viewers.ts`). Keeps invalid URLs (`http://a%20b.example/`), because Google also lists them and they have a
 * rank. Returns null for ads, scripts, hidden URLs, and links to Google Search or Maps.
 */
export function toResultUrl(href: string): string | null {
  // Most links are not to Google. Parsing them all would take a third of the time to read a page.
  const link = mayBeGoogles.test(href) ? URL.parse(href.trim(), 'https://www.google.com') : null;
  if (link === null) return toAbsoluteUrl(href);
  const target = findRedirectTarget(link);
  if (target !== null) return toResultUrl(target);
  if (link.hostname.endsWith('googleadservices.com') || isService(link) || isCaptcha(link)) return null;
  const page = unwrapViewer(link);
  return page === link ? toAbsoluteUrl(href) : (page?.href ?? null);
}

const mayBeGoogles = /^\s*(\/(url|interstitial|amp)\b|https?:\/\/[^/]*(google|translate\.goog|ampproject))/i;

/** Returns the target of a redirect, else null. Newer redirects have the query in `q` and the target in `url`. */
function findRedirectTarget({ hostname, pathname, searchParams }: URL): string | null {
  if (!googleHost.test(hostname) || !/^\/(url|interstitial)$/.test(pathname)) return null;
  return searchParams.get('url') ?? searchParams.get('q') ?? '';
}

/**
 * Returns whether Google hides the target of a link. Since August 2026, clients that Google considers bots get a token
 * instead of the URL. Each page has new tokens. The URL of a viewer also hides the target if it does not contain the
 * URL of the page. A result page with such a link is rejected.
 *
 * Source: karust/openserp pull request 51 and IndieWikiBuddy/indie-wiki-buddy 1679 (August 2026), which show
 * `/goto?url=CAES…` and `/url?…&url=CAES…`; serpapi/public-roadmap 3914, 4199 and 4315 (August to September 2026), in
 * which both forms, and the token alone, occur in organic results.
 */
export function isUrlHidden(href: string): boolean {
  if (!/\bgoto\?|CAE|translate|ampproject|\/amp\//.test(href)) return false;
  if (token.test(href.trim())) return true;
  const link = URL.parse(href.trim(), 'https://www.google.com');
  if (link === null) return false;
  const target = findRedirectTarget(link);
  if (target !== null) return isUrlHidden(target);
  return (googleHost.test(link.hostname) && link.pathname === '/goto') || unwrapViewer(link) === null;
}

const token = /^CAE[\w-]{20,}=*$/;

export function createHiddenUrlError(provider: string): ProviderError {
  return new ProviderError(provider, 'blocked', 'Google hides the URLs of its results');
}

/**
 * Converts a provider's entries, whose URL is in `key`, to results. Entries that link to Google itself are omitted.
 * Throws `ProviderError` (blocked if Google hides a URL; unreadable for an entry without a URL, which may be the wanted
 * page).
 */
export function toResults(
  entries: Record<string, unknown>[],
  key: 'link' | 'url',
  provider = 'google',
): SerpResult[] {
  if (entries.some((entry) => isUrlHidden(toText(entry[key]) ?? ''))) throw createHiddenUrlError(provider);
  return entries.flatMap((entry) => {
    const href = toText(entry[key]) ?? '';
    const url = toResultUrl(href);
    if (url === null && !isInsideGoogle(href))
      throw new ProviderError(provider, 'unreadable', 'the URL of an entry cannot be read');
    return url === null ? [] : [{ url, title: toText(entry.title) ?? '' }];
  });
}

/** Returns whether a link leads to Google itself: to a search, a map or an ad. */
export function isInsideGoogle(href: string): boolean {
  const link = href.trim() === '' ? null : URL.parse(href.trim(), 'https://www.google.com');
  if (link?.hostname.endsWith('googleadservices.com')) return true;
  if (link === null || !googleHost.test(link.hostname)) return false;
  if (isService(link)) return true;
  const target = findRedirectTarget(link);
  return target !== null && isService(URL.parse(target, 'https://www.google.com'));
}

function isService(link: URL | null): boolean {
  if (link === null || !googleHost.test(link.hostname)) return false;
  const isMapSearch = /^\/(maps|local)\b/.test(link.pathname) && link.search !== '';
  return isMapSearch || servicePaths.has(link.pathname);
}

/** Pages on which Google asks for a captcha are not results. */
function isCaptcha({ hostname, pathname }: URL): boolean {
  return googleHost.test(hostname) && pathname.startsWith('/sorry/');
}

/** Returns an absolute URL; null for any other text, such as a display URL, which is shortened or has separators. */
function toAbsoluteUrl(href: string): string | null {
  const url = href.trim();
  return /^(https?|ftp):\/\/[^/]/i.test(url) && !/[…›]/.test(url) ? url : null;
}
