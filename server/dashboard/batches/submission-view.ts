import type { BatchRow } from '../../../db/batches/batches.ts';
import type { ResultFilter } from '../../../db/batches/results.ts';
import { checkTypes } from '../../../schemas/check-types.ts';
import { grouped } from '../format.ts';
import { type BatchView, toBatchView } from './batch-view.ts';

/** Merges the batches of a submission into one view. Throws an error if `rows` is empty. */
export function toSubmissionView(rows: BatchRow[], submissionId: string): BatchView {
  const view = toBatchView(mergeBatches(rows));
  return { ...view, href: `/submissions/${submissionId}` };
}

/** Returns a view per batch. A batch with the same name as the first batch is named by the range of its inputs. */
export function toPartViews(rows: BatchRow[], show: ResultFilter | undefined): BatchView[] {
  const [first] = rows;
  let before = 0;
  const views = rows.map((row) => {
    const view = toBatchView(row);
    const from = before + 1;
    before += row.total;
    const isNamed = (row.name ?? row.reference) !== (first?.name ?? first?.reference);
    const positions = from === before ? grouped(from) : `${grouped(from)}–${grouped(before)}`;
    return isNamed ? view : { ...view, name: `${checkTypes[row.type].inputs} ${positions}` };
  });
  if (!show) return views;
  return views
    .filter((view) => getShareCount(view, show) > 0)
    .map((view) => ({ ...view, href: `${view.href}?show=${show}#results` }));
}

/** Returns the number of results of a filter; 0 for a filter that the view does not show. */
export function getShareCount({ shares, findings }: BatchView, show: ResultFilter): number {
  return [...findings, ...shares].find((one) => one.show === show)?.count ?? 0;
}

/** Merges batches into one row with the sums of their counters. The row is completed when all batches are completed. */
export function mergeBatches(rows: BatchRow[]): BatchRow {
  const [first] = rows;
  if (!first) throw new Error('a submission has at least one batch');
  const sum = (
    count: 'total' | 'skipped' | 'successful' | 'failed' | 'duplicates' | 'overviews' | 'overviewsRefunded',
  ) => rows.reduce((total, row) => total + row[count], 0);
  const [successful, failed] = [sum('successful'), sum('failed')];
  const open = rows.filter(({ completedAt }) => completedAt === null);
  return {
    ...first,
    ...{ total: sum('total'), skipped: sum('skipped'), duplicates: sum('duplicates'), successful, failed },
    ...{ overviews: sum('overviews'), overviewsRefunded: sum('overviewsRefunded') },
    status: mergeStatus(rows, successful, failed),
    summary: mergeSummaries(rows.map(({ summary }) => summary)),
    createdAt: timeBy(rows, 'createdAt', Math.min) ?? first.createdAt,
    completedAt: rows.every(({ completedAt }) => completedAt) ? timeBy(rows, 'completedAt', Math.max) : null,
    startedAt: timeBy(rows, 'startedAt', Math.min),
    canceledAt: rows.every(({ canceledAt }) => canceledAt) ? first.canceledAt : null,
    waitingReason: open.find(({ waitingReason }) => waitingReason)?.waitingReason ?? null,
    waitingUntil: timeBy(open, 'waitingUntil', Math.max),
    retryOf: null,
    retriedAs: null,
    againOf: null,
  };
}

function mergeStatus(rows: BatchRow[], successful: number, failed: number): BatchRow['status'] {
  if (rows.every(({ status }) => status === 'pending')) return 'pending';
  if (rows.some(({ completedAt }) => completedAt === null)) return 'processing';
  if (failed === 0) return 'completed';
  return successful === 0 ? 'failed' : 'partial';
}

function mergeSummaries(summaries: Array<Record<string, number>>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [word, count] of summaries.flatMap((summary) => Object.entries(summary))) {
    sums[word] = (sums[word] ?? 0) + count;
  }
  return sums;
}

function timeBy(
  rows: BatchRow[],
  field: 'createdAt' | 'startedAt' | 'completedAt' | 'waitingUntil',
  of: (...times: number[]) => number,
): Date | null {
  const times = rows.flatMap((row) => row[field]?.getTime() ?? []);
  return times.length > 0 ? new Date(of(...times)) : null;
}
