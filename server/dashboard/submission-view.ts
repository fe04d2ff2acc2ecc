import type { BatchRow } from '../../db/batches.ts';
import { canceledOf } from '../../wire/bodies.ts';
import { type BatchView, viewOf } from './batch-view.ts';

/** What batches of one submission come to together, as pages show a batch; there is at least one. */
export function submissionView(rows: BatchRow[], submissionId: string): BatchView {
  const view = viewOf(together(rows));
  return { ...view, href: `/submissions/${submissionId}` };
}

/** One row with the counters of all: it ends with the last of them. */
export function together(rows: BatchRow[]): BatchRow {
  const [first] = rows;
  if (!first) throw new Error('a submission has at least one batch');
  const sum = (count: 'total' | 'skipped' | 'successful' | 'failed' | 'duplicates') =>
    rows.reduce((total, row) => total + row[count], 0);
  const [successful, failed] = [sum('successful'), sum('failed')];
  return {
    ...first,
    ...{ total: sum('total'), skipped: sum('skipped'), duplicates: sum('duplicates'), successful, failed },
    status: statusOf(rows, successful, failed),
    summary: summed(rows.map((row) => ({ ...row.summary, canceled: canceledOf(row) }))),
    createdAt: extreme(rows, 'createdAt', Math.min) ?? first.createdAt,
    completedAt: rows.every(({ completedAt }) => completedAt) ? extreme(rows, 'completedAt', Math.max) : null,
    startedAt: extreme(rows, 'startedAt', Math.min),
    canceledAt: rows.every(({ canceledAt }) => canceledAt) ? first.canceledAt : null,
    retryOf: null,
    retriedAs: null,
    againOf: null,
  };
}

function statusOf(rows: BatchRow[], successful: number, failed: number): BatchRow['status'] {
  if (rows.every(({ status }) => status === 'pending')) return 'pending';
  if (rows.some(({ completedAt }) => completedAt === null)) return 'processing';
  if (failed === 0) return 'completed';
  return successful === 0 ? 'failed' : 'partial';
}

function summed(summaries: Array<Record<string, number>>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [word, count] of summaries.flatMap((summary) => Object.entries(summary))) {
    sums[word] = (sums[word] ?? 0) + count;
  }
  return sums;
}

function extreme(
  rows: BatchRow[],
  field: 'createdAt' | 'startedAt' | 'completedAt',
  of: (...times: number[]) => number,
): Date | null {
  const times = rows.flatMap((row) => row[field]?.getTime() ?? []);
  return times.length > 0 ? new Date(of(...times)) : null;
}
