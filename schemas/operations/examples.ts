import { type CheckType, checkTypeNames, getCheckType, getExample } from '../check-types.ts';

/** Examples of responses. A test validates them against the schemas. */

const batchId = '0e0bd036-ac62-4143-9dfa-84aa98ff32d4';
const checkedAt = '2026-11-20T09:41:05+00:00';
const checked = { request_id: 48151, checked_at: checkedAt };

const single = { success: true, ...checked, credits_remaining: 9998 };
const answered = { ...checked, state: 'success', credits: 1 };

const httpExample = getExample('http');

export function createSingleResponses(type: CheckType): Record<string, object> {
  const { examples } = getCheckType(type);
  return Object.fromEntries(
    Object.entries(examples).map(([name, { input, answer }]) => [name, { ...single, ...input, ...answer }]),
  );
}

export const accepted = {
  success: true,
  message: '2,000 checks are queued.',
  batch_id: batchId,
  total: 2000,
  status: 'pending',
  poll_url: `https://sonde.example.com/api/v1/batch/${batchId}`,
  credits_remaining: 8000,
  duplicates: 0,
  reference: 'october-crawl',
};

export const batchRow = {
  batch_id: batchId,
  type: 'http',
  status: 'partial',
  total: 2,
  processed: 2,
  successful: 1,
  failed: 1,
  progress: '100%',
  created_at: '2026-11-20T09:41:02+00:00',
  completed_at: checkedAt,
  canceled_at: null,
  reference: 'october-crawl',
  name: null,
  webhook_url: null,
  credits_charged: 2,
  credits_refunded: 1,
  results_expire_at: '2027-02-18T09:41:05+00:00',
  submission_id: null,
  retry_of: null,
  retried_as: null,
  again_of: null,
  monitor_id: null,
  run_id: null,
  is_test: false,
  summary: {
    status_1xx: 0,
    status_2xx: 1,
    status_3xx: 0,
    status_4xx: 0,
    status_5xx: 0,
    status_other: 0,
    redirected: 1,
    soft404: 1,
    bot_wall: 0,
    unreachable: 0,
    canceled: 0,
    skipped: 0,
  },
};

export const httpItem = { ...httpExample.input, ...answered, ...httpExample.answer };
const failedItem = {
  url: 'https://example.com/new',
  request_id: 48152,
  state: 'failed',
  credits: 0,
  checked_at: checkedAt,
  error: 'checker_unreachable',
  message: 'Our network was not working. The credit was refunded.',
};
export const batch = { success: true, ...batchRow, results: [httpItem, failedItem] };
export const runningBatch = {
  success: true,
  ...batchRow,
  status: 'processing',
  processed: 1,
  failed: 0,
  progress: '50%',
  completed_at: null,
  credits_refunded: 0,
  results_expire_at: null,
};
export const canceledBatch = {
  success: true,
  ...batchRow,
  canceled_at: checkedAt,
  summary: { ...batchRow.summary, canceled: 1 },
};

export const historyEntry = {
  ...checked,
  url: 'https://example.com/shoes',
  is_indexed: true,
  engine: 'google',
  batch_id: null,
  state: 'success',
  error: null,
};

export const allowance = {
  success: true,
  per_hour: 70_000,
  used: 1_200,
  remaining: 68_800,
  paid_credits: 1_000,
  weights: {
    upstream_pages: 100,
    slot_seconds: 10,
    kept_rows: 2,
    webhook_tests: 300,
    deliveries: 100,
    sitemaps: 500,
  },
};

export const ledgerEntry = {
  entry_no: 2,
  kind: 'charge',
  amount: -2,
  balance_after: 9998,
  batch_id: batchId,
  request_id: null,
  note: null,
  created_at: checkedAt,
};

export const earlierCheck = { success: true, type: 'http', batch_id: batchId, ...httpItem };

export const webhookSecret = {
  success: true,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  previous_secret: null,
  previous_expires_at: null,
};

export const rotatedSecret = {
  success: true,
  secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  previous_secret: webhookSecret.secret,
  previous_expires_at: '2026-11-21T09:41:05+00:00',
};

const posted = { duration_ms: 84, status: 204, error: null };

export const webhookTestResponse = {
  success: true,
  deliveries: checkTypeNames.map((type) => ({
    event: 'batch.completed',
    type,
    message_id: `msg_test_${batchId}`,
    delivered: true,
    ...posted,
  })),
};

export const delivery = {
  event: 'batch.completed',
  batch_id: batchId,
  message_id: `msg_${batchId}`,
  url: 'https://example.com/hooks/sonde',
  state: 'delivered',
  attempt_count: 1,
  next_attempt_at: null,
  created_at: checkedAt,
  ended_at: checkedAt,
};

export const deliveryResponse = {
  success: true,
  ...delivery,
  attempts: [{ attempt: 1, attempted_at: checkedAt, ...posted }],
};

export const deliveryResendResponse = {
  success: true,
  message: 'Resending now.',
  ...delivery,
  state: 'pending',
  next_attempt_at: checkedAt,
  ended_at: null,
};

const payload = {
  event: 'batch.completed',
  batch_id: batchId,
  reference: 'october-crawl',
  status: 'completed',
  total: 1,
  processed: 1,
  successful: 1,
  failed: 0,
  credits_charged: 1,
  credits_refunded: 0,
  created_at: batchRow.created_at,
  completed_at: checkedAt,
  results_url: accepted.poll_url,
};

export function createPayload(type: CheckType): object {
  const { summary } = getCheckType(type);
  const example = getExample(type);
  const count = (word: string): number => (example.tally.includes(word) ? 1 : 0);
  return {
    ...payload,
    type,
    summary: { ...Object.fromEntries(summary.map((word) => [word, count(word)])), canceled: 0, skipped: 0 },
    results: [{ ...example.input, ...answered, ...example.answer }],
  };
}

export const ndjson = `${JSON.stringify(httpItem)}\n${JSON.stringify(failedItem)}\n`;
export const csv = 'url,state,is_indexed\nhttps://example.com/shoes,success,true\n';

export const creditAlert = {
  success: true,
  threshold: 500,
  webhook_url: 'https://example.com/hooks/sonde',
  low_since: null,
  told_at: null,
};

export const creditsLow = {
  event: 'credits.low',
  credits: 498,
  threshold: 500,
  low_since: '2026-11-20T09:41:05+00:00',
  credits_url: 'https://sonde.example.com/credits',
};

export const digest = { success: true, every: 'day', at: '08:00', timezone: 'Europe/Berlin' };
