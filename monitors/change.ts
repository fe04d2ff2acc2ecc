import * as monitors from '../db/monitors/monitors.ts';
import * as subjects from '../db/monitors/subjects.ts';
import { clock } from '../db/postgres/clock.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { InputOf } from '../schemas/check-types.ts';
import { nextDue } from './due-times.ts';
import { noMonitor } from './refusals.ts';

/** What is asked to change; what is missing stays. */
export interface MonitorEdit {
  /** Makes its new terms of those it has; called with its row locked. Throws a 422 for what does not fit together. */
  termsOf(monitor: monitors.MonitorRow): monitors.MonitorTerms;
  /** The changing token, where it has a monthly limit; null otherwise. Runs count against it from now on. */
  tokenId: number | null;
  /** What it checks from now on; null where that stays. */
  inputs: InputOf[] | null;
}

/**
 * Changes a monitor, which holds from its next run on; one that is at work goes on with what it began with. One that
 * was completed and gets a list is active again. The caller takes the allowance for
 * a new list (`keptList`).
 */
export async function changeMonitor(
  trx: Trx,
  ref: monitors.MonitorRef,
  change: MonitorEdit,
): Promise<monitors.MonitorRow> {
  const monitor = await monitors.lock(trx, ref);
  if (!monitor) throw noMonitor();
  const terms = change.termsOf(monitor);
  const chosen = await chosenOf();
  const isRevived = monitor.status === 'completed' && change.inputs !== null;
  const status = isRevived ? 'active' : monitor.status;
  const now = await clock(trx);
  const isMoved = JSON.stringify(terms.schedule) !== JSON.stringify(monitor.schedule);
  const isDueAnew = status === 'active' && (isMoved || isRevived);
  // With fewer first, for the bound holds at every moment.
  if (chosen) await monitors.update(trx, ref, { subjects: 0 });
  await monitors.update(trx, ref, {
    ...terms,
    tokenId: change.tokenId,
    status,
    revision: monitor.revision + 1,
    ...(chosen ? { subjects: chosen.length, doubtedCount: null } : {}),
    ...(isDueAnew ? { nextRunAt: nextDue(terms.schedule, monitor.monitorId, now) } : {}),
    ...(change.inputs && terms.sitemapUrl !== null ? { sitemapReadAt: now } : {}),
  });
  if (chosen) await subjects.replace(trx, ref, { inputs: chosen, leftReason: 'removed', runId: null });
  return (await monitors.find(trx, ref)) ?? monitor;

  async function chosenOf(): Promise<InputOf[] | null> {
    if (change.inputs) return change.inputs.slice(0, terms.subjectsMax);
    if (monitor === null || monitor.subjects <= terms.subjectsMax) return null;
    const current = await subjects.listCurrent(trx, ref);
    return current.slice(0, terms.subjectsMax).map(({ input }) => input);
  }
}
