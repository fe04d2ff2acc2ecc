import { sql } from 'kysely';
import type { CheckType } from '../../schemas/check-types.ts';
import type { Trx } from '../postgres/connect.ts';
import { storableJson } from '../postgres/storable.ts';
import type { BatchRef } from './batches.ts';
import { keepBesides, type NewItem, rowOf } from './items.ts';

/** What has become of a batch by recording, and which of the outcomes were new. */
export interface RecordedOutcomes {
  inserted: NewItem[];
  type: CheckType;
  /** Asked for by a test token. */
  isTest: boolean;
  /** How many chunks that had a job these were the last of: so many jobs more there may be. */
  endedJobs: number;
  /** Items of the batch with an answer. */
  successful: number;
  isOver: boolean;
  /** Where its end is to be told; null for nowhere. */
  webhookUrl: string | null;
  /** How many of these were refunded. */
  refunded: number;
  /** The token with a monthly limit that the batch was charged against; null for none. */
  tokenId: number | null;
  /** In which month. */
  chargedMonth: string;
}

interface Answer extends Omit<RecordedOutcomes, 'inserted'> {
  ids: number[];
}

/**
 * Records outcomes of a batch: the first writer wins; what is new is counted, and given back where it failed. Locks
 * the batch until the transaction ends. Null, and nothing is done, when the account has no such batch or it has ended.
 */
export async function record(
  trx: Trx,
  { accountId, batchId }: BatchRef,
  outcomes: NewItem[],
  { isCanceled = false } = {},
): Promise<RecordedOutcomes | null> {
  const rows = storableJson(outcomes.map(rowOf));
  const requestIds = outcomes.map(({ requestId }) => requestId);
  const chunkIds = outcomes.map(({ chunkId }) => chunkId);
  const tallied = outcomes.flatMap(({ requestId, result }) =>
    wordsOf(result).map((word) => ({ requestId, word })),
  );
  const { rows: answers } = await sql<{ done: Answer | null }>`
    select record_outcomes(${accountId}::bigint, ${batchId}::uuid, ${rows}::json, ${requestIds}::bigint[],
      ${chunkIds}::bigint[], ${tallied.map((one) => one.requestId)}::bigint[],
      ${tallied.map(({ word }) => word)}::text[], ${isCanceled}::boolean) as done`.execute(trx);
  const done = answers[0]?.done;
  if (!done) return null;
  const { ids, ...batch } = done;
  const known = new Set(ids);
  const inserted = outcomes.filter(({ requestId }) => known.has(requestId));
  await keepBesides(trx, { accountId, batchId, type: batch.type, isTest: batch.isTest }, inserted);
  return { ...batch, inserted };
}

/** What an outcome adds one to in the summary: canceled items are told apart from those that failed. */
function wordsOf(result: NewItem['result']): string[] {
  if ('error' in result) return result.error === 'canceled' ? ['canceled'] : [];
  return result.tally;
}
