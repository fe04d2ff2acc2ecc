import type { BatchRow } from '../db/batches/batches.ts';
import type { HistoryRow } from '../db/batches/history.ts';
import type { ItemRow } from '../db/batches/items.ts';
import type { StoredResults } from '../db/batches/result-pages.ts';
import type { CreditAlert } from '../db/ledger/credit-alerts.ts';
import type { LedgerEntryRow } from '../db/ledger/ledger.ts';
import type { Attempt, Delivery } from '../db/notifications/deliveries.ts';
import type { DigestSchedule } from '../db/notifications/digests.ts';
import { daysKept } from '../db/retention/partitions.ts';
import type { Batch } from '../schemas/batch.ts';
import {
  type AnswerOf,
  type CheckType,
  checkTypeNames,
  checkTypes,
  type HistoryType,
} from '../schemas/check-types.ts';
import type { LedgerEntry } from '../schemas/credits.ts';
import { failures, type ItemError } from '../schemas/failures.ts';
import { getAnswerPrice } from '../schemas/features.ts';
import type { Attempt as AttemptBody, Delivery as DeliveryBody } from '../schemas/webhook.ts';

/** Formats a time as the API does: `2026-11-20T09:41:05+00:00`. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`;
}

const millisecondsPerDay = 24 * 3600 * 1000;

/** Returns the body of a batch. `retentionDays`: days for which results are kept; it does not apply to test batches. */
export function batchBody(row: BatchRow, retentionDays: number): Batch {
  const processed = row.successful + row.failed;
  const daysAfter = daysKept(retentionDays, row);
  const expiresAt = row.completedAt && new Date(row.completedAt.getTime() + daysAfter * millisecondsPerDay);
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
    ...(isWaiting(row) ? { waiting: { reason: row.waitingReason, until: timestamp(row.waitingUntil) } } : {}),
    reference: row.reference,
    name: row.name,
    webhook_url: row.webhookUrl,
    credits_charged: getCharges(row).charged,
    credits_refunded: getCharges(row).refunded,
    is_test: row.isTest,
    results_expire_at: expiresAt && timestamp(expiresAt),
    submission_id: row.submissionId,
    retry_of: row.retryOf,
    retried_as: row.retriedAs,
    again_of: row.againOf,
    monitor_id: row.monitorId,
    run_id: row.runId,
    // All counters of the type are present, also if they are 0.
    summary: {
      ...zeroCounters(row.type),
      canceled: 0,
      ...row.summary,
      skipped: row.skipped,
    },
  };
}

/**
 * Returns the credits that a batch was charged at acceptance, and the credits refunded since. Both are 0 for a test.
 */
export function getCharges(row: BatchRow): { charged: number; refunded: number } {
  if (row.isTest) return { charged: 0, refunded: 0 };
  const { total, skipped, failed, overviews, overviewsRefunded } = row;
  return { charged: total - skipped + overviews, refunded: failed - skipped + overviewsRefunded };
}

/** Returns true if checks of a batch have failed and wait until `waitingUntil` for their retry. */
export function isWaiting(row: BatchRow): row is BatchRow & { waitingReason: ItemError; waitingUntil: Date } {
  return row.completedAt === null && row.waitingUntil !== null && row.waitingUntil.getTime() > Date.now();
}

/** Returns the input of an item, with the fields of its answer or with its error. */
export function itemBody(
  row: ItemRow,
  { isTest = false, ...parts }: BodyOptions = {},
): Record<string, unknown> {
  const asked = { ...row.input, request_id: row.requestId, state: row.state };
  const checkedAt = timestamp(row.checkedAt);
  if (row.state === 'success') {
    const credits = isTest ? 0 : getAnswerPrice(row.outcome);
    return { ...asked, credits, checked_at: checkedAt, ...answerBody(row.outcome, parts) };
  }
  return {
    ...asked,
    credits: 0,
    checked_at: checkedAt,
    error: row.error,
    message: failureMessage(row, isTest),
  };
}

interface BodyOptions {
  /** Includes the queries that were sent to Google. */
  evidence?: boolean;
  /** Search results; undefined if they were not requested or not stored. */
  results?: StoredResults['results'];
  /** Sources and text of the AI Overview; undefined if they were not requested or not stored. */
  overview?: StoredResults['overview'];
  /** True if a test token requested the check. Such a check costs nothing. */
  isTest?: boolean;
}

/** Returns a stored answer with the optional parts that were requested. */
export function answerBody(answer: AnswerOf, { evidence = false, results, overview }: BodyOptions): object {
  const { asked, ...rest } = answer as AnswerOf & Pick<AnswerOf<'keyword'>, 'asked' | 'ai_overview'>;
  return {
    ...rest,
    ...(overview ? { ai_overview: { ...rest.ai_overview, ...overview } } : {}),
    ...(evidence && asked ? { asked } : {}),
    ...(results ? { results } : {}),
  };
}

/** Returns two sentences for users. They say why an item failed and what happened to the credit. */
export function failureMessage({ type, error, problem }: Failure, isTest = false): string {
  if (error === 'invalid_url') {
    const misfit = checkTypeNames.includes(type) ? checkTypes[type].misfit : failures.invalid_url.sentence;
    return `${problem ?? misfit} You were not charged.`;
  }
  return `${failures[error].sentence} ${isTest ? 'You were not charged.' : 'The credit was refunded.'}`;
}

interface Failure {
  type: CheckType;
  error: ItemError;
  /** Reason why the input is invalid; null or absent if it is unknown. */
  problem?: string | null;
}

export function allowanceBody({ perHour, used, paidCredits, unitCosts }: AllowanceParts): object {
  return {
    per_hour: perHour,
    used,
    remaining: Math.max(0, perHour - used),
    paid_credits: paidCredits,
    weights: costsBody(unitCosts),
  };
}

export function creditAlertBody({ threshold, url, lowSince, notifiedAt }: CreditAlert): object {
  return {
    threshold,
    webhook_url: url,
    low_since: lowSince && timestamp(lowSince),
    told_at: notifiedAt && timestamp(notifiedAt),
  };
}

/** Returns the unit cost of each kind of unbilled work. Keys are API names such as `webhook_tests`. */
export function costsBody(unitCosts: AllowanceParts['unitCosts']): Record<string, number> {
  const named = (kind: string) => kind.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(unitCosts).map(([kind, cost]) => [named(kind), cost]));
}

interface AllowanceParts {
  perHour: number;
  used: number;
  paidCredits: number;
  unitCosts: Readonly<Record<string, number>>;
}

/** Returns a history entry. Its input fields depend on the type. */
export function historyBody(row: HistoryRow): Record<string, unknown> {
  const found = pointBodies[row.type](row);
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

const pointBodies: Record<HistoryType, (row: HistoryRow) => object> = {
  index: ({ isIndexed }) => ({ is_indexed: isIndexed, engine: 'google' }),
  keyword: ({ rank }) => ({ rank }),
};

export function deliveryBody(delivery: Delivery): DeliveryBody {
  return {
    batch_id: delivery.event === 'batch.completed' ? delivery.eventId : null,
    event: delivery.event,
    message_id: delivery.messageId,
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

export function ledgerEntryBody(entry: LedgerEntryRow): LedgerEntry {
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

function zeroCounters(type: CheckType): Record<string, number> {
  // During a deployment, a batch may have a type that this process does not know.
  const words = checkTypeNames.includes(type) ? checkTypes[type].summary : [];
  return Object.fromEntries(words.map((word) => [word, 0]));
}

/** Returns the schedule of the emails that report changes of an account's monitors. */
export function digestBody({ at, timezone }: DigestSchedule): object {
  return { every: at === null ? 'run' : 'day', at, timezone };
}
