import * as batchLists from '../../../db/batches/batch-lists.ts';
import type { BatchRow } from '../../../db/batches/batches.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import { type BatchView, viewOf } from './batch-view.ts';
import { submissionView } from './submission-view.ts';
import { whyWaiting } from './waiting.ts';

/** The most batches of a submission that are summed up: a list of 100,000 lines makes fifty. */
export const submissionBatchesMax = 200;

const recentMax = 10;
const runningMax = 20;

/**
 * What an account has running, and what has ended last of what was submitted: runs are seen at their monitors.
 * Batches of one submission are one of them.
 */
export interface Activity {
  running: BatchView[];
  recent: BatchView[];
  /** Why nothing comes of what has waited longest; null while there is nothing to say. */
  waiting: string | null;
  /** Changes whenever anything that is running does. */
  version: string;
  /** Nothing has ever been checked, by monitors neither. */
  isNew: boolean;
}

export async function activityOf(db: Db, accountId: number): Promise<Activity> {
  const open = await batchLists.listOpen(db, accountId, submissionBatchesMax);
  const running = (await together(db, accountId, open)).slice(0, runningMax);
  // Asked for later, so that a batch which ends meanwhile is in both rather than in neither.
  const latest = await batchLists.list(db, accountId, { isOwn: true, limit: submissionBatchesMax });
  const isRunning = new Set(running.map(({ href }) => href));
  const ended = latest.filter(({ completedAt }) => completedAt !== null);
  const views = (await together(db, accountId, ended)).filter(({ href }) => !isRunning.has(href));
  const oldest = open.at(-1);
  const waiting = oldest ? await whyWaiting(db, oldest) : null;
  return {
    running,
    recent: views.slice(0, recentMax),
    waiting,
    version: [versionOf(running), waiting?.length ?? ''].join('_'),
    isNew: latest.length === 0 && (await batchLists.list(db, accountId, { limit: 1 })).length === 0,
  };
}

/** The views of batches in their order, a submission standing where the first of its batches does. */
async function together(db: Db, accountId: number, rows: BatchRow[]): Promise<BatchView[]> {
  const views = new Map<string, BatchView>();
  for (const row of rows) {
    const { batchId, submissionId } = row;
    if (views.has(submissionId ?? batchId)) continue;
    if (views.size === runningMax) break;
    views.set(
      submissionId ?? batchId,
      submissionId ? await submissionOf(db, accountId, submissionId) : viewOf(row),
    );
  }
  return [...views.values()];
}

/** All that was submitted together, as one. */
export async function submissionOf(db: Db, accountId: number, submissionId: string): Promise<BatchView> {
  const filter = { submissionId, limit: submissionBatchesMax, offset: 0 };
  return submissionView(await batchLists.list(db, accountId, filter), submissionId);
}

function versionOf(views: BatchView[]): string {
  return views.map(({ id, version }) => `${id.slice(0, 8)}-${version}`).join('.');
}
