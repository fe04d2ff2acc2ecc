import { gaveUp } from '../../net/fetch-error.ts';
import { judgeHtml } from '../soft-404/judge-html.ts';
import type { Where } from '../soft-404/signals.ts';
import { judgePage, type Soft404Verdict } from '../soft-404/soft-404.ts';
import { decodeHtml, isBinary } from './charset.ts';
import type { Page } from './page.ts';
import { readPage } from './read-page.ts';

/** The HTML of a stranger's page as it came, and what is to be done with it. */
export interface PageTask {
  bytes: Uint8Array;
  /** Of its answer, for its charset; null without one. */
  contentType: string | null;
  /** The HTML is not all there was. */
  isCut: boolean;
  /** Where it was found, to judge it; null when it is only to be read. */
  where: Where | null;
  /** All of it is to be read, to compare it with others; else as far as its verdict needs. */
  isWhole: boolean;
}

/** What was read, and the verdict where one was asked for. */
export interface PageTaskResult {
  page: Page;
  verdict: Soft404Verdict | null;
}

/** Who wants to know what a page says, and until when. */
export interface PageAsker {
  accountId: number;
  signal: AbortSignal;
}

/**
 * Runs the tasks of a process, each of which may take some ten milliseconds of a processor. Errors:
 * FetchError `aborted`, and `no_place` where too many of the account wait. Null for what is no text.
 */
export type PageTaskRunner = (task: PageTask, reader: PageAsker) => Promise<PageTaskResult | null>;

/** Reads a page and judges it, here and now. Null for what is no text, whatever its headers say. */
export function runPageTask(task: PageTask): PageTaskResult | null {
  const { bytes, contentType, isCut, where, isWhole } = task;
  const html = decodeHtml(bytes, contentType);
  if (isBinary(html)) return null;
  if (where && !isWhole) return judgeHtml(html, where, isCut);
  const page = readPage(html, { isCut });
  return { page, verdict: where && judgePage(page, where) };
}

/** On the event loop, for a process in which nobody waits for anything else. */
export const runHere: PageTaskRunner = async (task, { signal }) => {
  if (signal.aborted) throw gaveUp();
  return runPageTask(task);
};
