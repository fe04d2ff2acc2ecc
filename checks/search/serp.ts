import type { RankTarget } from './target.ts';
import type { UrlSpelling } from './url-spelling.ts';

/** One page of Google results, asked for. */
export interface SerpRequest {
  /** The query as a person would type it; operators such as `site:` only where `supports.operators` is true. */
  query: string;
  /** ISO 3166 alpha-2, upper case: `GB`, never `UK`. */
  country: string;
  /** Google's own form of the interface language: `en`, `zh-CN`, `iw`. */
  language: string;
  device: 'desktop' | 'mobile';
  /** From 1; Google puts eight to ten results on each, and counts ten. */
  page: number;
  /** True: no duplicate filter, no safe search, no personalisation, no auto-correction. */
  isUnfiltered: boolean;
}

/** One organic entry, its address as the page links to it (Google's redirects and viewers taken off). */
export interface SerpResult {
  url: string;
  title: string;
}

/**
 * A genuine page of results; anything else is thrown as a `ProviderError`.
 *
 * Shape: `results` are the organic entries of that page from top to bottom, several of one site each by itself,
 * without ads, boxes, carousels, sitelinks or panels. Raw pages count the page behind a featured snippet once: where
 * it stands as a plain result, else at the place of the snippet; providers that parse for us keep it apart, in
 * `featuredSnippetUrl` (null: the page shows none, or the provider does not tell). Where `results` is empty Google
 * itself has said that nothing matches. `urlSpelling` is left out where addresses are as Google links them.
 * `isSimulated` marks invented answers.
 */
export interface Serp {
  results: SerpResult[];
  featuredSnippetUrl: string | null;
  urlSpelling?: UrlSpelling;
  isSimulated?: true;
}

/** Query without a page number. */
export type SerpQuery = Omit<SerpRequest, 'page'>;

/** Pages `from` to `to`, both included; the search may end where `stopAt` is first seen. */
export interface PageRange {
  from: number;
  to: number;
  stopAt: RankTarget | null;
}

/** One page of a range, or several of which it is not known where one ends. */
export interface SerpPage extends Serp {
  /** Null when the provider does not say it. */
  page: number | null;
  /** How many of Google's pages these results are of. */
  pagesRead: number;
  /** Nobody says how many they are, so whether more follow is not known. */
  isDepthGuessed?: true;
  /** The crawl did not show where the results end, so what follows this page is not known. */
  isCutShort?: true;
}

/** A range as one call brought it, and what was paid for it. */
export interface Crawl {
  pages: SerpPage[];
  pagesPaid: number;
}

/** Limits of what a provider can be asked for. */
export interface SerpSupport {
  mobile: boolean;
  countries: 'any' | ReadonlySet<string>;
  languages: 'any' | ReadonlySet<string>;
  /** Search operators such as `site:`. */
  operators: boolean;
}

interface Provider {
  name: string;
  supports: SerpSupport;
}

/** An upstream that is asked for one page at a time. */
export interface PageProvider extends Provider {
  /** Errors: `ProviderError`; the signal's own reason if the caller gave up for another cause than time. */
  search(request: SerpRequest, signal: AbortSignal): Promise<Serp>;
}

/** An upstream that reads a range in one call, from the first page on, and is paid for each page of it. */
export interface CrawlProvider extends Provider {
  /** Errors: as a page provider's. */
  crawl(query: SerpQuery, range: PageRange, signal: AbortSignal): Promise<Crawl>;
}

/** An upstream that returns SERPs. */
export type SerpProvider = PageProvider | CrawlProvider;

/**
 * Everything that can keep a provider from answering, and whether asking the same provider again a little later may
 * help. `blocked`: captcha, verification, consent or access-denied page. `rewritten`: results for another query.
 * `unreadable`: an answer we do not understand, an unknown layout among them. `unsupported`: we should not have asked.
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

/** Errors of a query, not of the provider. */
const queryKinds = new Set<ProviderErrorKind>(['rewritten', 'unsupported', 'bad_request']);

/**
 * No answer: the page that would have told us never came, or was not the page asked for. Not a finding about the
 * address or keyword.
 *
 * Shape: `retryAfterSeconds` is null unless the provider named a pause. `isOfQueryOnly` is true when the provider would
 * answer other queries. `message` and `cause` carry no credentials.
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

/** Creates the error for a result that may be the wanted one, but whose address lacks parameters. */
export function createRespelledUrlError(provider: string): ProviderError {
  return new ProviderError(
    provider,
    'unreadable',
    'a result whose address lacks parameters of the one asked for',
  );
}

/** The first field of a request that is more than a provider supports; null when it can be asked. */
export function unsupportedField(
  supports: SerpSupport,
  request: Pick<SerpRequest, 'query' | 'country' | 'language' | 'device'>,
): 'device' | 'country' | 'language' | 'query' | null {
  if (request.device === 'mobile' && !supports.mobile) return 'device';
  if (supports.countries !== 'any' && !supports.countries.has(request.country)) return 'country';
  if (supports.languages !== 'any' && !supports.languages.has(request.language)) return 'language';
  if (!supports.operators && /(^|\s)(site|inurl|intitle|info|filetype):/i.test(request.query)) return 'query';
  return null;
}

/** The provider, refusing by itself what it does not support: never desktop results for a mobile question. */
export function defineProvider(provider: SerpProvider): SerpProvider {
  const refuse = (query: SerpQuery) => {
    const field = unsupportedField(provider.supports, query);
    if (field !== null)
      throw new ProviderError(provider.name, 'unsupported', `cannot be asked for this ${field}`);
  };
  const { name, supports } = provider;
  if ('crawl' in provider) {
    return {
      name,
      supports,
      async crawl(query, range, signal) {
        refuse(query);
        return provider.crawl(query, range, signal);
      },
    };
  }
  return {
    name,
    supports,
    async search(request, signal) {
      refuse(request);
      return provider.search(request, signal);
    },
  };
}

/** One page by itself, however the provider reads. Errors: `ProviderError`; the signal's reason. */
export async function askForPage(
  provider: SerpProvider,
  request: SerpRequest,
  signal: AbortSignal,
): Promise<Serp> {
  if ('search' in provider) return provider.search(request, signal);
  const { page, ...query } = request;
  const { pages } = await provider.crawl(query, { from: page, to: page, stopAt: null }, signal);
  return toSerp(
    pages.flatMap(({ results }) => results),
    pages[0]?.featuredSnippetUrl,
  );
}

/** Longer than an address that anybody asks for; what comes after is never looked at. */
const urlCharsMax = 4_096;
const titleCharsMax = 160;

/** The genuine page these results make; an empty list is Google's own "nothing matches". */
export function toSerp(results: SerpResult[], featuredSnippetUrl: string | null = null): Serp {
  return {
    results: results.map(({ url, title }) => ({
      url: cut(url, urlCharsMax),
      title: cut(title, titleCharsMax),
    })),
    featuredSnippetUrl: featuredSnippetUrl && cut(featuredSnippetUrl, urlCharsMax),
  };
}

/** A copy: a part of a text keeps the whole of it in memory, be it a page of a megabyte. */
function cut(text: string, charsMax: number): string {
  return Buffer.from(text.slice(0, charsMax), 'utf16le').toString('utf16le');
}
