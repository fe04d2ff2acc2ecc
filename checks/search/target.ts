import { getPublicSuffix } from 'tldts';

/**
 * How a result must relate to what was asked for. `site`: the host, with or without `www.`, and
 * its subdomains. `host`: no subdomains. `page`: this address only. `prefix`: this path and everything below.
 */
export const targetMatches = ['site', 'host', 'page', 'prefix'] as const;
export type TargetMatch = (typeof targetMatches)[number];

export interface Target {
  match: TargetMatch;
  /** Without `www.`, in ASCII form, with a port that is not the scheme's own. */
  host: string;
  /** Without a slash at the end; empty for the front page. */
  path: string;
  /** Without tracking parameters and the question mark; empty when there are none. */
  query: string;
}

/** An address taken apart for comparison; what does not tell pages apart is gone. */
export type Comparable = Omit<Target, 'match'>;

/**
 * What a caller wants found: a domain, or an address with or without a scheme. Without `match`, an empty path and no
 * query mean a site, anything else a page. Null when it is neither, or a public suffix such as `co.uk`.
 */
export function readTarget(text: string, match?: TargetMatch): Target | null {
  const trimmed = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (URL.parse(address)?.username) return null;
  const parts = takeApart(address);
  if (!parts || !/^[^\s.]+(\.[^\s.]+)+$|^\[/.test(parts.host)) return null;
  if (getPublicSuffix(parts.host, { allowPrivateDomains: false }) === parts.host) return null;
  const isFrontPage = parts.path === '' && parts.query === '';
  return { match: match ?? (isFrontPage ? 'site' : 'page'), ...parts };
}

/** Whether a result's address is what was asked for. An address that cannot be read is not. */
export function matchesTarget(target: Target, resultUrl: string): boolean {
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
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const port = url.port === '' ? '' : `:${url.port}`;
  return {
    host: url.hostname.replace(/\.$/, '').replace(/^www\./, '') + port,
    path: normaliseEscapes(url.pathname).replace(/\/$/, ''),
    query: withoutTracking(url.search),
  };
}

/** The address as Google is asked for it: without scheme, `www.`, fragment and tracking parameters. */
export function searchable(address: string): string {
  const url = new URL(address);
  const { host } = takeApart(address) ?? { host: url.host };
  const query = withoutTracking(url.search);
  const path = url.pathname === '/' && query === '' ? '' : url.pathname;
  return `${host}${path}${query === '' ? '' : `?${query}`}`;
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
  const parameters = search.replace(/^\?/, '').split('&');
  return parameters
    .filter((parameter) => parameter !== '' && !isTracking(parameter))
    .map(normaliseEscapes)
    .join('&');
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
