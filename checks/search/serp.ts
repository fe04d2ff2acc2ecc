import type { FeatureType, overviewStates } from '../../schemas/features.ts';
import type { RankTarget } from './target.ts';
import type { UrlSpelling } from './url-spelling.ts';

/** Request for one page of Google results. */
export interface SerpRequest {
  /** Query as a person would type it, perhaps with operators such as `site:`. */
  query: string;
  /** ISO 3166 alpha-2, upper case: `GB`, never `UK`. */
  country: string;
  /** Interface language as Google's `hl`: `en`, `zh-CN`, `iw`. */
  language: string;
  device: 'desktop' | 'mobile';
  /** City in `country` to search from; absent for the whole country. */
  location?: SerpLocation;
  /** From 1. Google shows eight to ten results on each page, and counts each page as ten results. */
  page: number;
  /** Switches off duplicate filter, safe search, personalisation and auto-correction. */
  isUnfiltered: boolean;
  /** Parts of the first page to read beside the results; absent for none. */
  wants?: readonly SerpPart[];
}

/** The request that a reply must answer. `query` is missing for a recording whose query is unknown. */
export type AskedPage = Partial<Pick<SerpRequest, 'query' | 'page' | 'wants'>>;

export type SerpPart = 'features' | 'ai_overview';

export interface SerpLocation {
  /** City, region and country as in Google's list of locations, such as `Austin,Texas,United States`. */
  name: string;
  latitude: number;
  longitude: number;
}

/** Organic result. `url` is as in the page, without Google's redirects and viewers. */
export interface SerpResult {
  url: string;
  title: string;
}

/**
 * Valid page of results; anything else is thrown as a `ProviderError`.
 *
 * Shape: `results` are the organic entries from top to bottom, including several of one site, without ads, boxes,
 * carousels, sitelinks or panels. They are empty only if Google says that nothing matches. A page read from HTML lists
 * the URL of a featured snippet once: as a plain result if the page has one for this URL, otherwise at the position of
 * the snippet. Providers that parse pages report the URL only in `featuredSnippetUrl` (null: no snippet, or not
 * reported). `urlSpelling` is absent if URLs are as Google links them.
 */
export interface Serp {
  results: SerpResult[];
  featuredSnippetUrl: string | null;
  urlSpelling?: UrlSpelling;
  isSimulated?: true;
  /** Only if it was requested, and only on the first page, if that page has results. */
  features?: SerpFeatures;
  aiOverview?: SerpOverview;
}

/** Blocks of the first page. Blocks of types that are not in `visible` may also be on the page. */
export interface SerpFeatures {
  visible: FeatureType[];
  found: SerpFeature[];
}

/** Block of a page, or all blocks of one type. */
interface SerpFeature {
  type: FeatureType;
  /** Number of the block from the top; null if it is not reported. */
  position: number | null;
  /** Empty if none are reported. */
  urls: string[];
}

/** AI Overview. Its state is `shown` only if all of its sources could be read. */
export interface SerpOverview {
  state: (typeof overviewStates)[number];
  /** Each URL once. */
  sources: { url: string; title: string; source: string }[];
  text: string | null;
  /** Token with which the provider returns the overview in a second call. */
  token?: string;
}

/** Query without a page number. */
export type SerpQuery = Omit<SerpRequest, 'page'>;

/** Pages `from` to `to`, inclusive. The search may end at the first match of `stopAt`. */
export interface PageRange {
  from: number;
  to: number;
  stopAt: RankTarget | null;
}

/** One page of a range, or several whose boundaries are unknown. */
export interface SerpPage extends Serp {
  /** Null when the provider does not report it. */
  page: number | null;
  /** Number of Google's pages that these results come from. */
  pagesRead: number;
  /** True if `pagesRead` is an estimate, so that more results may follow. */
  isDepthGuessed?: true;
  /** True if the crawl may have ended before the end of the results. */
  isCutShort?: true;
}

/** Pages of one call, and the number of pages paid for. */
export interface Crawl {
  pages: SerpPage[];
  pagesPaid: number;
}

/** Searches that a provider supports. */
export interface SerpSupport {
  mobile: boolean;
  countries: 'any' | ReadonlySet<string>;
  languages: 'any' | ReadonlySet<string>;
  /** Countries in which the provider can search from a city. */
  locations: 'any' | ReadonlySet<string>;
  /** True if the provider reports AI Overviews. Such providers are asked first if an overview is wanted. */
  aiOverviews: boolean;
}

/** Support for every search. Each provider overrides what it does not support. */
export const supportsAll: SerpSupport = {
  mobile: true,
  countries: 'any',
  languages: 'any',
  locations: 'any',
  aiOverviews: true,
};

interface Provider {
  name: string;
  supports: SerpSupport;
}

/** Provider that returns one page per call. */
export interface PageProvider extends Provider {
  /** Throws `ProviderError`. */
  search(request: SerpRequest): Promise<Serp>;
  /** Returns the AI Overview of a token. Costs as much as a search. Throws `ProviderError`. */
  readOverview?(token: string): Promise<SerpOverview>;
}

/** Provider that reads a range in one call, always from page 1, and charges for each page. */
export interface CrawlProvider extends Provider {
  /** Throws `ProviderError`. */
  crawl(query: SerpQuery, range: PageRange): Promise<Crawl>;
}

export type SerpProvider = PageProvider | CrawlProvider;

/**
 * Kinds of provider errors, and whether a later retry may help. `blocked`: captcha, verification, consent or
 * access-denied page. `rewritten`: results for another query. `unreadable`: an answer in an unknown form or layout.
 * `unsupported`: a search that the provider does not support.
 */
const retryableKinds = {
  blocked: true,
  rewritten: false,
  quota: false,
  auth: false,
  rate_limit: true,
  bad_request: false,
  unreadable: false,
  upstream: true,
  timeout: true,
  unsupported: false,
} as const;

export type ProviderErrorKind = keyof typeof retryableKinds;

/** Kinds of errors that the query causes. */
const queryKinds = new Set<ProviderErrorKind>(['rewritten', 'unsupported', 'bad_request']);

/**
 * Failure of a provider to return the requested page. It says nothing about the URL or keyword. Shape:
 * `retryAfterSeconds` is the pause that the provider named, or null. `isOfQueryOnly` is true when the provider would
 * answer other queries. `message` and `cause` contain no credentials.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly provider: string;
  readonly kind: ProviderErrorKind;
  readonly isRetryable: boolean;
  readonly retryAfterSeconds: number | null;
  readonly isOfQueryOnly: boolean;

  constructor(
    provider: string,
    kind: ProviderErrorKind,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number | null; isOfQueryOnly?: boolean } = {},
  ) {
    super(`${provider}: ${message}`, options.cause === undefined ? {} : { cause: options.cause });
    this.provider = provider;
    this.kind = kind;
    this.isRetryable = retryableKinds[kind];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.isOfQueryOnly = options.isOfQueryOnly ?? queryKinds.has(kind);
  }
}

export function createRewrittenError(provider: string): ProviderError {
  return new ProviderError(provider, 'rewritten', 'Google answered another query');
}

/** Creates the error for a result that may be the wanted page, but whose URL lacks parameters. */
export function createRespelledUrlError(provider: string): ProviderError {
  return new ProviderError(
    provider,
    'unreadable',
    'a result may be the wanted page, but its URL lacks parameters',
  );
}

/** Returns the first field of a request that a provider does not support; null when it supports the request. */
export function unsupportedField(
  supports: SerpSupport,
  request: Pick<SerpRequest, 'country' | 'language' | 'device' | 'location'>,
): 'device' | 'country' | 'language' | 'location' | null {
  if (request.device === 'mobile' && !supports.mobile) return 'device';
  if (supports.countries !== 'any' && !supports.countries.has(request.country)) return 'country';
  if (supports.languages !== 'any' && !supports.languages.has(request.language)) return 'language';
  if (request.location && supports.locations !== 'any' && !supports.locations.has(request.country))
    return 'location';
  return null;
}

/** Maximum length of a kept URL. No longer URL can be checked, so further characters are never compared. */
const urlCharsMax = 4_096;
const titleCharsMax = 160;

/** Creates a page. An empty list means that Google says that nothing matches. */
export function toSerp(results: SerpResult[], featuredSnippetUrl: string | null = null): Serp {
  return {
    results: results.map(({ url, title }) => ({
      url: copyStart(url, urlCharsMax),
      title: copyStart(title, titleCharsMax),
    })),
    featuredSnippetUrl: featuredSnippetUrl && copyStart(featuredSnippetUrl, urlCharsMax),
  };
}

/** Copies the start of a text. A slice would keep the whole text in memory, for example a page of a megabyte. */
function copyStart(text: string, charsMax: number): string {
  return Buffer.from(text.slice(0, charsMax), 'utf16le').toString('utf16le');
}
