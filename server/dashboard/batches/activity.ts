import * as batchLists from '../../../db/batches/batch-lists.ts';
import type { BatchRow } from '../../../db/batches/batches.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import { type BatchView, toBatchView } from './batch-view.ts';
import { toSubmissionView } from './submission-view.ts';
import { describeWait } from './waiting.ts';

/** Maximum number of batches read per submission. A list of 100,000 lines becomes 50 batches. */
export const submissionBatchesMax = 200;

const recentMax = 10;
const runningMax = 20;

/**
 * Returns an account's running and recent batches. A submission counts as one batch. Finished runs of monitors are left
 * out.
 */
export async function findActivity(db: Db, accountId: number) {
  const open = await batchLists.listOpen(db, accountId, submissionBatchesMax);
  const running = (await toViews(db, accountId, open)).slice(0, runningMax);
  // Read after the open batches. A batch that ends between both reads is then in both lists. In the other order, it
  // would be in neither list.
  const latest = await batchLists.list(db, accountId, { isSubmitted: true, limit: submissionBatchesMax });
  const isRunning = new Set(running.map(({ href }) => href));
  const ended = latest.filter(({ completedAt }) => completedAt !== null);
  const views = (await toViews(db, accountId, ended)).filter(({ href }) => !isRunning.has(href));
  const oldest = open.at(-1);
  const waiting = oldest ? await describeWait(db, oldest) : null;
  return {
    running,
    recent: views.slice(0, recentMax),
    /** Why the oldest open batch waits; null if it does not wait. */
    waiting,
    /** Changes whenever a running batch changes. */
    version: [joinVersions(running), waiting?.length ?? ''].join('_'),
    /** True if the account has no batches, not even from monitors. */
    isNew: latest.length === 0 && (await batchLists.list(db, accountId, { limit: 1 })).length === 0,
  };
}

/** Returns one view per batch or submission, in the order of their first batch. */
async function toViews(db: Db, accountId: number, rows: BatchRow[]): Promise<BatchView[]> {
  const views = new Map<string, BatchView>();
  for (const row of rows) {
    const { batchId, submissionId } = row;
    if (views.has(submissionId ?? batchId)) continue;
    if (views.size === runningMax) break;
    views.set(
      submissionId ?? batchId,
      submissionId ? await findSubmissionView(db, accountId, submissionId) : toBatchView(row),
    );
  }
  return [...views.values()];
}

export async function findSubmissionView(
  db: Db,
  accountId: number,
  submissionId: string,
): Promise<BatchView> {
  const filter = { submissionId, limit: submissionBatchesMax, offset: 0 };
  return toSubmissionView(await batchLists.list(db, accountId, filter), submissionId);
}

function joinVersions(views: BatchView[]): string {
  return views.map(({ id, version }) => `${id.slice(0, 8)}-${version}`).join('.');
}
