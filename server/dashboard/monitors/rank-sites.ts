import type { RequestHandler } from 'express';
import { toSite } from '../../../checks/search/target.ts';
import { listTargets } from '../../../db/monitors/rank-sites.ts';
import * as runTallies from '../../../db/monitors/run-tallies.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import { checkTypes } from '../../../schemas/check-types.ts';
import type { SeriesEntry } from '../../../schemas/monitor-series.ts';
import type { SubjectCounts } from '../../../schemas/run-tally.ts';
import { seriesEntryBody, sumCounts } from '../../../wire/series.ts';
import { closeSignal } from '../../limits/slots.ts';
import type { DashboardContext } from '../context.ts';
import { toRankMove } from '../evidence/rank-move.ts';
import { createPager, readPageNumber } from '../paging.ts';
import { showPage } from '../render.ts';
import { getSession } from '../visitors.ts';
import { percent, toIncompleteRun } from './monitor-view.ts';

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
        ({ monitorId, monitorName, isActive }) => ({
          monitorId,
          isActive,
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
    const rows = await runTallies.listBySource(
      db,
      accountId,
      sources.map(({ source }) => source),
      null,
    );
    const rowsOfSite = Map.groupBy(rows, ({ place }) => sources[place]?.site);
    const data = {
      sites: shown.map((site) => {
        const latest = rowsOfSite.get(site) ?? [];
        return { ...site, hasRun: latest.length > 0, ...toSummary(latest) };
      }),
      pager: createPager(req, { page, perPage, shown: shown.length, total: sites.length }),
    };
    await showPage(context, req, res, { view: 'rank-sites', title: 'Ranks', data });
  };

  return { show };
}

type SourceRow = Awaited<ReturnType<typeof runTallies.listBySource>>[number];

function toSummary(rows: SourceRow[]) {
  const last = sumBySource(rows).at(-1);
  if (!last?.ranks || last.answered === 0) return null;
  const { average_rank: average, visibility, top_10, top_100, not_ranked, differences } = last.ranks;
  const answered = top_100 + not_ranked;
  return {
    lastAt: new Date(last.at),
    incomplete: toIncompleteRun('keyword', last),
    average: average === null ? null : `#${average.toFixed(1)}`,
    week:
      differences.day_7 &&
      toRankMove(differences.day_7.average_rank_before, differences.day_7.average_rank_now),
    visibility: percent(visibility ?? 0),
    top10: answered === 0 ? null : percent(top_10 / answered),
  };
}

/**
 * Returns, for each day, the sum of the last counts of several monitors. A monitor that did not run on a day keeps its
 * earlier counts.
 */
export function sumBySource(rows: SourceRow[]): SeriesEntry[] {
  const latest = new Map<number, SubjectCounts>();
  const days = Map.groupBy(rows, ({ at }) => at.toISOString().slice(0, 10));
  return [...days.values()].flatMap((ofDay) => {
    for (const { place, tally, groups } of ofDay) {
      if (tally) latest.set(place, tally);
      else if (groups) latest.set(place, sumCounts(groups));
      // The run did not check the site.
      else latest.delete(place);
    }
    const at = ofDay.at(-1)?.at;
    if (!at || latest.size === 0) return [];
    const [only, ...others] = [...latest.values()];
    const tally = others.length === 0 && only ? only : sumCounts([...latest.values()]);
    return seriesEntryBody('keyword', { runId: '', at, tally: { ...tally, kinds: {} }, groups: null }, {});
  });
}
