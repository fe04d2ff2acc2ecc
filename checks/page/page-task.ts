import { createAbortedError } from '../../net/fetch-error.ts';
import { judgeHtml } from '../soft-404/judge-html.ts';
import type { PageUrls } from '../soft-404/signals.ts';
import { judgePage, type Soft404Verdict } from '../soft-404/soft-404.ts';
import type { TaskCaller } from '../task-thread.ts';
import { decodeHtml, isBinary } from './charset.ts';
import type { Page } from './page.ts';
import { readPage } from './read-page.ts';

/** Body of an HTML page, and how to read it. */
export interface PageTask {
  bytes: Uint8Array;
  /** `Content-Type` of the response, for its charset; null without one. */
  contentType: string | null;
  /** True if the page is longer than `bytes`. */
  isCut: boolean;
  /** URLs of the page, to judge it; null when it is only read. */
  where: PageUrls | null;
  /** True if all of it is read, to compare it with other pages; false to read only what the verdict needs. */
  isWhole: boolean;
}

/** The page, and the verdict if the task has `where`. */
export interface PageTaskResult {
  page: Page;
  verdict: Soft404Verdict | null;
}

/**
 * Runs page tasks, each of which may take about ten milliseconds of CPU time. Returns null for a body that is not text.
 * Errors: FetchError `aborted`.
 */
export type PageTaskRunner = (task: PageTask, caller: TaskCaller) => Promise<PageTaskResult | null>;

/** Reads and judges a page on the current thread. Returns null for a body that is not text. */
export function runPageTask(task: PageTask): PageTaskResult | null {
  const { bytes, contentType, isCut, where, isWhole } = task;
  const html = decodeHtml(bytes, contentType);
  if (isBinary(html)) return null;
  if (where && !isWhole) return judgeHtml(html, where, isCut);
  const page = readPage(html, { isCut });
  return { page, verdict: where && judgePage(page, where) };
}

/** Runs tasks on the event loop, for processes without a page thread. */
export const runOnEventLoop: PageTaskRunner = async (task, { signal }) => {
  if (signal.aborted) throw createAbortedError();
  return runPageTask(task);
};
