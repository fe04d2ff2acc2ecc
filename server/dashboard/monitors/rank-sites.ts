import type { RequestHandler } from 'express';
import { toSite } from '../../../checks/search/target.ts';
import { listTargets } from '../../../db/monitors/rank-sites.ts';
import * as runTallies from '../../../db/monitors/run-tallies.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import { nextDueTime } from '../../../monitors/due-times.ts';
import { checkTypes } from '../../../schemas/check-types.ts';
import type { SeriesEntry } from '../../../schemas/monitor-series.ts';
import type { Schedule } from '../../../schemas/monitor-types.ts';
import type { SubjectCounts } from '../../../schemas/run-tally.ts';
import { seriesEntryBody, sumCounts } from '../../../wire/series.ts';
import { closeSignal } from '../../limits/slots.ts';
import type { DashboardContext } from '../context.ts';
import { createPager, readPageNumber } from '../paging.ts';
import { showPage } from '../render.ts';
import { getSession } from '../visitors.ts';
import { percent, toIncompleteRun } from './monitor-view.ts';
import { toAverageMove } from './site-summary.ts';

const perPage = 50;

/** A host whose ranks keyword monitors track. */
export interface RankSite {
  name: string;
  href: string;
  keywords: number;
  /** Its targets as sent: the host itself, or pages of it. */
  targets: string[];
  monitors: SiteMonitor[];
}

/** If the monitor also tracks other sites, the counts of the site are in groups by site. */
interface SiteMonitor extends runTallies.TallySource {
  isActive: boolean;
  schedule: Schedule;
  href: string;
  addHref: string;
  name: string;
}

export function toSiteHref(site: string): string {
  return `/ranks/${encodeURIComponent(site)}`;
}

/** Returns the sites of an account's keyword monitors, by name. */
export async function findSites(db: Db, accountId: number): Promise<RankSite[]> {
  const targets = (await listTargets(db, accountId)).map((row) => ({ ...row, site: toSite(row.target) }));
  // Includes targets without current keywords, because the totals of earlier runs also count them.
  const ofMonitors = [...Map.groupBy(targets, ({ monitorId }) => monitorId)];
  const isMixed = new Map(
    ofMonitors.map(([id, rows]) => [id, new Set(rows.map(({ site }) => site)).size > 1]),
  );
  const current = targets.filter(({ keywords }) => keywords > 0);
  return [...Map.groupBy(current, ({ site }) => site)]
    .map(([name, rows]) => ({
      name,
      href: toSiteHref(name),
      keywords: rows.reduce((sum, { keywords }) => sum + keywords, 0),
      targets: [...new Set(rows.map(({ target }) => target))],
      monitors: [...new Map(rows.map((row) => [row.monitorId, row])).values()].map(
        ({ monitorId, monitorName, isActive, schedule }) => ({
          monitorId,
          isActive,
          schedule,
          href: `/monitors/${monitorId}`,
          addHref: `/?monitor=${monitorId}&add=yes&site=${encodeURIComponent(name)}`,
          name: monitorName || checkTypes.keyword.title,
          group: isMixed.get(monitorId) ? { site: name } : {},
        }),
      ),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function rankSitePages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    // Reads every keyword, so an account runs one such query at a time.
    const sites = await context.longQueries.run(accountId, () => findSites(db, accountId), {
      signal: closeSignal(res),
    });
    const page = readPageNumber(req);
    const shown = sites.slice((page - 1) * perPage, page * perPage);
    const sources = shown.flatMap((site) => site.monitors.map((source) => ({ site, source })));
    const monitors = sources.map(({ source }) => source);
    const rows = await runTallies.listBySource(db, accountId, monitors, null);
    const rowsOfSite = Map.groupBy(rows, ({ place }) => sources[place]?.site);
    const data = {
      sites: shown.map((site) => {
        const latest = rowsOfSite.get(site) ?? [];
        return { ...site, hasRun: latest.length > 0, ...toSummary(latest, monitors) };
      }),
      pager: createPager(req, { page, perPage, shown: shown.length, total: sites.length }),
    };
    await showPage(context, req, res, { view: 'rank-sites', title: 'Ranks', data });
  };

  return { show };
}

type SourceRow = Awaited<ReturnType<typeof runTallies.listBySource>>[number];

function toSummary(rows: SourceRow[], monitors: SiteMonitor[]) {
  const last = sumBySource(rows, monitors).at(-1);
  if (!last?.ranks || last.answered === 0) return null;
  const { average_rank: average, visibility, top_10, top_100, not_ranked } = last.ranks;
  const answered = top_100 + not_ranked;
  return {
    lastAt: new Date(last.at),
    incomplete: toIncompleteRun('keyword', last),
    average: average === null ? null : `#${average.toFixed(1)}`,
    week: toAverageMove(last.ranks, 7),
    visibility: percent(visibility ?? 0),
    top10: answered === 0 ? null : percent(top_10 / answered),
  };
}

/** Counts of a site on a day. */
export interface SiteEntry extends SeriesEntry {
  /** `at` with milliseconds. */
  ranAt: Date;
  /** Index of each monitor whose counts are included, in a fixed order. */
  included: number[];
  /** The monitors whose next due run did not happen. Their keywords count as not answered. */
  overdue: Array<{ place: number; at: Date; subjects: number }>;
}

/**
 * Returns the sum of the last counts of several monitors, for each day on which a run checked the site. A monitor keeps
 * its earlier counts until the day of its next due run, or through this day if it is the last: the run may still come.
 */
export function sumBySource(rows: SourceRow[], monitors: SiteMonitor[]): SiteEntry[] {
  const latest = new Map<number, { at: Date; counts: SubjectCounts }>();
  const days = [...Map.groupBy(rows, ({ at }) => toUtcDay(at))];
  return days.flatMap(([day, ofDay], nth) => {
    for (const { place, at, tally, groups } of ofDay) {
      const counts = tally ?? (groups && sumCounts(groups));
      if (counts) latest.set(place, { at, counts });
      // The run did not check the site.
      else latest.delete(place);
    }
    const at = ofDay.findLast(({ tally, groups }) => tally ?? groups)?.at;
    if (!at) return [];
    const isIncluded = (place: number, lastAt: Date) => {
      const monitor = monitors[place];
      if (!monitor || toUtcDay(lastAt) === day) return true;
      const due = toUtcDay(nextDueTime(monitor.schedule, monitor.monitorId, lastAt));
      return due > day || (due === day && nth === days.length - 1 && monitor.isActive);
    };
    const all = [...latest].map(([place, last]) => ({ place, ...last }));
    const included = all.filter((one) => isIncluded(one.place, one.at));
    const overdue = all
      .filter((one) => !included.includes(one))
      .map((one) => ({ place: one.place, at: one.at, subjects: one.counts.subjects }));
    const tally = sumCounts([
      ...included.map(({ counts }) => counts),
      ...overdue.map(({ subjects }) => ({ subjects, answered: 0, failed: subjects, unconfirmed: 0 })),
    ]);
    const entry = seriesEntryBody(
      'keyword',
      { runId: '', at, tally: { ...tally, kinds: {} }, groups: null },
      {},
    );
    return [{ ...entry, ranAt: at, included: included.map(({ place }) => place).sort(), overdue }];
  });
}

function toUtcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}
