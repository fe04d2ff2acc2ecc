import { getPublicSuffix } from 'tldts';
import { parseUrl } from '../../net/url.ts';
import { unwrapViewer } from './google/viewers.ts';
import { isSameQueryString, type UrlSpelling } from './url-spelling.ts';

/**
 * Results that match a target. `site`: the host, with or without `www.`, and its subdomains. `host`: without
 * subdomains. `page`: this URL only. `prefix`: this path and everything below it.
 */
export type TargetMatch = 'site' | 'host' | 'page' | 'prefix';

export interface RankTarget {
  match: TargetMatch;
  /** Without `www.`, in ASCII form, with the port if it is not the scheme's default. */
  host: string;
  /** Without a slash at the end; empty for the front page. */
  path: string;
  /** Without tracking parameters and question mark; empty without parameters. */
  query: string;
}

/** Parts of a URL that distinguish pages, for comparison. */
export type Comparable = Omit<RankTarget, 'match'>;

/**
 * Parses a target: a domain, or a URL with or without a scheme. Without `match`, a target without path and query is a
 * site, and any other target is a page. Returns null for other texts and for a public suffix such as `co.uk`. For a
 * website on a public suffix, such as `www.gov.uk`, `site` becomes `host`, because other sites below `gov.uk` have
 * other owners.
 */
export function parseRankTarget(text: string, match?: TargetMatch): RankTarget | null {
  const url = parseTargetUrl(text);
  if (!url) return null;
  const parts = toParts(url);
  const asked = match ?? impliedMatch(url);
  return { match: asked === 'site' && isPublicSuffix(parts.host) ? 'host' : asked, ...parts };
}

/** Returns the `match` that a target asks for; null for an invalid target. Faster than `parseRankTarget`. */
export function parseMatch(text: string, match?: TargetMatch): TargetMatch | null {
  const url = parseTargetUrl(text);
  return url && (match ?? impliedMatch(url));
}

/** Returns the host of a target without `www.`, or the text itself if it is not a valid target. */
export function toSite(target: string): string {
  const url = parseTargetUrl(target);
  return url ? toHost(url) : target;
}

function parseTargetUrl(text: string): URL | null {
  const trimmed = text.trim();
  const url = parseHttp(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (!url || url.username) return null;
  const host = url.hostname.replace(/\.$/, '');
  if (!/^[^\s.]+(\.[^\s.]+)+$|^\[/.test(host)) return null;
  return isPublicSuffix(host) ? null : url;
}

function isPublicSuffix(host: string): boolean {
  return getPublicSuffix(host, { allowPrivateDomains: false }) === host;
}

function impliedMatch({ pathname, search }: URL): TargetMatch {
  const isFrontPage = pathname === '/' && pageParameters(search).length === 0;
  return isFrontPage ? 'site' : 'page';
}

/** Returns whether a result matches; false for an invalid URL, null if the provider may have changed its URL. */
export function matchesTarget(
  target: RankTarget,
  resultUrl: string,
  spelling: UrlSpelling = 'google',
): boolean | null {
  const result = toComparable(resultUrl);
  if (!result) return false;
  switch (target.match) {
    case 'site':
      return result.host === target.host || result.host.endsWith(`.${target.host}`);
    case 'host':
      return result.host === target.host;
    case 'page':
      return isSamePage(result, target, spelling);
    case 'prefix':
      return result.host === target.host && `${result.path}/`.startsWith(`${target.path}/`);
  }
}

/**
 * Returns whether a result is the wanted page, regardless of scheme, `www.`, fragment, default port, a final slash and
 * tracking parameters. Returns null if the result may be the page, but the provider omits some parameters.
 */
export function isSamePage(
  shown: Comparable,
  wanted: Comparable,
  spelling: UrlSpelling = 'google',
): boolean | null {
  const toPath = ({ path }: Comparable) => (spelling === 'sorted' ? path.replace(/\/+$/, '') : path);
  if (shown.host !== wanted.host || toPath(shown) !== toPath(wanted)) return false;
  return isSameQueryString(shown.query, wanted.query, spelling);
}

/** Returns whether two URLs are the same except for their parameters. */
export function isSamePath(a: Comparable, b: Comparable): boolean {
  return a.host === b.host && a.path === b.path;
}

/**
 * Returns the normal form of a URL; null if the URL is invalid. All URLs of one page have the same normal form. The
 * case of the path and the order of parameters matter. Percent-encoding matters only where servers may distinguish the
 * spellings. A URL of one of Google's viewers has the normal form of the page that the viewer shows.
 */
export function toComparable(address: string): Comparable | null {
  const url = parseHttp(address);
  return url && toParts(url);
}

/**
 * Returns a URL as a query for Google: without scheme, `www.`, fragment and tracking parameters. Before a public
 * suffix, `www.` stays, because `site:gov.uk` matches thousands of sites. Throws `TypeError`.
 */
export function toSearchText(address: string): string {
  const url = parseHttp(address);
  if (!url) throw new TypeError('the caller must validate the URL');
  const host = toHost(url);
  const query = pageParameters(url.search).join('&');
  const path = url.pathname === '/' && query === '' ? '' : url.pathname;
  return `${isPublicSuffix(host) ? 'www.' : ''}${host}${path}${query === '' ? '' : `?${query}`}`;
}

function parseHttp(address: string): URL | null {
  const url = parseUrl(address);
  return url && /^https?:$/.test(url.protocol) ? (unwrapViewer(url) ?? url) : null;
}

function toParts(url: URL): Comparable {
  return {
    host: toHost(url),
    path: normaliseEscapes(url.pathname, inPath).replace(/\/$/, ''),
    query: pageParameters(url.search).map(normaliseParameter).join('&'),
  };
}

function toHost({ hostname, port }: URL): string {
  return hostname.replace(/\.$/, '').replace(/^www\./, '') + (port === '' ? '' : `:${port}`);
}

/** Parameters that name the source of a visit and do not change the page. */
const trackingParameters = new Set(
  `gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid gclaw srsltid fbclid msclkid twclid ttclid li_fat_id
  igshid igsh yclid ysclid _openstat epik sccid irclickid irgwc wickedid vero_id vero_conv rb_clickid s_kwcid
  CMP _ga _gl _gac _ke _branch_match_id mc_cid mc_eid _hsenc _hsmi __hssc __hstc __hsfp hsCtaTracking mkt_tok
  oly_anon_id oly_enc_id ml_subscriber ml_subscriber_hash piwik_campaign piwik_kwd pk_campaign pk_kwd mtm_campaign
  mtm_keyword mtm_source mtm_medium mtm_content mtm_cid matomo_campaign ref_src ref_url`.split(/\s+/),
);

/** Returns the parameters that may change the page, as written. */
function pageParameters(search: string): string[] {
  const parameters = search.replace(/^\?/, '').split('&');
  return parameters.filter((parameter) => parameter !== '' && !isTracking(parameter));
}

function isTracking(parameter: string): boolean {
  const name = normaliseParameter(parameter.split('=', 1)[0] ?? '');
  return /^utm_/i.test(name) || trackingParameters.has(name);
}

function normaliseParameter(parameter: string): string {
  return normaliseEscapes(parameter, inQuery);
}

/**
 * Characters whose escapes mean the same to every server. These are the unreserved characters of RFC 3986 and, in a
 * path, reserved characters without a meaning in http. `; & = +` have a meaning for some servers.
 */
const inPath = /[\w.~!$'()*,:@-]/;
const inQuery = /[\w.~-]/;

/** Characters that a URI must escape (RFC 3986 section 2), but `URL` leaves in place. */
const neverRaw = /["<>\\^`{|}[\]]/g;
/** Matches escapes. Excludes an escape after a stray percent sign, because decoding it could create another escape. */
const escapes = /(?<!%[0-9a-f]?)%[0-9a-f]{2}/gi;

/**
 * Returns the normal spelling of a part of a URL. Needless escapes are decoded. All other escapes are in upper case.
 */
function normaliseEscapes(text: string, isPlain: RegExp): string {
  const plain = text.replace(escapes, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return isPlain.test(character) ? character : escaped.toUpperCase();
  });
  return plain.replace(neverRaw, (raw) => `%${raw.charCodeAt(0).toString(16).toUpperCase()}`);
}
