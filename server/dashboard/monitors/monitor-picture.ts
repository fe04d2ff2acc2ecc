import type { MonitorRow } from '../../../db/monitors/monitors.ts';
import * as points from '../../../db/monitors/points.ts';
import * as runTallies from '../../../db/monitors/run-tallies.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import { listDueTimes } from '../../../monitors/due-times.ts';
import type { CheckType } from '../../../schemas/check-types.ts';
import type { RankDistributionBody, SeriesEntry } from '../../../schemas/monitor-series.ts';
import { createLineChart, type Gap, type LineChart, type LineChartInput, type Mark } from '../charts.ts';
import { toDepth } from '../evidence/rank-move.ts';
import { counted, shortUrl } from '../format.ts';
import { percent } from './monitor-view.ts';

/** Notes and gaps of a chart. */
type Events = Pick<LineChartInput, 'marks' | 'gaps'>;

/** Returns the times since `since` in which monitors missed more than one run. */
export async function findGaps(
  db: Db,
  accountId: number,
  monitors: Array<Pick<MonitorRow, 'monitorId' | 'schedule'>>,
  since: Date,
): Promise<Gap[]> {
  const schedules = new Map(monitors.map(({ monitorId, schedule }) => [monitorId, schedule]));
  const gaps = await runTallies.listGaps(db, accountId, [...schedules.keys()], since);
  return gaps.flatMap(({ monitorId, from, until }) => {
    const schedule = schedules.get(monitorId);
    return schedule ? toGaps({ monitorId, schedule }, from, until) : [];
  });
}

/** Returns the gap between two checks; none if no more than two due times passed. */
export function toGaps(
  { monitorId, schedule }: Pick<MonitorRow, 'monitorId' | 'schedule'>,
  from: Date,
  until: Date,
): Gap[] {
  // The last due time is that of the second check.
  const missed = listDueTimes(schedule, monitorId, from, until).slice(0, -1);
  const [firstMissed, lastMissed] = [missed[0], missed.at(-1)];
  if (!firstMissed || !lastMissed || missed.length < 2) return [];
  return [{ from, until, firstMissed, lastMissed }];
}

/** Returns marks for the days since `from` on which the depth of the search changed. */
export async function findDepthMarks(
  db: Db,
  accountId: number,
  subjectIds: number[],
  from: Date,
): Promise<Mark[]> {
  const changes = await points.listDepthChanges(db, accountId, subjectIds, from);
  return changes.map(({ at, endPage, isDeeper, queries }) => ({
    at,
    words: `Searched ${isDeeper ? 'deeper' : 'less deep'}: ${counted(queries, 'keyword')} to #${toDepth(endPage)}`,
  }));
}

/** Draws the runs of a monitor, oldest first, as charts. `site`: the host of a keyword monitor with only one. */
export function createMonitorCharts(
  type: CheckType,
  series: SeriesEntry[],
  { site, ...events }: Events & { site?: string },
): LineChart[] {
  if (type === 'keyword') {
    const sites = [
      { label: site ?? 'Own sites', find: ({ ranks }: SeriesEntry) => ranks },
      ...listCompetitors(series),
    ];
    const metrics: RankMetric[] = ['average_rank', 'visibility'];
    return [
      createDistributionChart(series, events),
      ...metrics.map((metric) => createRankChart(metric, sites, series, events)),
      ...(series.some(({ ai_coverage }) => ai_coverage !== undefined)
        ? [createOverviewChart(series, events)]
        : []),
    ];
  }
  const [lines, read] = shares[type];
  const rows = series.map((entry) => ({ ...toRow(entry), values: read(entry) }));
  return [
    createLineChart({
      title: 'Shares of answered checks',
      scale: 'share',
      lines,
      rows,
      ...events,
      extraHeads,
    }),
  ];
}

/** Lines in the chart of a URL monitor, with a function that reads their values from a run. */
const shares: Record<
  Exclude<CheckType, 'keyword'>,
  [LineChartInput['lines'], (entry: SeriesEntry) => Array<number | null>]
> = {
  index: [[{ label: 'Indexed', tone: 'good' }], ({ share_indexed: indexed }) => [indexed ?? null]],
  http: [
    [
      { label: 'Dead', tone: 'bad' },
      { label: 'Soft 404', tone: 'warn' },
    ],
    ({ share_dead: dead, share_soft404: soft404 }) => [dead ?? null, soft404 ?? null],
  ],
};

export const rankMetrics = {
  average_rank: { title: 'Average rank', scale: 'rank', read: (ranks) => ranks.average_rank },
  visibility: { title: 'Visibility', scale: 'share', read: (ranks) => ranks.visibility },
  top_3: { title: 'In top 3', scale: 'share', read: (ranks) => toShare(ranks, ranks.top_3) },
  top_10: { title: 'In top 10', scale: 'share', read: (ranks) => toShare(ranks, ranks.top_10) },
  top_20: { title: 'In top 20', scale: 'share', read: (ranks) => toShare(ranks, ranks.top_20) },
} satisfies Record<
  string,
  { title: string; scale: 'rank' | 'share'; read: (ranks: RankDistributionBody) => number | null }
>;
export type RankMetric = keyof typeof rankMetrics;

function toShare({ top_100, not_ranked }: RankDistributionBody, queries: number): number | null {
  const answered = top_100 + not_ranked;
  return answered === 0 ? null : queries / answered;
}

interface ComparedSite {
  label: string;
  find: (entry: SeriesEntry) => RankDistributionBody | undefined;
}

/** Lists the competitors of the last run that had competitors. */
export function listCompetitors(series: SeriesEntry[]): ComparedSite[] {
  const last = series.findLast(({ competitors }) => competitors !== undefined);
  const urls = (last?.competitors ?? []).slice(0, competitorsMax).map(({ url }) => url);
  // Sorted, so that each competitor keeps its color. The order in jsonb differs between runs.
  return urls.sort().map((url) => ({
    label: shortUrl(url),
    find: ({ competitors }) => competitors?.find((one) => one.url === url),
  }));
}

/**
 * Maximum number of competitors in a chart: as many as one query can have. The queries of a monitor can have others.
 */
const competitorsMax = 10;

export function createRankChart(
  metric: RankMetric,
  sites: ComparedSite[],
  series: SeriesEntry[],
  events: Events,
): LineChart {
  const { title, scale, read } = rankMetrics[metric];
  const rows = series.map((entry) => ({
    ...toRow(entry),
    values: sites.map(({ find }) => {
      const ranks = find(entry);
      return ranks ? read(ranks) : null;
    }),
  }));
  return createLineChart({ title, scale, lines: sites, rows, ...events, extraHeads });
}

/** Draws how many queries have an AI Overview, and how many of these overviews cite the target. */
export function createOverviewChart(series: SeriesEntry[], events: Events): LineChart {
  const rows = series.map((entry) => ({
    ...toRow(entry),
    values: [entry.ai_coverage ?? null, entry.ai_citation_rate ?? null],
  }));
  const lines = [{ label: 'Keywords with an AI Overview' }, { label: 'Of these, cite the site' }];
  return createLineChart({ title: 'AI Overviews', scale: 'share', lines, rows, ...events, extraHeads });
}

function createDistributionChart(series: SeriesEntry[], events: Events): LineChart {
  const tops = [3, 10, 20, 100] as const;
  const rows = series.map((entry) => ({
    ...toRow(entry),
    values: tops.map((top) => entry.ranks && toShare(entry.ranks, entry.ranks[`top_${top}`])),
  }));
  const lines = tops.map((top) => ({ label: `Top ${top}` }));
  return createLineChart({
    title: 'Share of keywords in the top',
    scale: 'share',
    lines,
    rows,
    ...events,
    extraHeads,
  });
}

/**
 * Head of the column with the share of subjects that got an answer. Other shares are shares of the answered subjects.
 */
const extraHeads = ['Answered (of all)'];

function toRow({ at, coverage }: SeriesEntry) {
  return { at: [new Date(at)], extra: [coverage === null ? 'none' : percent(coverage)] };
}
