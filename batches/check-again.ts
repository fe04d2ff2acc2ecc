import { randomUUID } from 'node:crypto';
import * as batches from '../db/batches/batches.ts';
import * as results from '../db/batches/results.ts';
import type { Db } from '../db/postgres/connect.ts';
import { ApiError } from '../process/api-error.ts';
import {
  type CheckType,
  checkTypes,
  type InputOf,
  isUrlCheckType,
  type OptionsOf,
} from '../schemas/check-types.ts';
import { type AcceptDeps, type BatchEntry, type BatchRequest, requireCovered } from './accept.ts';
import { noBatch, refuseUnlessEnded } from './refusals.ts';

export interface AgainChoice {
  /** Type of the new checks; without it the same type, with the same options and receiver. */
  type?: CheckType;
  /** Which inputs, by what came of them. */
  selection?: results.Selection;
}

/**
 * Reads the inputs of ended batches of an account as new batches, one of each, with their names; several are one
 * submission. Skipped entries are left out. Throws ApiError for a batch that is missing, still running, no longer kept
 * or without URLs for the wanted type, and when nothing is left to check. Throws InsufficientCreditsError and
 * TokenLimitError.
 */
export async function readAgain(
  deps: Pick<AcceptDeps, 'db' | 'spender'>,
  refs: batches.BatchRef[],
  again: AgainChoice = {},
): Promise<BatchRequest[]> {
  const asked = await askedOf(deps.db, refs, again);
  const accountId = asked[0]?.batch.accountId ?? 0;
  const needed = asked.reduce((sum, { batch, checks }) => sum + (batch.isTest ? 0 : checks), 0);
  // Before a hundred thousand inputs are read for nothing.
  await requireCovered(deps, accountId, needed);
  const submissionId = refs.length > 1 ? randomUUID() : null;
  const requests: BatchRequest[] = [];
  for (const { batch } of asked) {
    const request = { ...(await requestOf(deps.db, batch, again)), submissionId };
    if (request.inputs.length > 0) requests.push(request);
  }
  // They may have been purged meanwhile.
  if (requests.length === 0) throw nothingToCheck();
  return requests;
}

interface Asked {
  batch: batches.BatchRow;
  checks: number;
}

/** Those that have something to check, and how much. */
async function askedOf(db: Db, refs: batches.BatchRef[], again: AgainChoice): Promise<Asked[]> {
  const all: Asked[] = [];
  for (const ref of refs) {
    const batch = await batches.find(db, ref);
    if (!batch) throw noBatch();
    refuseUnlessEnded(batch);
    refuseUnlessFit(batch, again);
    all.push({ batch, checks: await checksOf(db, batch, again.selection) });
  }
  const asked = all.filter(({ checks }) => checks > 0);
  if (asked.length === 0) throw nothingToCheck();
  return asked;
}

async function checksOf(db: Db, batch: batches.BatchRow, selection: results.Selection = {}): Promise<number> {
  const isWhole = Object.keys(selection).length === 0;
  return isWhole ? batch.total - batch.skipped : results.countInputs(db, batch, selection);
}

async function requestOf(
  db: Db,
  batch: batches.BatchRow,
  { type, selection }: AgainChoice,
): Promise<BatchRequest> {
  const { accountId, batchId, reference, name, isTest } = batch;
  const wanted = type ?? batch.type;
  return {
    ...{ accountId, type: wanted, reference, name, isTest },
    inputs: await inputsOf(db, batch, selection),
    skipped: [],
    duplicates: 0,
    options: wanted === batch.type ? batch.options : defaultsOf(wanted),
    webhookUrl: wanted === batch.type ? batch.webhookUrl : null,
    againOf: batchId,
  };
}

async function inputsOf(
  db: Db,
  batch: batches.BatchRow,
  selection: results.Selection = {},
): Promise<BatchEntry[]> {
  const chosen = await results.inputs(db, batch, { ...selection, limit: batch.total });
  return chosen.map((input, position) => ({ position, input: input as InputOf }));
}

function defaultsOf(type: CheckType): OptionsOf {
  const { properties } = checkTypes[type].options;
  const defaults = Object.entries(properties).map(([name, schema]) => [
    name,
    (schema as { default?: unknown }).default,
  ]);
  return Object.fromEntries(defaults);
}

function refuseUnlessFit({ type }: batches.BatchRow, { type: wanted = type }: AgainChoice): void {
  if (wanted !== type && !(isUrlCheckType(wanted) && isUrlCheckType(type))) throw noAddresses();
}

function noAddresses(): ApiError {
  return misfit('type', 'This batch has no list of URLs.');
}

function nothingToCheck(): ApiError {
  return misfit('batch_id', 'Nothing of this batch can be checked again: no input fits.');
}

function misfit(field: string, message: string): ApiError {
  return new ApiError('validation_failed', message, { details: { errors: { [field]: [message] } } });
}
