import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as batches from '../db/batches/batches.ts';
import * as results from '../db/batches/results.ts';
import type { Act } from '../db/postgres/act.ts';
import type { Db } from '../db/postgres/connect.ts';
import { Refused } from '../process/refused.ts';
import {
  type CheckType,
  checkTypes,
  type InputOf,
  isUrlCheckType,
  type OptionsOf,
} from '../schemas/check-types.ts';
import { type Accepted, type BatchEntry, type BatchRequest, type Desk, requireCredits } from './accept.ts';
import { acceptAll } from './accept-all.ts';
import { noBatch, refuseUnlessEnded } from './refusals.ts';

export interface AgainChoice {
  /** Type of the new checks; without it the same type, with the same options and receiver. */
  type?: CheckType;
  /** Which inputs, by what came of them. */
  selection?: results.Selection;
}

/**
 * New batches of the inputs of ended ones of an account, one of each, with their names; several are one submission.
 * Entries that never were inputs stay behind. Refused for what has not ended, is no longer kept, is not there, is of no
 * addresses where another type is wanted, or when nothing is left to check. Inputs are read only for an account that
 * can pay for all of them and has allowance left. Throws InsufficientCreditsError.
 */
export function checkAgain(
  desk: Desk & { db: Db },
  refs: batches.BatchRef[],
  again: AgainChoice = {},
): Act<Accepted[]> {
  let act: Act<Accepted[]> | null = null;
  return {
    before: async () => {
      const asked = await askedOf(desk.db, refs, again);
      await admit(desk, asked);
      const submissionId = refs.length > 1 ? randomUUID() : null;
      const requests: BatchRequest[] = [];
      for (const { batch } of asked) {
        const request = { ...(await requestOf(desk.db, batch, again)), submissionId };
        if (request.inputs.length > 0) requests.push(request);
      }
      // They may have been purged meanwhile.
      if (requests.length === 0) throw nothingToCheck();
      act = acceptAll(desk, requests);
      await act.before?.();
    },
    perform: (trx) => {
      assert(act, 'what is checked again is prepared before its transaction');
      return act.perform(trx);
    },
  };
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

/** A look at two rows, before a hundred thousand are read for nothing. */
async function admit({ db, allowance }: Desk & { db: Db }, asked: Asked[]): Promise<void> {
  const accountId = asked[0]?.batch.accountId ?? 0;
  const needed = asked.reduce((sum, { batch, checks }) => sum + (batch.isTest ? 0 : checks), 0);
  await requireCredits(db, accountId, needed);
  await allowance.admit(accountId);
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

function noAddresses(): Refused {
  return misfit('type', 'The inputs of this batch are no list of addresses.');
}

function nothingToCheck(): Refused {
  return misfit('batch_id', 'Nothing of this batch can be checked again: no input fits.');
}

function misfit(field: string, message: string): Refused {
  return new Refused('validation_failed', message, { details: { errors: { [field]: [message] } } });
}
