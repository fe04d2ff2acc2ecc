import { randomUUID } from 'node:crypto';
import type { BatchRow } from '../db/batches.ts';
import type { ItemRow } from '../db/items.ts';
import type { CheckType } from '../schemas/check-types.ts';
import {
  httpAnswer,
  httpResult,
  indexAnswer,
  indexResult,
  rankAnswer,
  rankQuery,
} from '../schemas/operations/examples.ts';
import { payloadOf } from './payload.ts';
import type { Message } from './post.ts';

export interface SampleOptions {
  baseUrl: string;
  retentionDays: number;
  secrets: string[];
}

/** A message such as a batch of this type would bring, marked `test`; nothing of it is real. */
export function sampleMessage(type: CheckType, { baseUrl, retentionDays, secrets }: SampleOptions): Message {
  const batchId = randomUUID();
  const now = new Date();
  const items = [answeredItem(type, batchId, now), failedItem(type, batchId, now)];
  const payload = payloadOf(sampleBatch(type, batchId, now), { baseUrl, retentionDays, items });
  return {
    id: `msg_test_${batchId}`,
    payload: JSON.stringify({ ...JSON.parse(payload), test: true }),
    secrets,
  };
}

function sampleBatch(type: CheckType, batchId: string, now: Date): BatchRow {
  return {
    accountId: 0,
    batchId,
    type,
    status: 'partial',
    total: 2,
    skipped: 0,
    successful: 1,
    failed: 1,
    duplicates: 0,
    options: {},
    summary: samples[type].summary,
    reference: 'a test from Sonde',
    webhookUrl: null,
    retryOf: null,
    retriedAs: null,
    createdAt: now,
    startedAt: now,
    completedAt: now,
    canceledAt: null,
    purgedAt: null,
  };
}

function answeredItem(type: CheckType, batchId: string, checkedAt: Date): ItemRow {
  const { input, outcome } = samples[type];
  return {
    requestId: 1,
    batchId,
    position: 0,
    type,
    state: 'success',
    input,
    outcome,
    error: null,
    checkedAt,
  };
}

function failedItem(type: CheckType, batchId: string, checkedAt: Date): ItemRow {
  const { input, error } = samples[type];
  return {
    requestId: 2,
    batchId,
    position: 1,
    type,
    state: 'failed',
    input,
    outcome: null,
    error,
    checkedAt,
  };
}

type Sample = Pick<ItemRow, 'input' | 'outcome' | 'error'> & { summary: Record<string, number> };

const samples: Record<CheckType, Sample> = {
  index: {
    summary: { indexed: 1 },
    input: { url: indexResult.url },
    outcome: indexAnswer,
    error: 'google_unreadable',
  },
  http: {
    summary: { status_2xx: 1, redirected: 1, soft404: 1 },
    input: { url: httpResult.url },
    outcome: httpAnswer,
    error: 'checker_unreachable',
  },
  keyword: {
    summary: { ranked: 1, top_100: 1 },
    input: rankQuery,
    outcome: rankAnswer,
    error: 'google_unreadable',
  },
};
