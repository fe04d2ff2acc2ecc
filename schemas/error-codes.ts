interface ErrorCodeEntry {
  status: number;
  /** Text for people. */
  meaning: string;
  /** Next step for the caller. */
  advice: string;
}

/** All values of `error` in the API, with their status. The error pages of the documentation are created from them. */
export const errorCodes = {
  bad_request: {
    status: 400,
    meaning: 'The request cannot be parsed.',
    advice: 'Check the path and the headers.',
  },
  invalid_json: { status: 400, meaning: 'The body is not valid JSON.', advice: 'Send valid JSON.' },
  unauthorized: {
    status: 401,
    meaning: 'The request has no token, or the token is not valid.',
    advice: 'Send `Authorization: Bearer <token>` with a token from the dashboard.',
  },
  insufficient_credits: {
    status: 402,
    meaning: 'Your balance is too low. See `credits_needed` and `credits_available`.',
    advice: 'Check fewer URLs or keywords, or ask the operator for credits. You were not charged.',
  },
  token_limit: {
    status: 402,
    meaning:
      'The request exceeds the monthly credit limit of the token. See `credits_needed` and `credits_available`.',
    advice: 'Wait until next month, or use another token. You were not charged.',
  },
  insufficient_scope: {
    status: 403,
    meaning: 'The scope of the token, or the role of its creator, does not allow this request.',
    advice: 'Use a token with the required scope, or ask an owner of the account to change the role.',
  },
  test_token: {
    status: 403,
    meaning: 'Test tokens cannot use this endpoint.',
    advice: 'Use a live token.',
  },
  not_found: {
    status: 404,
    meaning: 'The path does not exist, or your account has no object with this id.',
    advice: 'Check the path and the id.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not support this method.',
    advice: 'Use a method from the `Allow` header.',
  },
  idempotency_key_reused: {
    status: 409,
    meaning: 'Another request used this Idempotency-Key in the last 24 hours.',
    advice: 'Use a new key for a new request.',
  },
  still_running: {
    status: 409,
    meaning: 'The check, or the first request with this Idempotency-Key, is still running.',
    advice: 'Try again after `Retry-After` seconds.',
  },
  batch_not_finished: {
    status: 409,
    meaning: 'The batch has not ended yet.',
    advice: 'Wait until `completed_at` is set.',
  },
  run_in_progress: {
    status: 409,
    meaning: 'The monitor is running, or another request is changing it.',
    advice: 'Try again after `Retry-After` seconds.',
  },
  monitor_completed: {
    status: 409,
    meaning: 'This monitor has no URLs left to check.',
    advice: 'Set another list with PATCH, or delete the monitor.',
  },
  too_many_annotations: {
    status: 409,
    meaning: 'The monitor has reached the limit of notes.',
    advice: 'Delete a note first.',
  },
  too_many_monitors: {
    status: 409,
    meaning: 'You have reached the limit of monitors.',
    advice: 'Delete a monitor, or check more URLs with one monitor.',
  },
  already_retried: {
    status: 409,
    meaning: 'The batch was already retried. `retried_as` is the id of the new batch.',
    advice: 'Use the new batch.',
  },
  too_many_tokens: {
    status: 409,
    meaning: 'You have reached the limit of 100 valid tokens.',
    advice: 'Revoke a token first.',
  },
  too_many_invitations: {
    status: 409,
    meaning: 'You have reached the limit of 20 open invitations.',
    advice: 'Revoke an invitation, or wait until one is accepted.',
  },
  last_owner: {
    status: 409,
    meaning: 'An account must have at least one owner.',
    advice: 'Make another member an owner first.',
  },
  results_expired: {
    status: 410,
    meaning: 'The inputs and results of the batch are no longer stored.',
    advice: 'Submit the inputs again.',
  },
  body_too_large: {
    status: 413,
    meaning:
      'The body has too many values, or is larger than 8 MiB. The limit for endpoints without a list is 16 KiB.',
    advice: 'Split the list, and remove fields that the endpoint does not use.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is compressed, or is not JSON in UTF-8.',
    advice: 'Send `Content-Type: application/json`, without `Content-Encoding`.',
  },
  validation_failed: {
    status: 422,
    meaning: 'Some fields are invalid. `errors` lists up to 50 of them.',
    advice: 'Correct these fields. You were not charged.',
  },
  location_unsupported: {
    status: 422,
    meaning: 'No search provider of this service can search from the location.',
    advice: 'Send the query without `location`. You were not charged.',
  },
  too_many_in_flight: {
    status: 429,
    meaning: 'Too many single checks of your account are running.',
    advice: 'Try again after `Retry-After` seconds, or use the bulk endpoints.',
  },
  allowance_exhausted: {
    status: 429,
    meaning: 'Too many unbilled operations in the last hour, such as refunded checks and webhook tests.',
    advice: 'Try again after `Retry-After` seconds. `GET /credits/allowance` shows how much is left.',
  },
  too_many_waiting: {
    status: 429,
    meaning: 'Too many requests of your account are waiting for batches with `wait`.',
    advice: 'Omit `wait`, or try again after `Retry-After` seconds.',
  },
  rate_limited: {
    status: 429,
    meaning: 'Too many requests in a minute. The `RateLimit-Policy` header has the limit.',
    advice: 'Try again after `Retry-After` seconds.',
  },
  server_error: {
    status: 500,
    meaning: 'Something went wrong on our side.',
    advice:
      'Try again with the same Idempotency-Key. If it fails again, send the operator the `X-Request-Id`.',
  },
  google_unreadable: {
    status: 503,
    meaning: "We could not read Google's answer.",
    advice: 'Try again. You were not charged.',
  },
  query_rewritten: {
    status: 503,
    meaning: 'Google answered a different query.',
    advice: 'Try again in a minute. You were not charged.',
  },
  provider_refused: {
    status: 503,
    meaning: 'The search provider rejected our request.',
    advice: 'The operator must fix this. You were not charged.',
  },
  checker_unreachable: {
    status: 503,
    meaning: 'Our network was not working.',
    advice: 'Try again. You were not charged.',
  },
  checker_failed: {
    status: 503,
    meaning: 'We could not finish the check.',
    advice: 'Try again. You were not charged.',
  },
  check_given_up: {
    status: 503,
    meaning: 'The check timed out.',
    advice: 'Try again. You were not charged.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'The service cannot reach its database.',
    advice: 'Try again.',
  },
  not_ready: {
    status: 503,
    meaning: 'This process is not ready for requests. `message` says what is missing.',
    advice: 'The operator must run the migrations or correct SECRET_KEY.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof errorCodes;
