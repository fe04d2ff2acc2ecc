export const prices = [
  ['Any answer: 404, dead domain, not indexed, not found in ten pages, bot protection', '1'],
  ['Keyword found on page 1 of 10, or results ended at page 3', '1 per query, never per page'],
  ['Target without a response, after a second attempt in a batch', '1'],
  [
    'Failure of our network, provider or process; redirect to a private IP address; query rewritten by Google',
    '0',
  ],
  ['AI Overview: shown, and its sources were read', '1 more; charged in advance and refunded otherwise'],
  ['A results page shared with another check', '1 each'],
  ['A duplicate in a list', '1, or 0 when removed by dedupe'],
  ['Canceled batch: checks with an answer', '1'],
  ['Canceled batch: other checks', '0'],
  ['Retry of failed items', 'as for new checks'],
  ['Repeated request with the same Idempotency-Key', '0'],
  ['Reading batches, balance, ledger, history and webhooks', '0'],
] as const;
