interface ErrorCode {
  status: number;
  /** What happened, for people. */
  meaning: string;
  /** What a caller does about it. */
  advice: string;
}

/**
 * Every `error` word of the API, with the one status it comes with. The error pages of the documentation are
 * made of it.
 */
export const errorCodes = {
  bad_request: {
    status: 400,
    meaning: 'The request cannot be read.',
    advice: 'Look at the path and the headers.',
  },
  invalid_json: { status: 400, meaning: 'The body is not valid JSON.', advice: 'Send valid JSON.' },
  unauthorized: {
    status: 401,
    meaning: 'There is no token in the request, or it is not valid.',
    advice: 'Send `Authorization: Bearer <token>` with a token from the dashboard.',
  },
  insufficient_credits: {
    status: 402,
    meaning: 'The balance is too small; `credits_needed` and `credits_available` say by how much.',
    advice: 'Send fewer entries, or get credits. Nothing was queued or charged.',
  },
  token_limit: {
    status: 402,
    meaning:
      'The token has less left of its credits for this month than is needed; `credits_needed` and `credits_available` say by how much.',
    advice: 'Wait for the next month, or use another token. Nothing was queued or charged.',
  },
  insufficient_scope: {
    status: 403,
    meaning: 'The scope of the token, or the role of whoever made it, does not go that far.',
    advice: 'Use a token of a wider scope; an owner of the account gives roles.',
  },
  test_token: {
    status: 403,
    meaning: 'The token is a test token, for which there is nothing of this.',
    advice: 'Use a live token.',
  },
  not_found: {
    status: 404,
    meaning: 'Nothing is at this path, or no such thing is in this account.',
    advice: 'Look at the path and the id.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not take this method.',
    advice: 'Use one that the header `Allow` names.',
  },
  idempotency_key_reused: {
    status: 409,
    meaning: 'The Idempotency-Key came with another request within 24 hours.',
    advice: 'Use a new key for a new request.',
  },
  still_running: {
    status: 409,
    meaning: 'The check, or the first request with this Idempotency-Key, is still running.',
    advice: 'Ask again after `Retry-After` seconds.',
  },
  batch_not_finished: {
    status: 409,
    meaning: 'This can only be done with a batch that has ended.',
    advice: 'Wait until `completed_at` is set.',
  },
  run_in_progress: {
    status: 409,
    meaning: 'A run of the monitor is at work, or it is being changed by another request.',
    advice: 'Ask again after `Retry-After` seconds.',
  },
  monitor_completed: {
    status: 409,
    meaning: 'Every address of the monitor has left.',
    advice: 'Give it another list by PATCH, or delete it.',
  },
  too_many_annotations: {
    status: 409,
    meaning: 'The monitor has as many annotations as it may.',
    advice: 'Delete one first.',
  },
  too_many_monitors: {
    status: 409,
    meaning: 'The account has as many monitors as it may.',
    advice: 'Delete one, or put more into one list.',
  },
  already_retried: {
    status: 409,
    meaning: 'The batch was retried before; `retried_as` names the batch that was made.',
    advice: 'Use that batch.',
  },
  too_many_tokens: {
    status: 409,
    meaning: 'The account has 100 valid tokens.',
    advice: 'Revoke one first.',
  },
  too_many_invitations: {
    status: 409,
    meaning: '20 invitations of the account are open.',
    advice: 'Take one back, or wait until one is used.',
  },
  last_owner: {
    status: 409,
    meaning: 'An account keeps at least one owner.',
    advice: 'Make another member an owner first.',
  },
  results_expired: {
    status: 410,
    meaning: 'The inputs and results of the batch are no longer kept.',
    advice: 'Submit them again.',
  },
  body_too_large: {
    status: 413,
    meaning: 'The body is larger than 8 MiB, or 16 KiB where there is no list in it, or has too many values.',
    advice: 'Split the list; leave out what is not asked for.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not JSON in UTF-8, or it is compressed.',
    advice: 'Send `Content-Type: application/json`, without `Content-Encoding`.',
  },
  validation_failed: {
    status: 422,
    meaning: 'Fields do not fit; `errors` names them, up to 50.',
    advice: 'Correct what `errors` names. Nothing was queued or charged.',
  },
  too_many_in_flight: {
    status: 429,
    meaning: 'Too many single checks of this account are running.',
    advice: 'Wait for `Retry-After` seconds, or send them in bulk.',
  },
  allowance_exhausted: {
    status: 429,
    meaning: 'Too many unbilled operations in the last hour, such as refunded checks and webhook tests.',
    advice: 'Wait for `Retry-After` seconds; `GET /credits/allowance` tells how much is left.',
  },
  too_many_waiting: {
    status: 429,
    meaning: 'Too many requests of this account are waiting for batches with `wait`.',
    advice: 'Ask without `wait`, or after `Retry-After` seconds.',
  },
  rate_limited: {
    status: 429,
    meaning: 'Too many requests in a minute; `RateLimit` says how many there may be.',
    advice: 'Wait for `Retry-After` seconds.',
  },
  server_error: {
    status: 500,
    meaning: 'Something went wrong on our side.',
    advice: 'Try again with the same Idempotency-Key; tell the operator the `X-Request-Id`.',
  },
  google_unreadable: {
    status: 503,
    meaning: 'Google could not be read just now.',
    advice: 'Try again. Nothing was charged.',
  },
  query_rewritten: {
    status: 503,
    meaning: 'Google answered another query than was asked.',
    advice: 'Try again in a minute. Nothing was charged.',
  },
  provider_refused: {
    status: 503,
    meaning: 'The search provider refused this service.',
    advice: 'The operator must act. Nothing was charged.',
  },
  checker_unreachable: {
    status: 503,
    meaning: 'Our own network could not reach anything just then.',
    advice: 'Try again. Nothing was charged.',
  },
  checker_failed: {
    status: 503,
    meaning: 'The check could not be finished on our side.',
    advice: 'Try again. Nothing was charged.',
  },
  check_given_up: {
    status: 503,
    meaning: 'The check took too long.',
    advice: 'Try again. Nothing was charged.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'The service cannot use its database just now.',
    advice: 'Try again.',
  },
  not_ready: {
    status: 503,
    meaning: 'This process is not ready for requests: migrations or the queue are missing.',
    advice: 'The operator must act.',
  },
} as const satisfies Record<string, ErrorCode>;

export type ErrorWord = keyof typeof errorCodes;
