import { getPublicSuffix } from 'tldts';
import { parseUrl } from '../../net/url.ts';

/**
 * How a result must relate to what was asked for. `site`: the host, with or without `www.`, and
 * its subdomains. `host`: no subdomains. `page`: this address only. `prefix`: this path and everything below.
 */
export const targetMatches = ['site', 'host', 'page', 'prefix'] as const;
export type TargetMatch = (typeof targetMatches)[number];

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
 * What a caller wants found: a domain, or an address with or without a scheme. Without `match`, an empty path and no
 * query mean a site, anything else a page. Null when it is neither, or a public suffix such as `co.uk`.
 */
export function readRankTarget(text: string, match?: TargetMatch): RankTarget | null {
  const url = addressOf(text);
  return url && { match: match ?? impliedMatch(url), ...partsOf(url) };
}

/**
 * What `readRankTarget` would answer as `match`, without what is only needed to compare pages: for lists of which
 * each entry is judged. Null for what is no target.
 */
export function readMatch(text: string, match?: TargetMatch): TargetMatch | null {
  const url = addressOf(text);
  return url && (match ?? impliedMatch(url));
}

function addressOf(text: string): URL | null {
  const trimmed = text.trim();
  const url = parseHttp(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (!url || url.username) return null;
  const host = hostOf(url);
  if (!/^[^\s.]+(\.[^\s.]+)+$|^\[/.test(host)) return null;
  return getPublicSuffix(host, { allowPrivateDomains: false }) === host ? null : url;
}

function impliedMatch({ pathname, search }: URL): TargetMatch {
  const isFrontPage = pathname === '/' && parametersOf(search).length === 0;
  return isFrontPage ? 'site' : 'page';
}

/** Whether a result's address is what was asked for. An address that cannot be read is not. */
export function matchesTarget(target: RankTarget, resultUrl: string): boolean {
  const result = takeApart(resultUrl);
  if (!result) return false;
  switch (target.match) {
    case 'site':
      return result.host === target.host || result.host.endsWith(`.${target.host}`);
    case 'host':
      return result.host === target.host;
    case 'page':
      return isSamePage(result, target);
    case 'prefix':
      return result.host === target.host && `${result.path}/`.startsWith(`${target.path}/`);
  }
}

/**
 * Whether two addresses lead to one page: scheme, `www.`, fragment, default port, a slash at the end and
 * tracking aside.
 */
export function isSamePage(a: Comparable, b: Comparable): boolean {
  return a.host === b.host && a.path === b.path && a.query === b.query;
}

/** Whether two addresses differ in their parameters only. */
export function isSamePath(a: Comparable, b: Comparable): boolean {
  return a.host === b.host && a.path === b.path;
}

/**
 * Null for what is no http or https address. Path case and the order of parameters count; percent-encoding
 * does not.
 */
export function takeApart(address: string): Comparable | null {
  const url = parseHttp(address);
  return url && partsOf(url);
}

/** The address as Google is asked for it: without scheme, `www.`, fragment and tracking parameters. */
export function searchable(address: string): string {
  const url = new URL(address);
  const host = isHttp(url) ? hostOf(url) : url.host;
  const query = withoutTracking(url.search);
  const path = url.pathname === '/' && query === '' ? '' : url.pathname;
  return `${host}${path}${query === '' ? '' : `?${query}`}`;
}

function parseHttp(address: string): URL | null {
  const url = parseUrl(address);
  return url && isHttp(url) ? url : null;
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

function partsOf(url: URL): Comparable {
  return {
    host: hostOf(url),
    path: normaliseEscapes(url.pathname).replace(/\/$/, ''),
    query: withoutTracking(url.search),
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

function withoutTracking(search: string): string {
  return parametersOf(search).map(normaliseEscapes).join('&');
}

/** The parameters that say something about the page, as they stand. */
function parametersOf(search: string): string[] {
  const parameters = search.replace(/^\?/, '').split('&');
  return parameters.filter((parameter) => parameter !== '' && !isTracking(parameter));
}

function isTracking(parameter: string): boolean {
  const [name = ''] = parameter.split('=', 1);
  return /^utm_/i.test(name) || trackingParameters.has(name);
}

/** RFC 3986 section 6.2.2: escapes of unreserved characters undone, the others in upper case. */
function normaliseEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
  });
}
