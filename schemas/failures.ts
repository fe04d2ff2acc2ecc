/**
 * Whose doing it is that a check has no answer: the caller's, ours, or nobody can tell. `network`: the caller's, unless
 * our own network is in doubt.
 */
export type WhoseFault = 'caller' | 'ours' | 'network' | 'either';

interface FailureKind {
  /** What happened, as a sentence for people; what it means for the credit follows it. */
  sentence: string;
  fault: WhoseFault;
  /** When the same check may bring an answer; null when asking again is pointless. */
  retryAfterSeconds: number | null;
  /** Only the operator can mend it, so nobody is told to try again. */
  isForOperator?: true;
}

/** Every word that says why a check has no answer, for items, single checks and the documents alike. */
export const failures = {
  invalid_url: {
    sentence: 'This entry does not fit: it is no complete address, for one, or leads to a private one.',
    fault: 'caller',
    retryAfterSeconds: null,
  },
  target_not_allowed: {
    sentence: 'It leads to a private or reserved address, which is never contacted.',
    fault: 'caller',
    retryAfterSeconds: null,
  },
  checker_unreachable: {
    sentence: 'Our own network could not reach anything just then.',
    fault: 'network',
    retryAfterSeconds: 5,
  },
  checker_failed: {
    sentence: 'The check could not be finished in time.',
    fault: 'either',
    retryAfterSeconds: 5,
  },
  google_unreadable: {
    sentence: 'Google could not be read just now.',
    fault: 'either',
    retryAfterSeconds: 5,
  },
  query_rewritten: {
    sentence: 'Google answered another query than was asked.',
    fault: 'caller',
    retryAfterSeconds: 60,
  },
  provider_refused: {
    sentence: 'The search provider refused this service; the operator must act.',
    fault: 'ours',
    retryAfterSeconds: 300,
    isForOperator: true,
  },
  canceled: {
    sentence: 'The batch was canceled before this was checked.',
    fault: 'caller',
    retryAfterSeconds: null,
  },
} as const satisfies Record<string, FailureKind>;

/** Why an item has no answer. Each is refunded; `invalid_url` was never charged. */
export type ItemError = keyof typeof failures;
export const itemErrors = Object.keys(failures) as ItemError[];
