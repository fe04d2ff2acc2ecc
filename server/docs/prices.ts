/** What a credit buys, for one pays for answers only: the case, and the credits it costs. */
export const prices = [
  ['Any answer: 404, dead domain, not indexed, not found in ten pages, bot wall', '1'],
  ['Keyword found on page 1 of 10, or results ended at page 3', '1 per query, never per page'],
  ['Target silent: confirmed by a second try in a batch, by one in a single check', '1'],
  ['Our network, our provider, our crash; a redirect to a private address; a query that Google rewrote', '0'],
  ['A results page shared with another check', '1 each'],
  ['A duplicate in a list', '1, or 0 when removed by dedupe'],
  ['Canceled: what was settled before', '1'],
  ['Canceled: what was not settled', '0'],
  ['Retry of failed items', '1'],
  ['Repeated request with the same Idempotency-Key', '0'],
  ['Looking at batches, balance, ledger, history and webhooks', '0'],
] as const;
