import type { PageUrls } from '../soft-404/signals.ts';
import { judgeHtml, judgePage, type Soft404Verdict } from '../soft-404/soft-404.ts';
import type { TaskCaller } from '../task-thread.ts';
import { decodeHtml, isBinary } from './charset.ts';
import type { Page } from './page.ts';
import { readPage } from './read-page.ts';

export interface PageTask {
  bytes: Uint8Array;
  contentType: string | null;
  /** True if the page is longer than `bytes`. */
  isCut: boolean;
  /** URLs of the page. Null if the page is not judged. */
  urls: PageUrls | null;
  /** True to read the whole page, for comparisons. False to read only the part that the verdict needs. */
  isWhole: boolean;
}

export interface PageTaskResult {
  page: Page;
  verdict: Soft404Verdict | null;
}

/**
 * Runs a page task. A task may take ten milliseconds of CPU time. Returns null for a body that is not text. Throws
 * FetchError `aborted`.
 */
export type PageTaskRunner = (task: PageTask, caller: TaskCaller) => Promise<PageTaskResult | null>;

/** Reads and judges a page on the current thread. Returns null for a body that is not text. */
export function runPageTask(task: PageTask): PageTaskResult | null {
  const { bytes, contentType, isCut, urls, isWhole } = task;
  const html = decodeHtml(bytes, contentType);
  if (isBinary(html)) return null;
  if (urls && !isWhole) return judgeHtml(html, urls, isCut);
  const page = readPage(html, { isCut });
  return { page, verdict: urls && judgePage(page, urls) };
}
