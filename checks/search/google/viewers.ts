import { parseUrl } from '../../../net/url.ts';

/** Hosts of Google Search, in any country. */
export const googleHost = /^((www|ipv4|ipv6|m|images|maps|encrypted)\.)?google\.[a-z]{2,3}(\.[a-z]{2})?$/;
const translateHost = /^translate\.google\.[a-z]{2,3}(\.[a-z]{2})?$/;
const translatePath = /^\/(translate|translate_[cfnp]|website)$/;
const translatedSuffix = '.translate.goog';
const ampCacheHost = /^([^.]+\.)?cdn\.ampproject\.org$/;

/** Excludes most URLs quickly. */
const mayBeViewer = /google|translate\.goog|ampproject\.org/i;

/** Limit of viewers inside viewers. No recorded page has as many. */
const nestedMax = 4;

/**
 * Returns the page that a viewer of Google shows: a translation (`*.translate.goog`, `translate.google.com`), the AMP
 * viewer (`google.com/amp/…`) or the AMP cache (`cdn.ampproject.org`). Returns any other URL unchanged. Returns null if
 * the URL of the viewer does not contain the page.
 */
export function unwrapViewer(address: URL): URL | null {
  let page = address;
  for (let nested = 0; nested < nestedMax; nested++) {
    const shown = mayBeViewer.test(page.hostname) ? findPage(page) : page;
    if (shown === null || shown === page) return shown;
    page = shown;
  }
  return page;
}

function findPage(viewer: URL): URL | null {
  const { hostname, pathname } = viewer;
  if (hostname.endsWith(translatedSuffix)) return translatedPage(viewer);
  if (translateHost.test(hostname) || hostname === 'translate.googleusercontent.com') {
    const shown = translatePath.test(pathname) ? viewer.searchParams.get('u') : null;
    return shown === null ? viewer : toPage(/^https?:\/\//i.test(shown) ? shown : `http://${shown}`);
  }
  // `/c/s/` is a page, `/v/s/` a page in a viewer. Images and fonts have other letters.
  const inPath = ampCacheHost.test(hostname) ? /^\/[cv]\/(s\/)?(.+)$/ : /^\/amp\/(s\/)?([^/]+\.[^/]+.*)$/;
  const isAmp = ampCacheHost.test(hostname) || googleHost.test(hostname);
  const [, isSecure, page] = (isAmp && inPath.exec(pathname)) || [];
  if (page === undefined) return viewer;
  return toPage(`${isSecure ? 'https' : 'http'}://${page}${removeParameters(viewer.search, ampParameter)}`);
}

const translateParameter = /^_x_tr_/;
/** Parameters that the AMP viewer and cache add to the URL of a page. */
const ampParameter = /^(amp_(js_v|gsa|r|ct|tf|latency_test|lite)|usqp|aoh|ampshare|ampcf)$/;

/**
 * Decodes the host of a translated page. Returns null if the host is a hash. Google uses a hash for hosts that it
 * cannot encode as one label.
 *
 * Source: developers.google.com/search/docs/appearance/ad-network-and-translation, read November 2026.
 */
function translatedPage(viewer: URL): URL | null {
  const parameters = viewer.searchParams;
  const steps = parameters.get('_x_tr_enc')?.split(',') ?? [];
  const label = viewer.hostname.slice(0, -translatedSuffix.length);
  if (/^[a-z2-7]{26}-[a-z0-9]{15}-/.test(label)) return null;
  let host = (parameters.get('_x_tr_hp') ?? '') + label;
  if (steps.includes('1')) host = host.replace(/^1-/, '');
  const isIdn = steps.includes('0') && host.startsWith('0-');
  if (isIdn) host = host.slice(2);
  host = (isIdn ? 'xn--' : '') + host.replace(/\b-\b/g, '.').replaceAll('--', '-');
  const scheme = parameters.get('_x_tr_sch') === 'http' ? 'http' : 'https';
  const query = removeParameters(viewer.search, translateParameter);
  return toPage(`${scheme}://${host}${viewer.pathname}${query}`);
}

/**
 * Removes parameters from a query. Keeps the spelling of the others, because a different spelling may be a different
 * page.
 */
function removeParameters(search: string, name: RegExp): string {
  const kept = search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !name.test(parameter.split('=', 1)[0] ?? ''));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

function toPage(address: string): URL | null {
  const page = parseUrl(address);
  return page?.hostname.includes('.') ? page : null;
}
