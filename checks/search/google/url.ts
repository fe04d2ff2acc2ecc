import { ProviderError, type SerpResult } from '../serp.ts';
import { toText } from '../upstream/shape.ts';

const googleHost = /^((www|ipv4|ipv6|m|images|maps|encrypted)\.)?google\.[a-z]{2,3}(\.[a-z]{2})?$/;
const servicePaths = new Set(
  '/search /preferences /setprefs /aclk /imgres /flights/gwsredirect /goto'.split(' '),
);

/**
 * The page a link of a Google result page leads to.
 *
 * Shape: the address as written, Google's redirect (`/url?q=`, `/url?url=`) and AMP viewer taken off. Google
 * also lists addresses that `URL` refuses (`http://a%20b.example/`); they hold their rank and are kept. Null
 * for links that stay inside Google Search or Maps, ad clicks, scripts and the like.
 */
export function resultUrl(href: string): string | null {
  // Most links of a page are neither Google's nor redirects; parsing them all would take a third of the
  // reading.
  if (!/^\s*(\/(url|interstitial|amp)\b|https?:\/\/[^/]*google)/i.test(href)) return absolute(href);
  const link = URL.parse(href.trim(), 'https://www.google.com');
  if (link === null || !googleHost.test(link.hostname)) {
    return link?.hostname.endsWith('googleadservices.com') ? null : absolute(href);
  }
  if (link.pathname === '/url' || link.pathname === '/interstitial') {
    // Newer redirects carry the search words in `q` and the target in `url`.
    return absolute(link.searchParams.get('url') ?? link.searchParams.get('q') ?? '');
  }
  // What Google asks of machines is no result.
  if (link.pathname.startsWith('/sorry/')) return null;
  const viewer = /^\/amp\/(s\/)?([^/]+\.[^/]+.*)$/.exec(link.pathname + link.search);
  if (viewer !== null) return absolute(`${viewer[1] ? 'https' : 'http'}://${viewer[2]}`);
  return isService(link) ? null : absolute(href);
}

/**
 * Whether Google keeps to itself where a link leads: since August 2026 it gives clients that it takes for
 * machines a token in place of the address, made anew for each page. Whoever counts such a link has not read
 * the page.
 *
 * Source: karust/openserp pull request 51 and IndieWikiBuddy/indie-wiki-buddy 1679 (August 2026), which show
 * `/goto?url=CAES…` and `/url?…&url=CAES…`; serpapi/public-roadmap 3914, 4199 and 4315 (August to September
 * 2026), where both, and the bare token, stood in organic results.
 */
export function hidesAddress(href: string): boolean {
  if (!/\bgoto\?|CAE/.test(href)) return false;
  const link = URL.parse(href.trim(), 'https://www.google.com');
  if (link === null || !googleHost.test(link.hostname)) return false;
  if (link.pathname === '/goto') return true;
  const target = link.searchParams.get('url') ?? link.searchParams.get('q') ?? '';
  return token.test(link.pathname === '/url' ? target : href.trim());
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
  const target = link.pathname === '/url' && (link.searchParams.get('url') ?? link.searchParams.get('q'));
  return target ? isService(URL.parse(target, 'https://www.google.com')) : false;
}

function isService(link: URL | null): boolean {
  if (link === null || !googleHost.test(link.hostname)) return false;
  const isMapSearch = /^\/(maps|local)\b/.test(link.pathname) && link.search !== '';
  return isMapSearch || servicePaths.has(link.pathname);
}

/** An address; not the text that is shown for one, which is cut short or has its parts set apart. */
function absolute(href: string): string | null {
  const url = href.trim();
  return /^(https?|ftp):\/\/[^/]/i.test(url) && !/[…›]/.test(url) ? url : null;
}
