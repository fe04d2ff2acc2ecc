import { randomUUID } from 'node:crypto';
import type { Accepted, BatchRequest, Desk } from '../batches/accept.ts';
import { acceptAll } from '../batches/accept-all.ts';
import type { Spender } from '../db/ledger/token-spending.ts';
import type { MonitorRow } from '../db/monitors/monitors.ts';
import * as subjects from '../db/monitors/subjects.ts';
import type { Act } from '../db/postgres/act.ts';
import type { Db } from '../db/postgres/connect.ts';
import { Refused } from '../process/refused.ts';
import { batchSizeMax } from '../schemas/text.ts';

/** What a run takes from the process. */
export type MonitorDesk = Desk & { db: Db };

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
  refused: Refused | null;
  /** Throws InsufficientCreditsError; before anything is written, unless `isCovered` was said. */
  accept: Act<Accepted[]>['perform'];
}

/**
 * Prepares the checks of a monitor's next run, or of some of its subjects. `isCovered`: they are accepted by who has
 * seen in that transaction that they can be paid for.
 */
export async function prepareChecks(
  desk: MonitorDesk,
  monitor: MonitorRow,
  {
    runId = randomUUID(),
    subjectIds,
    isCovered = true,
    spender,
  }: { runId?: string; subjectIds?: readonly number[]; isCovered?: boolean; spender: Spender | null },
): Promise<Checks> {
  const chosen = await subjects.listCurrent(desk.db, monitor, subjectIds);
  const act = acceptAll({ ...desk, spender }, requestsOf(monitor, runId, chosen), { isCovered });
  let refused: Refused | null = null;
  try {
    await act.before?.();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused = error;
  }
  const { revision } = monitor;
  return { runId, count: chosen.length, revision, spender, refused, accept: act.perform };
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
