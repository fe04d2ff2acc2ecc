import { ProviderError, type SerpResult } from '../serp.ts';
import { toText } from '../upstream/shape.ts';
import { googleHost, pageShownBy } from './viewers.ts';

const servicePaths = new Set(
  '/search /preferences /setprefs /aclk /imgres /flights/gwsredirect /goto'.split(' '),
);

/**
 * The page a link of a Google result page leads to.
 *
 * Shape: the address as written, without Google's redirect (`/url?q=`, `/url?url=`) and viewers (`viewers.ts`). Google
 * also lists addresses that `URL` refuses (`http://a%20b.example/`); they hold their rank and are kept. Null
 * for links that stay inside Google Search or Maps, ad clicks, scripts and the like, and where `hidesAddress`.
 */
export function resultUrl(href: string): string | null {
  // Most links of a page are neither Google's nor redirects; parsing them all would take a third of the
  // reading.
  const link = mayBeGoogles.test(href) ? URL.parse(href.trim(), 'https://www.google.com') : null;
  if (link === null) return absolute(href);
  const target = targetOfRedirect(link);
  if (target !== null) return resultUrl(target);
  if (link.hostname.endsWith('googleadservices.com') || isService(link) || isCaptcha(link)) return null;
  const page = pageShownBy(link);
  return page === link ? absolute(href) : (page?.href ?? null);
}

const mayBeGoogles = /^\s*(\/(url|interstitial|amp)\b|https?:\/\/[^/]*(google|translate\.goog|ampproject))/i;

/** Newer redirects carry the search words in `q` and the target in `url`. Null for what is no redirect. */
function targetOfRedirect({ hostname, pathname, searchParams }: URL): string | null {
  if (!googleHost.test(hostname) || !/^\/(url|interstitial)$/.test(pathname)) return null;
  return searchParams.get('url') ?? searchParams.get('q') ?? '';
}

/**
 * Whether Google keeps to itself where a link leads: since August 2026 it gives clients that it takes for
 * machines a token in place of the address, made anew for each page. A viewer may not tell its page either. With such
 * a link the page is not read.
 *
 * Source: karust/openserp pull request 51 and IndieWikiBuddy/indie-wiki-buddy 1679 (August 2026), which show
 * `/goto?url=CAES…` and `/url?…&url=CAES…`; serpapi/public-roadmap 3914, 4199 and 4315 (August to September
 * 2026), where both, and the bare token, stood in organic results.
 */
export function hidesAddress(href: string): boolean {
  if (!/\bgoto\?|CAE|translate|ampproject|\/amp\//.test(href)) return false;
  if (token.test(href.trim())) return true;
  const link = URL.parse(href.trim(), 'https://www.google.com');
  if (link === null) return false;
  const target = targetOfRedirect(link);
  if (target !== null) return hidesAddress(target);
  return (googleHost.test(link.hostname) && link.pathname === '/goto') || pageShownBy(link) === null;
}

const token = /^CAE[\w-]{20,}=*$/;

/** No answer, since one of the results is of unknown address. */
export function addressesHidden(provider: string): ProviderError {
  return new ProviderError(provider, 'blocked', 'Google hides the addresses of its results');
}

/**
 * The results in a provider's list of entries, address under `key`; those that stay inside Google are left
 * out. Errors: `ProviderError` (blocked when Google hides an address; unreadable when an entry's cannot be
 * read, which may be the one that is looked for).
 */
export function resultsOf(
  entries: Record<string, unknown>[],
  key: 'link' | 'url',
  provider = 'google',
): SerpResult[] {
  if (entries.some((entry) => hidesAddress(toText(entry[key]) ?? ''))) throw addressesHidden(provider);
  return entries.flatMap((entry) => {
    const href = toText(entry[key]) ?? '';
    const url = resultUrl(href);
    if (url === null && !staysInside(href))
      throw new ProviderError(provider, 'unreadable', 'an entry whose address cannot be read');
    return url === null ? [] : [{ url, title: toText(entry.title) ?? '' }];
  });
}

/** Whether a link is one of Google's own, to a search, a map or an ad, and so no page that is looked for. */
function staysInside(href: string): boolean {
  const link = href.trim() === '' ? null : URL.parse(href.trim(), 'https://www.google.com');
  if (link?.hostname.endsWith('googleadservices.com')) return true;
  if (link === null || !googleHost.test(link.hostname)) return false;
  if (isService(link)) return true;
  const target = targetOfRedirect(link);
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

/** An address; not the text that is shown for one, which is cut short or has its parts set apart. */
function absolute(href: string): string | null {
  const url = href.trim();
  return /^(https?|ftp):\/\/[^/]/i.test(url) && !/[…›]/.test(url) ? url : null;
}
