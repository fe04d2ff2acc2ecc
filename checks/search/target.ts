import { getPublicSuffix } from 'tldts';
import { parseUrl } from '../../net/url.ts';
import { pageShownBy } from './google/viewers.ts';
import { isSameQueryString, type UrlSpelling } from './url-spelling.ts';

/**
 * How a result must relate to what was asked for. `site`: the host, with or without `www.`, and
 * its subdomains. `host`: no subdomains. `page`: this address only. `prefix`: this path and everything below.
 */
export type TargetMatch = 'site' | 'host' | 'page' | 'prefix';

export interface RankTarget {
  match: TargetMatch;
  /** Without `www.`, in ASCII form, with a port that is not the scheme's own. */
  host: string;
  /** Without a slash at the end; empty for the front page. */
  path: string;
  /** Without tracking parameters and the question mark; empty when there are none. */
  query: string;
}

/** An address taken apart for comparison; what does not tell pages apart is gone. */
export type Comparable = Omit<RankTarget, 'match'>;

/**
 * Target that a caller wants found: a domain, or an address with or without a scheme. Without `match`, an empty path
 * and no query mean a site, anything else a page. Null when it is neither, or a public suffix such as `co.uk`.
 * `www.gov.uk` is a website, but the sites below its suffix are other people's: as a site it is read as a host.
 */
export function readRankTarget(text: string, match?: TargetMatch): RankTarget | null {
  const url = addressOf(text);
  if (!url) return null;
  const parts = partsOf(url);
  const asked = match ?? impliedMatch(url);
  return { match: asked === 'site' && isPublicSuffix(parts.host) ? 'host' : asked, ...parts };
}

/**
 * The `match` of a target as its caller means it, without what is only needed to compare pages: for lists of which
 * each entry is judged. Null for what `readRankTarget` refuses.
 */
export function readMatch(text: string, match?: TargetMatch): TargetMatch | null {
  const url = addressOf(text);
  return url && (match ?? impliedMatch(url));
}

function addressOf(text: string): URL | null {
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
  const isFrontPage = pathname === '/' && parametersOf(search).length === 0;
  return isFrontPage ? 'site' : 'page';
}

/**
 * Whether a result's address is what was asked for. An address that cannot be read is not. Null where it may be, but
 * the provider has respelled it.
 */
export function matchesTarget(
  target: RankTarget,
  resultUrl: string,
  spelling: UrlSpelling = 'google',
): boolean | null {
  const result = takeApart(resultUrl);
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
 * Whether a result is the page that is wanted: scheme, `www.`, fragment, default port, a slash at the end and
 * tracking aside. Null where it may be, but the provider does not tell all parameters.
 */
export function isSamePage(
  shown: Comparable,
  wanted: Comparable,
  spelling: UrlSpelling = 'google',
): boolean | null {
  const pathOf = ({ path }: Comparable) => (spelling === 'sorted' ? path.replace(/\/+$/, '') : path);
  if (shown.host !== wanted.host || pathOf(shown) !== pathOf(wanted)) return false;
  return isSameQueryString(shown.query, wanted.query, spelling);
}

/** Whether two addresses differ in their parameters only. */
export function isSamePath(a: Comparable, b: Comparable): boolean {
  return a.host === b.host && a.path === b.path;
}

/**
 * The normal form of an address: pages with the same one are one page. Null for what is no http or https address. Path
 * case and the order of parameters count. Percent-encoding counts only where servers may tell the spellings apart, and
 * one of Google's viewers is the page that it shows.
 */
export function takeApart(address: string): Comparable | null {
  const url = parseHttp(address);
  return url && partsOf(url);
}

/**
 * An http or https address as Google is asked for it: without scheme, `www.`, fragment and tracking parameters. Before
 * a public suffix `www.` stays, for `site:gov.uk` is thousands of sites. Errors: `TypeError`.
 */
export function searchable(address: string): string {
  const url = parseHttp(address);
  if (!url) throw new TypeError('the caller validates addresses');
  const host = hostOf(url);
  const query = parametersOf(url.search).join('&');
  const path = url.pathname === '/' && query === '' ? '' : url.pathname;
  return `${isPublicSuffix(host) ? 'www.' : ''}${host}${path}${query === '' ? '' : `?${query}`}`;
}

function parseHttp(address: string): URL | null {
  const url = parseUrl(address);
  return url && /^https?:$/.test(url.protocol) ? (pageShownBy(url) ?? url) : null;
}

function partsOf(url: URL): Comparable {
  return {
    host: hostOf(url),
    path: normaliseEscapes(url.pathname, inPath).replace(/\/$/, ''),
    query: parametersOf(url.search).map(normaliseParameter).join('&'),
  };
}

function hostOf({ hostname, port }: URL): string {
  return hostname.replace(/\.$/, '').replace(/^www\./, '') + (port === '' ? '' : `:${port}`);
}

/** Parameters that say where a visitor came from, and nothing about the page. */
const trackingParameters = new Set(
  `gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid gclaw srsltid fbclid msclkid twclid ttclid li_fat_id
  igshid igsh yclid ysclid _openstat epik sccid irclickid irgwc wickedid vero_id vero_conv rb_clickid s_kwcid
  CMP _ga _gl _gac _ke _branch_match_id mc_cid mc_eid _hsenc _hsmi __hssc __hstc __hsfp hsCtaTracking mkt_tok
  oly_anon_id oly_enc_id ml_subscriber ml_subscriber_hash piwik_campaign piwik_kwd pk_campaign pk_kwd mtm_campaign
  mtm_keyword mtm_source mtm_medium mtm_content mtm_cid matomo_campaign ref_src ref_url`.split(/\s+/),
);

/** The parameters that say something about the page, as they stand. */
function parametersOf(search: string): string[] {
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
 * Escapes that every server reads as the character: of what RFC 3986 calls unreserved, and in a path of what only
 * separates where a scheme says so, which http does not. `; & = +` separate for some servers.
 */
const inPath = /[\w.~!$'()*,:@-]/;
const inQuery = /[\w.~-]/;

/** Characters that a URI must escape (RFC 3986 section 2), but `URL` leaves in place. */
const neverRaw = /["<>\\^`{|}[\]]/g;
/** A percent sign of no escape stays, and so does what would make one of it. */
const escapes = /(?<!%[0-9a-f]?)%[0-9a-f]{2}/gi;

/** The one spelling of a part of an address: escapes undone where they say nothing, all others in upper case. */
function normaliseEscapes(text: string, isPlain: RegExp): string {
  const plain = text.replace(escapes, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return isPlain.test(character) ? character : escaped.toUpperCase();
  });
  return plain.replace(neverRaw, (raw) => `%${raw.charCodeAt(0).toString(16).toUpperCase()}`);
}
