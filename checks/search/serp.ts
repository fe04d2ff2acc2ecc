/** One page of Google results, asked for. */
export interface SerpRequest {
  /** The query as a person would type it; operators such as `site:` only where `supports.operators` is true. */
  query: string;
  /** ISO 3166 alpha-2, upper case: `GB`, never `UK`. */
  country: string;
  /** Google's own form of the interface language: `en`, `zh-CN`, `iw`. */
  language: string;
  device: 'desktop' | 'mobile';
  /** From 1, ten results each. */
  page: number;
  /** True: no duplicate filter, no safe search, no personalisation, no auto-correction (DESIGN section 7). */
  isUnfiltered: boolean;
}

/** One organic entry, its address exactly as the page links to it (Google's redirect taken off). */
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
 * `featuredSnippetUrl` (null: the page shows none, or the provider does not tell). `isNoResults` is true exactly when
 * `results` is empty, and then Google itself has said that nothing matches. `isSimulated` marks invented answers.
 */
export interface Serp {
  results: SerpResult[];
  featuredSnippetUrl: string | null;
  isNoResults: boolean;
  isSimulated?: true;
}

/** What a provider can be asked for; it is never asked for more. */
export interface SerpSupport {
  mobile: boolean;
  countries: 'any' | ReadonlySet<string>;
  languages: 'any' | ReadonlySet<string>;
  /** Search operators such as `site:`. */
  operators: boolean;
}

/** An upstream that returns SERPs. */
export interface SerpProvider {
  name: string;
  supports: SerpSupport;
  /** Errors: `ProviderError`; the signal's own reason if the caller gave up for another cause than time. */
  search(request: SerpRequest, signal: AbortSignal): Promise<Serp>;
}

/**
 * Everything that can keep a provider from answering, and whether asking the same provider again a little later may
 * help. `blocked`: captcha, verification, consent or access-denied page. `rewritten`: results for another query.
 * `unreadable`: an answer we do not understand, an unknown layout among them. `unsupported`: we should not have asked.
 */
const RETRYABLE = {
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

export type ProviderErrorKind = keyof typeof RETRYABLE;

/**
 * No answer: the page that would have told us never came, or was not the page asked for. Not a finding about the
 * address or keyword (DESIGN section 1).
 *
 * Shape: `retryAfterSeconds` is null unless the provider named a pause. `message` and `cause` carry no credentials.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly provider: string;
  readonly kind: ProviderErrorKind;
  readonly isRetryable: boolean;
  readonly retryAfterSeconds: number | null;

  constructor(
    provider: string,
    kind: ProviderErrorKind,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number | null } = {},
  ) {
    super(`${provider}: ${message}`, options.cause === undefined ? {} : { cause: options.cause });
    this.provider = provider;
    this.kind = kind;
    this.isRetryable = RETRYABLE[kind];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
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
export function defineProvider({ name, supports, search }: SerpProvider): SerpProvider {
  return {
    name,
    supports,
    async search(request, signal) {
      const field = unsupportedField(supports, request);
      if (field !== null) throw new ProviderError(name, 'unsupported', `cannot be asked for this ${field}`);
      return search(request, signal);
    },
  };
}

/** The genuine page these results make; an empty list is Google's own "nothing matches". */
export function toSerp(results: SerpResult[], featuredSnippetUrl: string | null = null): Serp {
  return { results, featuredSnippetUrl, isNoResults: results.length === 0 };
}
