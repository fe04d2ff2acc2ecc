import { randomUUID } from 'node:crypto';
import type { BatchRow } from '../../../db/batches/batches.ts';
import * as comparison from '../../../db/batches/comparison.ts';
import * as results from '../../../db/batches/results.ts';
import { type CheckType, checkTypes, isUrlCheckType } from '../../../schemas/check-types.ts';
import type { DashboardContext } from '../context.ts';

/** What can be done a second time with what a page shows of a batch. */
export interface AgainView {
  /** So that a form that is sent twice is done once. */
  once: string;
  type: CheckType;
  /** What else its addresses can be checked for. */
  others: Array<{ type: CheckType; title: string }>;
  /** Checks among what is shown, a credit each. */
  checks: number;
  /** Of a test token's batch: it costs nothing. */
  isFree: boolean;
  isAll: boolean;
  /** Where it is compared with the last time; null when there was none. */
  compareHref: string | null;
}

/** Null while the batch runs, and once nothing of it is kept. */
export async function againOf(
  { db }: Pick<DashboardContext, 'db'>,
  batch: BatchRow,
  selection: results.Selection,
): Promise<AgainView | null> {
  const { type, completedAt, purgedAt, batchId } = batch;
  if (!completedAt || purgedAt) return null;
  const [checks, last] = await Promise.all([
    results.countInputs(db, batch, selection),
    comparison.lastOf(db, batch),
  ]);
  const others = (['http', 'index'] as const).filter((other) => isUrlCheckType(type) && other !== type);
  return {
    once: randomUUID(),
    type,
    others: others.map((other) => ({ type: other, title: checkTypes[other].title })),
    checks,
    isFree: batch.isTest,
    isAll: Object.keys(selection).length === 0,
    compareHref: last && `/batches/${batchId}/compare`,
  };
}
