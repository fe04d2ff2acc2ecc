import type { Cost, Failed } from '../outcome.ts';
import type { ProviderError, ProviderErrorKind } from './serp.ts';

/** Failures that may end without an action of the operator. */
const outageKinds = new Set<ProviderErrorKind>(['upstream', 'timeout', 'rate_limit']);
/** Failures that last until the operator acts. They are ignored if another provider failed for another reason. */
const operatorKinds = new Set<ProviderErrorKind>(['auth', 'quota', 'unsupported']);

/** Failure of all providers. `errors` has one error for each provider, in the order of the calls. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
  readonly errors: ProviderError[];
  readonly cost: Cost;
  /** True if pages were read, even if another check paid for them and `cost` omits them. */
  readonly hasReadPages: boolean;

  constructor(errors: ProviderError[], cost: Cost = { pages: 0 }, { hasReadPages = false } = {}) {
    super(errors.map(({ message }) => message).join('; ') || 'no provider supports this search');
    this.errors = errors;
    this.cost = cost;
    this.hasReadPages = hasReadPages;
  }

  /** Returns whether one of the providers may answer a retry. */
  get isRetryable(): boolean {
    return this.errors.some(({ isRetryable }) => isRetryable);
  }

  /**
   * Returns whether every usable provider was down, silent or rate-limiting us before any page was read. After a page
   * or an unreadable answer, each retry would pay for pages again.
   */
  get isOutage(): boolean {
    const kinds = this.errors.map(({ kind }) => kind).filter((kind) => !operatorKinds.has(kind));
    return !this.hasReadPages && kinds.length > 0 && kinds.every((kind) => outageKinds.has(kind));
  }

  /** Longest pause that a provider with a retryable error asked for; null if none asked for a pause. */
  get retryAfterSeconds(): number | null {
    const pauses = this.errors.flatMap((error) => (error.isRetryable ? (error.retryAfterSeconds ?? []) : []));
    return pauses.length > 0 ? Math.max(...pauses) : null;
  }
}

/** Returns the outcome of a check whose search failed. Rethrows errors that are not a `SearchError`. */
export function toSearchFailure(error: unknown): Failed {
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
