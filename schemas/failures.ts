/**
 * Party that caused a missing answer. `network`: our side if our network had problems, otherwise the caller. `either`:
 * unknown.
 */
export type ResponsibleParty = 'caller' | 'ours' | 'network' | 'either';

interface FailureKind {
  /** Text for people. Messages add a sentence about the charge. */
  sentence: string;
  fault: ResponsibleParty;
  /** Null if a retry cannot succeed. */
  retryAfterSeconds: number | null;
  /** True if only the operator can fix the problem. Messages then do not suggest a retry. */
  isForOperator?: true;
}

/** All reasons why a check has no answer, for items, single checks and the documentation. */
export const failures = {
  invalid_url: {
    sentence: 'This entry is invalid. It may be an incomplete URL, or a URL with a private IP address.',
    fault: 'caller',
    retryAfterSeconds: null,
  },
  target_not_allowed: {
    sentence: 'The URL leads to a private IP address or a blocked port. We do not contact such URLs.',
    fault: 'caller',
    retryAfterSeconds: null,
  },
  checker_unreachable: {
    sentence: 'Our network was not working.',
    fault: 'network',
    retryAfterSeconds: 5,
  },
  checker_failed: {
    sentence: 'We could not finish the check in time.',
    fault: 'either',
    retryAfterSeconds: 5,
  },
  google_unreadable: {
    sentence: "We could not read Google's answer.",
    fault: 'either',
    retryAfterSeconds: 5,
  },
  query_rewritten: {
    sentence: 'Google answered a different query.',
    fault: 'caller',
    retryAfterSeconds: 60,
  },
  provider_refused: {
    sentence: 'The search provider rejected our request. The operator must fix this.',
    fault: 'ours',
    retryAfterSeconds: 300,
    isForOperator: true,
  },
  canceled: {
    sentence: 'The batch was canceled before this check ran.',
    fault: 'caller',
    retryAfterSeconds: null,
  },
} as const satisfies Record<string, FailureKind>;

/** Reason why an item has no answer. The item is refunded. An item with `invalid_url` was never charged. */
export type ItemError = keyof typeof failures;
export const itemErrors = Object.keys(failures) as ItemError[];
