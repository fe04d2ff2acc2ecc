import type { Cost, Failed } from '../outcome.ts';
import type { ProviderError, ProviderErrorKind } from './serp.ts';

/** Failures that time alone may mend. A refused key or a used-up quota waits for the operator, not for minutes. */
const outageKinds = new Set<ProviderErrorKind>(['upstream', 'timeout', 'rate_limit']);

/** No provider could answer; `errors` has one for each that was asked, in that order. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
  readonly errors: ProviderError[];
  readonly cost: Cost;
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
   * Whether a provider was down, silent or limiting us, before any page was read. A search that fails after some pages
   * is no outage: each further try would buy those pages again.
   */
  get isOutage(): boolean {
    return !this.hasReadPages && this.errors.some(({ kind }) => outageKinds.has(kind));
  }

  /** The longest pause that a provider worth asking again has named; null when none has. */
  get retryAfterSeconds(): number | null {
    const pauses = this.errors.flatMap((error) => (error.isRetryable ? (error.retryAfterSeconds ?? []) : []));
    return pauses.length > 0 ? Math.max(...pauses) : null;
  }
}

/** What a failed search means for the check. Errors that are not about searching are thrown on. */
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
