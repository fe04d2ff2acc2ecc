import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Allowance, UnbilledWork } from '../accounts/allowance.ts';
import { addUnbilled, countStoredRows } from '../accounts/unbilled.ts';
import * as batches from '../db/batches/batches.ts';
import * as chunks from '../db/batches/chunks.ts';
import * as items from '../db/batches/items.ts';
import type { RequestIds } from '../db/batches/request-ids.ts';
import * as ledger from '../db/ledger/ledger.ts';
import * as spending from '../db/ledger/token-spending.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import { enqueueChunks } from '../db/queue/queue.ts';
import {
  type CheckType,
  type FailedInputOf,
  getCheckType,
  type InputOf,
  type OptionsOf,
} from '../schemas/check-types.ts';
import { getPrice, wantsOverview } from '../schemas/features.ts';
import { createDelivery } from '../webhooks/schedule.ts';
import { requireRetryable } from './errors.ts';

export interface BatchEntry<I = InputOf> {
  position: number;
  input: I;
}

/** An invalid entry. `problem`: a sentence for the caller. */
export interface SkippedEntry<A = FailedInputOf> extends BatchEntry<A> {
  problem: string;
}

export interface BatchRequest {
  accountId: number;
  type: CheckType;
  inputs: BatchEntry[];
  /** Invalid entries. They become failed items and are not charged. */
  skipped: SkippedEntry[];
  /**
   * Number of entries that repeat an earlier entry. With `dedupe`, these entries are removed from `inputs` and
   * `skipped`.
   */
  duplicates: number;
  /** Options of all checks of the batch, such as whether redirects are followed. */
  options: OptionsOf;
  /** The caller's own reference; null for none. */
  reference: string | null;
  /** URL that receives a webhook when the batch ends, as submitted; null for none. */
  webhookUrl: string | null;
  /** The submission that the batch is part of; null or missing for none. */
  submissionId?: string | null;
  /** The batch whose failed items are checked again. A batch can be retried once. */
  retryOf?: string;
  /** The batch whose inputs are checked again. */
  againOf?: string;
  name?: string | null;
  /** True for a test token. The batch is not charged and gets simulated answers. */
  isTest?: boolean;
  /** The monitor's run that the batch belongs to; missing for a submitted batch. */
  run?: { monitorId: string; runId: string };
}

export interface AcceptedBatch {
  request: BatchRequest;
  batchId: string;
  total: number;
  /** The balance after the charge. */
  credits: number;
  /** The ledger entry of the charge; null if the batch cost nothing. */
  entryNo: number | null;
}

export interface AcceptDeps {
  db: Db;
  boss: PgBoss;
  requestIds: RequestIds;
  allowance: Pick<Allowance, 'recordUnbilled'>;
  /** The caller's token, if the token has a monthly limit. The charge counts against this limit. */
  spender?: spending.LimitedToken | null;
}

/** A batch with its request ids. */
export interface PreparedBatch {
  request: BatchRequest;
  batchId: string;
  firstRequestId: number;
  chunks: chunks.NewChunk[];
}

/**
 * Checks that `needed` credits are left. Call this before any other work. `isDivisible` is true if the caller can
 * submit fewer inputs instead. Throws InsufficientCreditsError or TokenLimitError.
 */
export async function requireCredits(
  { db, spender = null }: Pick<AcceptDeps, 'db' | 'spender'>,
  accountId: number,
  needed: number,
  isDivisible = false,
): Promise<void> {
  const available = await ledger.balance(db, accountId);
  if (available < needed) throw new ledger.InsufficientCreditsError(needed, available, isDivisible);
  await spending.requireRemaining(db, spender, needed);
}

/**
 * Reserves the request ids of batches, in a transaction of its own. Call this before the transaction that accepts the
 * batches, because the reservation may need another connection. A rollback does not return request ids.
 */
export async function prepareBatches(
  { requestIds }: Pick<AcceptDeps, 'requestIds'>,
  requests: BatchRequest[],
): Promise<PreparedBatch[]> {
  const prepared: PreparedBatch[] = [];
  for (const request of requests) {
    const firstRequestId = await requestIds.reserve(totalOf(request));
    const batchId = randomUUID();
    prepared.push({ request, batchId, firstRequestId, chunks: toChunks(request, batchId, firstRequestId) });
  }
  return prepared;
}

/**
 * Accepts all given batches of one account, or none. Rows, charge, unbilled work and jobs commit together. Throws
 * InsufficientCreditsError or TokenLimitError if the total price is too high.
 */
export async function acceptBatches(
  trx: Trx,
  { boss, allowance, spender = null }: Pick<AcceptDeps, 'boss' | 'allowance' | 'spender'>,
  prepared: PreparedBatch[],
): Promise<AcceptedBatch[]> {
  for (const { request, batchId } of prepared) {
    const { accountId, retryOf } = request;
    if (retryOf) await markAsRetried(trx, { accountId, batchId: retryOf }, batchId);
  }

  // Rows are inserted before the charge locks the account's row. Concurrent requests of the account then wait less.
  for (const batch of prepared) {
    await batches.create(trx, toRow(batch, spender));
    await chunks.create(trx, batch.chunks);
    await recordSkipped(trx, batch);
  }

  const accepted: AcceptedBatch[] = [];
  let paid = 0;
  const needed = priceOf(prepared.map(({ request }) => request));
  for (const batch of prepared) {
    const { request, batchId } = batch;
    const { accountId, type, webhookUrl } = request;
    const chunkCount = batch.chunks.length;
    const price = priceOf([request]);
    const charged = await batches.charge(trx, { accountId, batchId, type, price, chunkCount });
    if (!charged)
      throw new ledger.InsufficientCreditsError(needed, paid + (await ledger.balance(trx, accountId)));
    paid += price;
    if (charged.jobs.length > 0) await enqueueChunks(boss, trx, type, charged.jobs);
    // A batch that has only skipped entries ends immediately.
    if (chunkCount === 0 && webhookUrl)
      await createDelivery(trx, boss, { accountId, eventId: batchId, url: webhookUrl });
    const { balance: credits, entryNo } = charged;
    accepted.push({ request, batchId, total: totalOf(request), credits, entryNo });
  }
  const accountId = prepared[0]?.request.accountId;
  const unbilled = addUnbilled(prepared.map(({ request }) => countUnbilledWork(request)));
  // Lock order everywhere: the account's row, the allowance, the token's row.
  if (accountId !== undefined) await allowance.recordUnbilled(trx, accountId, unbilled);
  await spending.spend(trx, spender, needed);
  return accepted;
}

/** Returns the credits that batches cost at acceptance. Test batches cost nothing. */
export function priceOf(requests: Pick<BatchRequest, 'inputs' | 'isTest'>[]): number {
  const paid = requests.flatMap(({ inputs, isTest }) => (isTest ? [] : inputs));
  return paid.reduce((sum, { input }) => sum + getPrice(input), 0);
}

function totalOf({ inputs, skipped }: BatchRequest): number {
  return inputs.length + skipped.length;
}

/**
 * Records in a batch the id of its retry. Locks the row before `requireRetryable`, so that one of two concurrent
 * retries fails.
 */
async function markAsRetried(trx: Trx, ref: batches.BatchRef, retriedAs: string): Promise<void> {
  const locked = await batches.lock(trx, ref);
  if (locked) requireRetryable(locked);
  await batches.setRetriedAs(trx, ref, retriedAs);
}

/**
 * Returns the unbilled work of accepting a batch:
 * - every batch: the rows of its skipped entries
 * - a batch without inputs: also its own row and its delivery
 * - a test batch: also its own row, the rows of its inputs, and its delivery as a webhook test
 */
function countUnbilledWork({ inputs, skipped, options, webhookUrl, isTest }: BatchRequest): UnbilledWork {
  const rows = countStoredRows(skipped.map(({ input, problem }) => ({ ...input, problem })));
  if (isTest) {
    const all = rows + countStoredRows([options, ...inputs.map(({ input }) => input)]);
    return { keptRows: all, webhookTests: webhookUrl ? 1 : 0 };
  }
  if (inputs.length > 0) return { keptRows: rows };
  return { keptRows: rows + countStoredRows([options]), deliveries: webhookUrl ? 1 : 0 };
}

function toRow(
  { request, batchId, firstRequestId }: PreparedBatch,
  spender: spending.LimitedToken | null,
): batches.NewBatch {
  const { accountId, type, skipped, duplicates, options, reference, webhookUrl } = request;
  const { retryOf = null, submissionId = null, againOf = null, name = null, isTest = false, run } = request;
  return {
    ...{ accountId, batchId, type, duplicates, options, reference, webhookUrl },
    ...{ retryOf, submissionId, againOf, name, isTest, firstRequestId },
    total: totalOf(request),
    skipped: skipped.length,
    overviews: isTest ? 0 : request.inputs.filter(({ input }) => wantsOverview(input)).length,
    tokenId: spender?.tokenId ?? null,
    monitorId: run?.monitorId ?? null,
    runId: run?.runId ?? null,
  };
}

function toChunks(
  { accountId, type, inputs, isTest = false }: BatchRequest,
  batchId: string,
  firstRequestId: number,
): chunks.NewChunk[] {
  return splitIntoChunks(type, inputs).map((slice, ordinal) => {
    const numbered = slice.map(({ position, input }) => ({
      request_id: firstRequestId + position,
      position,
      input,
    }));
    const chunkId = numbered[0]?.request_id ?? 0;
    return { accountId, batchId, chunkId, type, ordinal, inputs: numbered, isTest };
  });
}

async function recordSkipped(trx: Trx, { request, batchId, firstRequestId }: PreparedBatch): Promise<void> {
  const { accountId, type, skipped, isTest = false } = request;
  if (skipped.length === 0) return;
  const refused = skipped.map(({ position, input, problem }) => {
    const requestId = firstRequestId + position;
    const result = { error: 'invalid_url' as const, problem };
    return { requestId, chunkId: requestId, position, input, result };
  });
  await items.insert(trx, { accountId, batchId, type, isTest }, refused);
}

/**
 * Splits inputs into chunks, one per job. Inputs with the same search are in one chunk, so that one search answers
 * them.
 */
export function splitIntoChunks<T extends { input: object }>(type: CheckType, inputs: readonly T[]): T[][] {
  const { inputsPerJob, searchFields } = getCheckType(type);
  if (!searchFields) return splitEvery(inputs, inputsPerJob);
  const toKey = ({ input }: T) => JSON.stringify(input, [...searchFields]);
  const bySearch = [...Map.groupBy(inputs, toKey).values()];
  return splitEvery(bySearch, inputsPerJob).map((equal) => equal.flat());
}

function splitEvery<T>(all: readonly T[], length: number): T[][] {
  const many = Math.ceil(all.length / length);
  return Array.from({ length: many }, (_, nth) => all.slice(nth * length, (nth + 1) * length));
}
