import type { Cost, Failed } from '../outcome.ts';
import type { ProviderError, ProviderErrorKind } from './serp.ts';

/** Failures that time alone may mend. */
const outageKinds = new Set<ProviderErrorKind>(['upstream', 'timeout', 'rate_limit']);
/** Failures of providers that cannot be asked until the operator acts. They are ignored if another provider failed. */
const operatorKinds = new Set<ProviderErrorKind>(['auth', 'quota', 'unsupported']);

/** No provider could answer; `errors` has one for each that was asked, in that order. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
  readonly errors: ProviderError[];
  readonly cost: Cost;
  /** True also for pages that another check of the chunk has paid for: `cost` does not count these. */
  readonly hasReadPages: boolean;

  constructor(errors: ProviderError[], cost: Cost = { pages: 0 }, { hasReadPages = false } = {}) {
    super(errors.map(({ message }) => message).join('; ') || 'no provider can be asked for this');
    this.errors = errors;
    this.cost = cost;
    this.hasReadPages = hasReadPages;
  }

  /** Whether one of the providers may answer when asked again. */
  get isRetryable(): boolean {
    return this.errors.some(({ isRetryable }) => isRetryable);
  }

  /**
   * Whether every provider that can be asked was down, silent or limiting us, before any page was read. After a page,
   * or an answer that could not be read, each further try would buy pages again.
   */
  get isOutage(): boolean {
    const kinds = this.errors.map(({ kind }) => kind).filter((kind) => !operatorKinds.has(kind));
    return !this.hasReadPages && kinds.length > 0 && kinds.every((kind) => outageKinds.has(kind));
  }

  /** The longest pause that a provider worth asking again has named; null when none has. */
  get retryAfterSeconds(): number | null {
    const pauses = this.errors.flatMap((error) => (error.isRetryable ? (error.retryAfterSeconds ?? []) : []));
    return pauses.length > 0 ? Math.max(...pauses) : null;
  }
}

/** Returns the outcome of a check whose search failed. Rethrows errors that are not a `SearchError`. */
export function searchFailure(error: unknown): Failed {
  if (!(error instanceof SearchError)) throw error;
  const kinds = error.errors.map(({ kind }) => kind);
  const failed = { state: 'failed' as const, cause: error, cost: error.cost };
  if (kinds.length > 0 && kinds.every((kind) => kind === 'auth' || kind === 'quota')) {
    return { ...failed, error: 'provider_refused', isRetryable: false };
  }
  if (kinds.at(-1) === 'rewritten') {
    return { ...failed, error: 'query_rewritten', isRetryable: false };
  }
  return {
    ...failed,
    error: 'google_unreadable',
    isRetryable: error.isRetryable,
    retryAfterSeconds: error.retryAfterSeconds,
    ...(error.isOutage && { isOutage: true }),
  };
}
