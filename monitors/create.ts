import { randomUUID } from 'node:crypto';
import * as monitors from '../db/monitors/monitors.ts';
import * as subjects from '../db/monitors/subjects.ts';
import { clock } from '../db/postgres/clock.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { CheckType, InputOf } from '../schemas/check-types.ts';
import { nextDue } from './due-times.ts';
import { tooManyMonitors } from './refusals.ts';
import { chooseListed } from './sitemap.ts';

/** A monitor as it is asked for. */
export interface AskedMonitor extends monitors.MonitorTerms {
  accountId: number;
  type: CheckType;
  /** The creating token, where it has a monthly limit; null otherwise. */
  tokenId: number | null;
  /** What it checks: the list, or what the sitemap lists. */
  inputs: InputOf[];
}

/** Of a list that the caller knows nothing is left out, so the bound is that of all. */
const subjectsMaxOfAll = 10_000;

/**
 * Creates a monitor, active and due at its next time. Throws ApiError if the account has as many as it may. The caller
 * takes the allowance for its list (`keptList`), which costs no credit until it is checked.
 */
export async function createMonitor(
  trx: Trx,
  { monitorsMax }: { monitorsMax: number },
  { inputs, ...request }: AskedMonitor,
): Promise<monitors.MonitorRow> {
  const ref = { accountId: request.accountId, monitorId: randomUUID() };
  await monitors.lockOwner(trx, ref.accountId);
  const has = await monitors.count(trx, ref.accountId, {}, monitorsMax);
  if (has >= monitorsMax) throw tooManyMonitors(monitorsMax);
  const now = await clock(trx);
  const chosen = request.sitemapUrl === null ? inputs : firstOf(inputs, request.subjectsMax);
  await monitors.create(trx, {
    ...request,
    ...ref,
    subjects: chosen.length,
    nextRunAt: nextDue(request.schedule, ref.monitorId, now),
    sitemapReadAt: request.sitemapUrl === null ? null : now,
  });
  await subjects.replace(trx, ref, { inputs: chosen, leftReason: 'removed', runId: null });
  const monitor = await monitors.find(trx, ref);
  if (!monitor) throw new Error('a monitor that was stored is not there');
  return monitor;
}

/** What a run may check at most, where nobody says it: a sitemap may grow to twice its size. */
export function boundOf(sitemapUrl: string | null, listed: number): number {
  return sitemapUrl === null ? subjectsMaxOfAll : Math.min(subjectsMaxOfAll, 2 * listed);
}

function firstOf(inputs: InputOf[], max: number): InputOf[] {
  const urls = inputs.flatMap((input) => ('url' in input ? [input.url] : []));
  return chooseListed(urls, new Set(), max).chosen;
}
