import type { BatchRow } from '../db/batches.ts';
import { type Attempt, type Delivery, messageId } from '../db/deliveries.ts';
import type { HistoryRow } from '../db/history.ts';
import type { ItemRow } from '../db/items.ts';
import type { Entry } from '../db/ledger.ts';
import type { Batch } from '../schemas/batch.ts';
import type { LedgerEntry } from '../schemas/credits.ts';
import type { ItemError } from '../schemas/failures.ts';
import type { Attempt as AttemptBody, Delivery as DeliveryBody } from '../schemas/webhook.ts';

/** A moment as the API writes it: `2026-11-20T09:41:05+00:00`. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`;
}

const millisecondsPerDay = 24 * 3600 * 1000;

/** A batch row as its resource shows it. `retentionDays`: how long results are kept after the end. */
export function batchBody(row: BatchRow, retentionDays: number): Batch {
  const processed = row.successful + row.failed;
  const expiresAt =
    row.completedAt && new Date(row.completedAt.getTime() + retentionDays * millisecondsPerDay);
  return {
    batch_id: row.batchId,
    type: row.type,
    status: row.status,
    total: row.total,
    processed,
    successful: row.successful,
    failed: row.failed,
    progress: `${Math.floor((processed * 100) / row.total)}%`,
    created_at: timestamp(row.createdAt),
    completed_at: row.completedAt && timestamp(row.completedAt),
    canceled_at: row.canceledAt && timestamp(row.canceledAt),
    reference: row.reference,
    webhook_url: row.webhookUrl,
    credits_charged: row.total - row.skipped,
    credits_refunded: row.failed - row.skipped,
    results_expire_at: expiresAt && timestamp(expiresAt),
    retry_of: row.retryOf,
    retried_as: row.retriedAs,
    summary: { ...emptySummaries[row.type], ...row.summary },
  };
}

/** What was asked, and either the fields of the single answer or the error; a failed item has no answer field. */
export function itemBody(row: ItemRow): Record<string, unknown> {
  const asked = { ...row.input, request_id: row.requestId, state: row.state };
  const checkedAt = timestamp(row.checkedAt);
  if (row.state === 'success') return { ...asked, credits: 1, checked_at: checkedAt, ...row.outcome };
  const error = row.error ?? 'checker_failed';
  const isQuery = error === 'invalid_url' && row.type === 'keyword';
  const message = isQuery ? invalidQueryMessage : itemErrorMessages[error];
  return { ...asked, credits: 0, checked_at: checkedAt, error, message };
}

/** A point of the history; the fields of what was asked depend on the type. */
export function historyBody(row: HistoryRow): Record<string, unknown> {
  const found = row.type === 'index' ? { is_indexed: row.isIndexed, engine: 'google' } : { rank: row.rank };
  return {
    request_id: row.requestId,
    ...row.input,
    ...found,
    checked_at: timestamp(row.checkedAt),
    batch_id: row.batchId,
    state: row.state,
    error: row.error,
  };
}

export function deliveryBody(delivery: Delivery): DeliveryBody {
  return {
    batch_id: delivery.batchId,
    message_id: messageId(delivery.batchId),
    url: delivery.url,
    state: delivery.state,
    attempt_count: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt && timestamp(delivery.nextAttemptAt),
    created_at: timestamp(delivery.createdAt),
    ended_at: delivery.endedAt && timestamp(delivery.endedAt),
  };
}

export function attemptBody(attempt: Attempt): AttemptBody {
  return {
    attempt: attempt.attemptNo,
    attempted_at: timestamp(attempt.attemptedAt),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error: attempt.error,
  };
}

export function ledgerEntryBody(entry: Entry): LedgerEntry {
  return {
    entry_no: entry.entryNo,
    kind: entry.kind,
    amount: entry.amount,
    balance_after: entry.balanceAfter,
    batch_id: entry.batchId,
    request_id: entry.requestId,
    note: entry.note,
    created_at: timestamp(entry.createdAt),
  };
}

// So that a counter which nothing has raised yet reads 0 and is not missing.
const emptySummaries: Record<BatchRow['type'], Record<string, number>> = {
  index: { indexed: 0, not_indexed: 0 },
  http: {
    status_1xx: 0,
    status_2xx: 0,
    status_3xx: 0,
    status_4xx: 0,
    status_5xx: 0,
    status_other: 0,
    redirected: 0,
    soft404: 0,
    bot_wall: 0,
    unreachable: 0,
  },
  keyword: { ranked: 0, not_ranked: 0, top_3: 0, top_10: 0, top_20: 0, top_100: 0 },
};

const invalidQueryMessage = 'This entry is not a query that can be asked. It was not charged.';

/** What the `error` of a failed item says, for people. */
export const itemErrorMessages: Record<ItemError, string> = {
  invalid_url: 'This entry is not a complete address. It was not charged.',
  target_not_allowed:
    'It leads to a private or reserved address, which is never contacted. The credit is back.',
  checker_unreachable: 'Our own network could not reach anything just then. The credit is back.',
  checker_failed: 'The check could not be finished on our side. The credit is back.',
  google_unreadable: 'Google could not be read. The credit is back.',
  query_rewritten: 'Google answered another query than was asked. The credit is back.',
  provider_refused: 'The search provider refused this service; the operator must act. The credit is back.',
  canceled: 'The batch was canceled before this was checked. The credit is back.',
};
