import * as runs from '../db/monitors/monitor-runs.ts';
import { conclude } from './conclude.ts';
import { prepareRun } from './prepare-run.ts';
import type { ReadSitemap } from './read-sitemap.ts';
import type { Starter } from './start-due.ts';

/**
 * Goes on with a run as far as it has come: begins one whose sitemap is to be read, ends one whose batches have ended.
 * It may be done twice; the second time there is nothing to do. Null when nothing was done.
 */
export async function advance(
  starter: Starter & { readSitemap: ReadSitemap },
  ref: runs.RunRef,
): Promise<runs.RunRow | null> {
  const run = await runs.find(starter.db, ref);
  if (!run || run.finishedAt) return null;
  return run.status === 'preparing' ? prepareRun(starter, run) : conclude(starter, run);
}
