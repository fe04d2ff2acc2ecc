import { randomUUID } from 'node:crypto';
import type { BatchRow } from '../../../db/batches/batches.ts';
import * as comparison from '../../../db/batches/comparison.ts';
import * as results from '../../../db/batches/results.ts';
import { type CheckType, checkTypes, isUrlCheckType } from '../../../schemas/check-types.ts';
import type { DashboardContext } from '../context.ts';

/** Form data for checking the shown results of a batch again. */
interface AgainView {
  /** Id of the form: sending the form twice starts only one batch. */
  once: string;
  type: CheckType;
  /** Other check types for the same URLs. */
  others: Array<{ type: CheckType; title: string }>;
  checks: number;
  /** Credits charged at first. AI Overviews that are not shown or cannot be read are refunded. */
  price: number;
  /** True for a batch of a test token. */
  isFree: boolean;
  isAll: boolean;
  /** URL of the comparison with the previous batch; null without a previous batch. */
  compareHref: string | null;
}

/** Returns null while the batch runs, and after its results are deleted. */
export async function findAgainView(
  { db }: Pick<DashboardContext, 'db'>,
  batch: BatchRow,
  selection: results.Selection,
): Promise<AgainView | null> {
  const { type, completedAt, purgedAt, batchId } = batch;
  if (!completedAt || purgedAt) return null;
  const [checks, price, last] = await Promise.all([
    results.countInputs(db, batch, selection),
    batch.overviews > 0 ? results.sumPrices(db, batch, selection) : null,
    comparison.findPrevious(db, batch),
  ]);
  const others = (['http', 'index'] as const).filter((other) => isUrlCheckType(type) && other !== type);
  return {
    once: randomUUID(),
    type,
    others: others.map((other) => ({ type: other, title: checkTypes[other].title })),
    checks,
    price: price ?? checks,
    isFree: batch.isTest,
    isAll: Object.keys(selection).length === 0,
    compareHref: last && `/batches/${batchId}/compare`,
  };
}
