import { randomUUID } from 'node:crypto';
import * as batches from '../db/batches/batches.ts';
import * as results from '../db/batches/results.ts';
import type { Db } from '../db/postgres/connect.ts';
import { ApiError } from '../process/api-error.ts';
import { type CheckType, getDefaultOptions, type InputOf, isUrlCheckType } from '../schemas/check-types.ts';
import { type AcceptDeps, type BatchEntry, type BatchRequest, requireCredits } from './accept.ts';
import { batchNotFound, requireEndedWithInputs, requireRetryable } from './errors.ts';

export interface CheckAgainOptions {
  /** Type of the new checks. Default: the batch's type. Another type uses default options and no webhook. */
  type?: CheckType;
  selection?: results.Selection;
}

/**
 * Returns requests that check the inputs of ended batches again, one request per batch. Names are kept. Skipped entries
 * are left out. Several new batches form one submission. Throws ApiError if a batch is missing, is still running, has
 * expired or does not suit the new type. Also throws ApiError if no inputs are left. Throws InsufficientCreditsError
 * and TokenLimitError.
 */
export async function prepareCheckAgain(
  deps: Pick<AcceptDeps, 'db' | 'spender'>,
  refs: batches.BatchRef[],
  again: CheckAgainOptions = {},
): Promise<BatchRequest[]> {
  const sources = await findSources(deps.db, refs, again);
  const accountId = sources[0]?.batch.accountId ?? 0;
  const needed = sources.reduce((sum, { batch, price }) => sum + (batch.isTest ? 0 : price), 0);
  // Fails early, before a hundred thousand inputs are read.
  await requireCredits(deps, accountId, needed);
  const submissionId = refs.length > 1 ? randomUUID() : null;
  const requests: BatchRequest[] = [];
  for (const { batch } of sources) {
    const request = { ...(await toRequest(deps.db, batch, again)), submissionId };
    if (request.inputs.length > 0) requests.push(request);
  }
  // The inputs may have been purged since they were counted.
  if (requests.length === 0) throw nothingToCheck();
  return requests;
}

interface Source {
  batch: batches.BatchRow;
  /** Price of the checks in credits; 0 without inputs. Test batches are not charged. */
  price: number;
}

/**
 * Returns the batches that have inputs to check, with their prices. Throws ApiError if a batch cannot be
 * checked again.
 */
async function findSources(db: Db, refs: batches.BatchRef[], again: CheckAgainOptions): Promise<Source[]> {
  const all: Source[] = [];
  for (const ref of refs) {
    const batch = await batches.find(db, ref);
    if (!batch) throw batchNotFound();
    requireEndedWithInputs(batch);
    requireSuitable(batch, again);
    all.push({ batch, price: await findPrice(db, batch, again.selection) });
  }
  const sources = all.filter(({ price }) => price > 0);
  if (sources.length === 0) throw nothingToCheck();
  return sources;
}

async function findPrice(
  db: Db,
  batch: batches.BatchRow,
  selection: results.Selection = {},
): Promise<number> {
  const isWhole = Object.keys(selection).length === 0;
  if (isWhole) return batch.total - batch.skipped + batch.overviews;
  const read = batch.overviews > 0 ? results.sumPrices : results.countInputs;
  return read(db, batch, selection);
}

async function toRequest(
  db: Db,
  batch: batches.BatchRow,
  { type, selection }: CheckAgainOptions,
): Promise<BatchRequest> {
  const { accountId, batchId, reference, name, isTest } = batch;
  const wanted = type ?? batch.type;
  return {
    ...{ accountId, type: wanted, reference, name, isTest },
    inputs: await readInputs(db, batch, selection),
    skipped: [],
    duplicates: 0,
    options: wanted === batch.type ? batch.options : getDefaultOptions(wanted),
    webhookUrl: wanted === batch.type ? batch.webhookUrl : null,
    againOf: batchId,
  };
}

/**
 * Returns a request that checks the failed items of an ended batch again with the same options. Skipped entries are
 * left out, because they would fail again. Throws ApiError if the batch is missing, is still running, was already
 * retried or has expired. Also throws ApiError if no check failed.
 */
export async function prepareRetry(db: Db, ref: batches.BatchRef): Promise<BatchRequest> {
  const batch = await batches.find(db, ref);
  if (!batch) throw batchNotFound();
  requireRetryable(batch);
  const inputs = await readInputs(db, batch, { show: 'failed' });
  if (inputs.length === 0) throw invalidField('batch_id', 'This batch has no failed checks to retry.');
  const { accountId, type, options, reference, webhookUrl, batchId, isTest } = batch;
  return {
    ...{ accountId, type, options, reference, webhookUrl, inputs, isTest },
    ...{ skipped: [], duplicates: 0, retryOf: batchId },
  };
}

/** Reads the selected inputs of a batch, without skipped entries. The inputs get new positions. */
async function readInputs(
  db: Db,
  batch: batches.BatchRow,
  selection: results.Selection = {},
): Promise<BatchEntry[]> {
  const chosen = await results.listInputs(db, batch, { ...selection, limit: batch.total });
  return chosen.map((input, position) => ({ position, input: input as InputOf }));
}

function requireSuitable({ type }: batches.BatchRow, { type: wanted = type }: CheckAgainOptions): void {
  if (wanted === type || (isUrlCheckType(wanted) && isUrlCheckType(type))) return;
  throw invalidField('type', 'This batch cannot be checked with this type. Omit `type` to keep its type.');
}

function nothingToCheck(): ApiError {
  return invalidField('batch_id', 'This batch has no inputs to check again.');
}

function invalidField(field: string, message: string): ApiError {
  return new ApiError('validation_failed', message, { details: { errors: { [field]: [message] } } });
}
