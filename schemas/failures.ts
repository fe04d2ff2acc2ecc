/** Whose doing it is that a check has no answer: the caller's, ours, or to be found out. */
export type Fault = 'caller' | 'ours' | 'either';

interface FailureKind {
  /** What happened, as a sentence for people; what it means for the credit follows it. */
  sentence: string;
  fault: Fault;
  /** Whether the same check may bring an answer a few seconds later. */
  isPassing: boolean;
}

/** Every word that says why a check has no answer, for items, single checks and the documents alike. */
export const failures = {
  invalid_url: { sentence: 'This entry is not a complete address.', fault: 'caller', isPassing: false },
  target_not_allowed: {
    sentence: 'It leads to a private or reserved address, which is never contacted.',
    fault: 'caller',
    isPassing: false,
  },
  checker_unreachable: {
    sentence: 'Our own network could not reach anything just then.',
    fault: 'either',
    isPassing: true,
  },
  checker_failed: { sentence: 'The check could not be finished in time.', fault: 'either', isPassing: true },
  google_unreadable: { sentence: 'Google could not be read just now.', fault: 'either', isPassing: true },
  query_rewritten: {
    sentence: 'Google answered another query than was asked.',
    fault: 'caller',
    isPassing: true,
  },
  provider_refused: {
    sentence: 'The search provider refused this service; the operator must act.',
    fault: 'ours',
    isPassing: false,
  },
  canceled: {
    sentence: 'The batch was canceled before this was checked.',
    fault: 'caller',
    isPassing: false,
  },
} as const satisfies Record<string, FailureKind>;

/** Why an item has no answer. Each is refunded; `invalid_url` was never charged. */
export type ItemError = keyof typeof failures;
export const itemErrors = Object.keys(failures) as ItemError[];
