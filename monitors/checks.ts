import { randomUUID } from 'node:crypto';
import { type AcceptDeps, type BatchRequest, type PreparedBatch, prepareBatches } from '../batches/accept.ts';
import type { Spender } from '../db/ledger/token-spending.ts';
import type { MonitorRow } from '../db/monitors/monitors.ts';
import * as subjects from '../db/monitors/subjects.ts';
import { ApiError } from '../process/api-error.ts';
import { batchSizeMax } from '../schemas/text.ts';

/** The checks of a run that is about to begin, prepared before its transaction. */
export interface Checks {
  runId: string;
  /** How many, which is what they cost. */
  count: number;
  /** Of the monitor as they were read: another one by the time of the transaction, and they are not of it. */
  revision: number;
  /** The token with a monthly limit that they count against; null for none. */
  spender: Spender | null;
  /** Why the account may not begin them; null when it may. */
  refused: ApiError | null;
  /** For `acceptBatches`; empty where it was refused. */
  prepared: PreparedBatch[];
}

/** Prepares the checks of a monitor's next run, or of some of its subjects. */
export async function prepareChecks(
  deps: AcceptDeps,
  monitor: MonitorRow,
  {
    runId = randomUUID(),
    subjectIds,
    spender,
  }: { runId?: string; subjectIds?: readonly number[]; spender: Spender | null },
): Promise<Checks> {
  const chosen = await subjects.listCurrent(deps.db, monitor, subjectIds);
  let refused: ApiError | null = null;
  let prepared: PreparedBatch[] = [];
  try {
    prepared = await prepareBatches(deps, requestsOf(monitor, runId, chosen));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    refused = error;
  }
  const { revision } = monitor;
  return { runId, count: chosen.length, revision, spender, refused, prepared };
}

/** As many to a batch as a caller may submit at once, under the run as their submission. */
function requestsOf(monitor: MonitorRow, runId: string, chosen: subjects.Subject[]): BatchRequest[] {
  const { accountId, monitorId, type, options, reference, name } = monitor;
  const batches = Math.ceil(chosen.length / batchSizeMax);
  return Array.from({ length: batches }, (_, nth) => ({
    ...{ accountId, type, options, reference, name },
    inputs: chosen
      .slice(nth * batchSizeMax, (nth + 1) * batchSizeMax)
      .map(({ input }, position) => ({ position, input })),
    skipped: [],
    duplicates: 0,
    webhookUrl: null,
    submissionId: runId,
    run: { monitorId, runId },
  }));
}
