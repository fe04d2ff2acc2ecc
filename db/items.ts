import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { BatchType, ItemError } from '../schemas/batch.ts';
import * as batches from './batches.ts';
import * as chunks from './chunks.ts';
import type { Db, Trx } from './connect.ts';
import * as deliveries from './deliveries.ts';
import * as history from './history.ts';
import * as ledger from './ledger.ts';
import { storableJson } from './storable.ts';

/** The outcome of one input, ready to be stored. */
export interface NewItem {
  requestId: number;
  chunkId: number;
  position: number | null;
  input: Record<string, unknown>;
  result: { outcome: object; tally: string[] } | { error: ItemError };
}

export interface ItemRow {
  requestId: number;
  batchId: string | null;
  position: number | null;
  type: BatchType;
  state: 'success' | 'failed';
  input: Record<string, unknown>;
  outcome: Record<string, unknown> | null;
  error: ItemError | null;
  checkedAt: Date;
}

export interface Recorded {
  /** Items that had no outcome before; what others recorded first is not touched, counted or refunded. */
  inserted: number;
  /** True when the batch has ended, now or earlier. */
  isOver: boolean;
}

/**
 * Records outcomes of a batch: inserts them, advances the counters, refunds the failed ones and, if these were the last,
 * ends the batch and owes its delivery, all in the caller's transaction. Keeps the lock order of batches.ts.
 */
export async function record(
  trx: Trx,
  boss: PgBoss,
  ref: batches.BatchRef,
  items: NewItem[],
): Promise<Recorded> {
  const batch = await batches.lock(trx, ref);
  if (!batch || batch.completedAt) return { inserted: 0, isOver: true };
  return settle(trx, boss, batch, items);
}

/**
 * Fails everything of a batch that has no outcome yet, with refunds, and so ends it. Null when the account has no such
 * batch; false when it had ended before, and nothing changed.
 */
export async function cancel(trx: Trx, boss: PgBoss, ref: batches.BatchRef): Promise<boolean | null> {
  const batch = await batches.lock(trx, ref);
  if (!batch) return null;
  if (batch.completedAt) return false;
  const open = await chunks.unsettled(trx, ref);
  const canceled = open.map((input) => failedItem(input, 'canceled'));
  await settle(trx, boss, batch, canceled, { isCanceled: true });
  return true;
}

/** The item of an input that gets no answer. */
export function failedItem(input: chunks.ChunkInput & { chunkId: number }, error: ItemError): NewItem {
  const { request_id: requestId, chunkId, position } = input;
  return { requestId, chunkId, position, input: input.input, result: { error } };
}

async function settle(
  trx: Trx,
  boss: PgBoss,
  batch: batches.BatchRow,
  items: NewItem[],
  { isCanceled = false } = {},
): Promise<Recorded> {
  const ref = { accountId: batch.accountId, batchId: batch.batchId };
  const inserted = await insert(trx, { ...ref, type: batch.type }, items);
  const failed = inserted.filter(({ result }) => 'error' in result).length;
  await chunks.addSettled(trx, ref.accountId, countByChunk(inserted));
  const { isOver } = await batches.advance(trx, batch, {
    successful: batch.successful + inserted.length - failed,
    failed: batch.failed + failed,
    summary: addTallies(batch.summary, inserted),
    isCanceled,
  });
  if (failed > 0) await ledger.refund(trx, ref.accountId, failed, { batchId: ref.batchId });
  if (isOver && batch.webhookUrl) await deliveries.owe(trx, boss, { ...ref, url: batch.webhookUrl });
  return { inserted: inserted.length, isOver };
}

/** Inserts outcomes and answers those that were really inserted: the first writer wins. */
export async function insert(
  trx: Trx,
  { accountId, batchId, type }: { accountId: number; batchId: string | null; type: BatchType },
  items: NewItem[],
): Promise<NewItem[]> {
  if (items.length === 0) return [];
  const rows = items.map(({ requestId, position, input, result }) => ({
    request_id: requestId,
    position,
    input,
    ...('error' in result
      ? { state: 'failed', error: result.error }
      : { state: 'success', outcome: result.outcome }),
  }));
  const { rows: inserted } = await sql<{ requestId: number }>`
    insert into items (account_id, request_id, batch_id, position, type, state, input, outcome, error)
    select ${accountId}, request_id, ${batchId}::uuid, position, ${type}, state, input, outcome, error
    from json_to_recordset(${storableJson(rows)}::json)
      as item (request_id bigint, position int, state text, input json, outcome json, error text)
    on conflict do nothing
    returning request_id`.execute(trx);
  const ids = new Set(inserted.map(({ requestId }) => requestId));
  const really = items.filter(({ requestId }) => ids.has(requestId));
  if (type !== 'http') await history.keep(trx, { accountId, batchId, type }, really);
  return really;
}

/** The item of one check, single or of a batch; null when the account has none with this id that is settled. */
export async function find(db: Db | Trx, accountId: number, requestId: number): Promise<ItemRow | null> {
  const row = await db
    .selectFrom('items')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('requestId', '=', requestId)
    .executeTakeFirst();
  return row ?? null;
}

/** Items of a batch in the order of submission, from after `afterPosition` on. */
export function page(
  db: Db | Trx,
  { accountId, batchId }: batches.BatchRef,
  { afterPosition, limit, state }: { afterPosition: number; limit: number; state?: 'success' | 'failed' },
): Promise<ItemRow[]> {
  return db
    .selectFrom('items')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('batchId', '=', batchId)
    .where('position', '>', afterPosition)
    .$if(state !== undefined, (query) => query.where('state', '=', state as 'success'))
    .orderBy('position')
    .limit(limit)
    .execute();
}

const columns = [
  'requestId',
  'batchId',
  'position',
  'type',
  'state',
  'input',
  'outcome',
  'error',
  'checkedAt',
] as const;

function countByChunk(items: NewItem[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { chunkId } of items) counts.set(chunkId, (counts.get(chunkId) ?? 0) + 1);
  return counts;
}

function addTallies(summary: Record<string, number>, items: NewItem[]): Record<string, number> {
  const sums = { ...summary };
  for (const { result } of items) {
    if ('error' in result) continue;
    for (const word of result.tally) sums[word] = (sums[word] ?? 0) + 1;
  }
  return sums;
}
