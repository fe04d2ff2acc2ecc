import type { RequestHandler } from 'express';
import * as annotations from '../../../db/monitors/annotations.ts';
import * as points from '../../../db/monitors/points.ts';
import { listKeywords, type TrackedKeyword } from '../../../db/monitors/rank-sites.ts';
import * as runTallies from '../../../db/monitors/run-tallies.ts';
import * as subjects from '../../../db/monitors/subjects.ts';
import { clock } from '../../../db/postgres/clock.ts';
import { wantsOverview } from '../../../schemas/features.ts';
import type { SubjectEntry } from '../../../schemas/monitor-history.ts';
import type { SeriesEntry } from '../../../schemas/monitor-series.ts';
import { visibilityAt } from '../../../schemas/visibility.ts';
import { sumCounts } from '../../../wire/series.ts';
import { dayMs } from '../../api/date-times.ts';
import { type SubjectExport, sendSubjects, subjectsAtOnce } from '../../api/monitor-exports.ts';
import { joinFileName, readLocale, type TableFormat } from '../../api/results/export.ts';
import { notFound } from '../../http/errors.ts';
import { closeSignal } from '../../limits/slots.ts';
import type { Mark } from '../charts.ts';
import type { DashboardContext } from '../context.ts';
import { isUnreached, type RankMove, toRankMove, toSearchMove } from '../evidence/rank-move.ts';
import type { Tone } from '../evidence/shares.ts';
import { counted, day, searchLabel } from '../format.ts';
import { createPager, readPageNumber, withQuery } from '../paging.ts';
import { showPage } from '../render.ts';
import { getSession } from '../visitors.ts';
import { toMark } from './annotations.ts';
import {
  createOverviewChart,
  createRankChart,
  findDepthMarks,
  findGaps,
  listCompetitors,
} from './monitor-picture.ts';
import { type IncompleteRun, toIncompleteRun } from './monitor-view.ts';
import { findSites, type RankSite, type SiteEntry, sumBySource } from './rank-sites.ts';
import {
  type Compared,
  findOverview,
  findShown,
  isComparable,
  isInGroup,
  periods,
  readGroup,
  readQuery,
  type SiteQuery,
  toComparison,
  toSearch,
} from './site-keywords.ts';
import { citedMetric, metrics, toPoints, toSummary } from './site-summary.ts';
import {
  drawRanks,
  findOldSince,
  findSubjectEntries,
  lastDays,
  type Period,
  toAnswer,
} from './subject-view.ts';

const perPage = 50;
/** Maximum number of keywords that are filtered and sorted. */
const keywordsMax = 10_000;
const competitorsMax = 10;
const moversMax = 5;
const marksMax = 50;
/** Maximum number of tags to choose from. If there are more tags, the reader types a tag. */
const tagChoicesMax = 100;
/** Age of the oldest run that the summary needs: the run nearest to 30 days ago can be 15 days older. */
const summaryDays = 45;

export function rankSitePage(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    const query = readQuery(req);
    const { all, series, since, firstRunAt, lastRuns, incomplete, overdue, notes, gaps, site, span } =
      await context.longQueries.run(accountId, () => readSite(accountId, String(req.params.site), query), {
        signal: closeSignal(res),
      });
    const inGroup = all.filter((one) => isInGroup(one, query));
    const found = findShown(all, query);
    const page = readPageNumber(req);
    const rows = found.slice((page - 1) * perPage, page * perPage);
    const competitors = findCompetitors(rows);
    const tags = listValues(all, ({ tag }) => tag);
    const recent = series.filter(({ at }) => Date.parse(at) >= span.from.getTime());
    const sites = [{ label: site.name, find: ({ ranks }: SeriesEntry) => ranks }, ...listCompetitors(recent)];
    // Entries with the same monitors, so that a change is not a difference between monitors.
    const included = series.at(-1)?.included.join();
    const comparable = series.filter((entry) => entry.included.join() === included);
    // Earlier runs did not count the same keywords.
    const hasEarlierRuns = firstRunAt && comparable[0] ? day(firstRunAt) !== day(comparable[0].ranAt) : false;
    const asksOverviews = all.some(({ keyword }) => wantsOverview(keyword.input));
    const metric = asksOverviews || query.metric !== citedMetric ? query.metric : 'average_rank';
    const noteMarks = notes.map(toMark);
    const ids = inGroup.map(({ keyword }) => keyword.subjectId);
    const depthMarks = await context.longQueries.run(
      accountId,
      () => findDepthMarks(db, accountId, ids, span.from),
      { signal: closeSignal(res) },
    );
    const marks = [...noteMarks, ...depthMarks, ...findOverdueMarks(recent, site)];
    /** Keywords with a first answer after this time show the date of that answer. */
    const start = new Date((since ?? span.from).getTime() + dayMs);
    const data = {
      site,
      query,
      isFiltered: [
        query.search,
        query.position,
        query.moved,
        query.overview,
        ...Object.keys(readGroup(query)),
      ].some(Boolean),
      periods,
      hrefFor: (changes: Record<string, string | null>) =>
        withQuery(req, req.path, { page: null, ...changes }),
      metrics: metrics
        .filter((name) => asksOverviews || name !== citedMetric)
        .map((name) => ({ name, isShown: name === metric, ...toSummary(name, comparable, hasEarlierRuns) })),
      chart:
        recent.length === 0
          ? null
          : metric === citedMetric
            ? createOverviewChart(recent, { marks, gaps })
            : createRankChart(metric, sites, recent, { marks, gaps }),
      incomplete,
      overdue,
      noteMarks,
      since,
      movers: findMovers(inGroup, start, lastRuns),
      asksOverviews,
      weightAt: (rank: number) => toPoints(visibilityAt(rank), '%'),
      choices: {
        tags: tags.length > tagChoicesMax ? null : tags,
        devices: listValues(all, ({ device }) => device),
        countries: listValues(all, ({ country }) => country),
        locations: listValues(all, ({ location }) => location ?? null),
      },
      competitors,
      keywords: await toRows(accountId, rows, {
        competitors,
        span,
        start,
        lastRuns,
      }),
      isCut: all.length === keywordsMax,
      exportQuery: withQuery(req, '', { page: null, metric: null }).slice(1),
      pager: createPager(req, { page, perPage, shown: rows.length, total: found.length }),
    };
    await showPage(context, req, res, { view: 'rank-site', title: `Ranks of ${site.name}`, data });
  };

  /** Exports all keywords that the filters of the page select, in the same order. */
  const exportAs =
    (kind: SubjectExport, ending: TableFormat): RequestHandler =>
    async (req, res) => {
      const { accountId } = getSession(req);
      const query = readQuery(req);
      const choice = { ending, locale: readLocale(req), hasByteOrderMark: true };
      const { site, span, all } = await context.longQueries.run(
        accountId,
        () => readSite(accountId, String(req.params.site), query),
        { signal: closeSignal(res) },
      );
      const found = findShown(all, query);
      const rivals = [...new Set(found.flatMap(({ input }) => input.competitor_urls ?? []))];
      const table = {
        accountId,
        fileName: joinFileName([site.name, kind], new Date()),
        type: 'keyword' as const,
        kind,
        rivals,
        subjectIds: found.map(({ subjectId }) => subjectId),
        time: span,
        entries: readEntries(accountId, found, span),
      };
      await sendSubjects(context, res, table, choice);
    };

  async function* readEntries(
    accountId: number,
    found: TrackedKeyword[],
    span: Period,
  ): AsyncGenerator<SubjectEntry[]> {
    for (let first = 0; first < found.length; first += subjectsAtOnce) {
      const some = found.slice(first, first + subjectsAtOnce);
      const entries = new Map<number, SubjectEntry>();
      for (const [monitorId, rows] of Map.groupBy(some, (row) => row.monitorId)) {
        const monitor = { accountId, monitorId, type: 'keyword' as const };
        const subjectIds = rows.map(({ subjectId }) => subjectId);
        const known = await subjects.list(db, monitor, { subjectIds, limit: subjectsAtOnce });
        for (const { entry } of await findSubjectEntries(context, monitor, known, span, {
          hasFormerCompetitors: true,
        }))
          entries.set(entry.subject_id, entry);
      }
      yield some.flatMap(({ subjectId }) => entries.get(subjectId) ?? []);
    }
  }

  async function findSite(accountId: number, name: string): Promise<RankSite> {
    const site = (await findSites(db, accountId)).find((one) => one.name === name);
    if (!site) throw notFound('No monitor of your account tracks keywords of this site.');
    return site;
  }

  async function readKeywords(accountId: number, site: RankSite, from: Date): Promise<Compared[]> {
    const keywords = await listKeywords(db, accountId, {
      monitorIds: listMonitorIds(site),
      targets: site.targets,
      from,
      limit: keywordsMax,
    });
    return keywords.map((keyword) => ({ keyword, ...toComparison(keyword) }));
  }

  async function readSite(accountId: number, name: string, query: SiteQuery) {
    const site = await findSite(accountId, name);
    const now = await clock(db);
    const span = lastDays(Number(query.days), now);
    const from = new Date(Math.min(span.from.getTime(), now.getTime() - summaryDays * dayMs));
    const group = readGroup(query);
    const sources = site.monitors.map((source) => ({ ...source, group: { ...source.group, ...group } }));
    const [tallies, gaps, notes] = await Promise.all([
      runTallies.listBySource(db, accountId, sources, from),
      findGaps(db, accountId, site.monitors, span.from),
      annotations.list(db, accountId, listMonitorIds(site), { limit: marksMax }),
    ]);
    const checked = tallies.filter(({ tally, groups }) => tally ?? groups);
    const lastRuns: LastRuns = new Map();
    const incomplete: Array<IncompleteRun & { name: string | null }> = [];
    const series = sumBySource(tallies, site.monitors);
    const firstRunAt = tallies[0]?.at;
    const first = series[0]?.ranAt;
    /** Start of the history, if it is shorter than the period. The changes of the keywords begin here, too. */
    const since = first && first.getTime() > span.from.getTime() + dayMs ? first : null;
    const all = await readKeywords(accountId, site, since ?? span.from);
    const overdue = (series.at(-1)?.overdue ?? []).map(({ place, ...run }) => ({
      ...run,
      name: site.monitors[place]?.name,
    }));
    for (const [place, { monitorId, name, isActive }] of site.monitors.entries()) {
      const last = checked.findLast((row) => row.place === place);
      if (!isActive) lastRuns.set(monitorId, now);
      else if (last) lastRuns.set(monitorId, last.at);
      const counts = last && (last.tally ?? sumCounts(last.groups ?? []));
      if (overdue.some((one) => one.at === last?.at)) continue;
      const run = counts && toIncompleteRun('keyword', { at: last.at, ...counts });
      if (run) incomplete.push({ ...run, name: sources.length > 1 ? name : null });
    }
    return { site, span, all, series, since, firstRunAt, lastRuns, incomplete, overdue, notes, gaps };
  }

  /** Adds the data that only the shown rows need, such as sparklines and the ranks of competitors. */
  async function toRows(
    accountId: number,
    rows: TrackedKeyword[],
    {
      competitors,
      span,
      start,
      lastRuns,
    }: { competitors: string[]; span: Period; start: Date; lastRuns: LastRuns },
  ) {
    const ids = rows.map(({ subjectId }) => subjectId);
    const during = Map.groupBy(
      await points.listDuring(db, accountId, ids, {
        from: span.from,
        to: new Date(span.to.getTime() + dayMs),
        hasRivals: false,
      }),
      ({ subjectId }) => subjectId,
    );
    return rows.map((row) => ({
      ...toKeywordView(row, start, lastRuns),
      overview: findOverview(row),
      best: row.best,
      rankedUrl: row.rankedUrl,
      sparkline: drawRanks(
        (during.get(row.subjectId) ?? []).map(({ firstAt, lastAt, value, flags }) => ({
          from: firstAt.getTime(),
          until: lastAt.getTime(),
          rank: value,
          isUnconfirmed: (flags & points.pointFlags.unconfirmed) !== 0,
        })),
        span,
      ),
      competitors: competitors.map((url) => {
        const rank = row.input.competitor_urls?.includes(url) ? row.rivals?.[url] : undefined;
        const answer = rank === undefined ? '' : rank === null ? '–' : `#${rank}`;
        return { answer, move: findRivalMove(row, url) };
      }),
    }));
  }

  return { show, exportAs };
}

/** Time of the last run that checked the site, by monitor. For a monitor that is not active, the present. */
type LastRuns = Map<string, Date>;

function listMonitorIds({ monitors }: RankSite): string[] {
  return monitors.map(({ monitorId }) => monitorId);
}

/** Returns the change of a competitor's rank; null if the rank is unchanged or one of the two is unknown. */
function findRivalMove({ rivals, flags, before }: TrackedKeyword, url: string): RankMove | null {
  const [now, then] = [rivals?.[url], before.rivals?.[url]];
  if (now === undefined || then === undefined || now === then) return null;
  const searches = [toSearch({ rank: then, flags: before.flags }), toSearch({ rank: now, flags })] as const;
  return isUnreached(...searches) ? null : toRankMove(then, now);
}

/** Returns marks for the days on which the keywords of an overdue monitor leave the figures, and come back. */
function findOverdueMarks(series: SiteEntry[], { monitors }: RankSite): Mark[] {
  return series.flatMap(({ ranAt: at, overdue }, nth) => {
    const before = series[nth - 1]?.overdue ?? [];
    const missingFrom = (list: SiteEntry['overdue']) => (one: { place: number }) =>
      !list.some(({ place }) => place === one.place);
    const left = overdue
      .filter(missingFrom(before))
      .map(({ place, subjects }) => `Without ${counted(subjects, 'keyword')} of ${monitors[place]?.name}`);
    const back = before
      .filter(missingFrom(overdue))
      .map(({ place }) => `Again with the keywords of ${monitors[place]?.name}`);
    return [...left, ...back].map((words) => ({ at, words }));
  });
}

/**
 * Returns the keywords that gained and lost the most visibility. Keywords with equal visibility, such as all below rank
 * 20, are sorted by the places that they moved.
 */
function findMovers(all: Compared[], start: Date, lastRuns: LastRuns) {
  const moved = all.filter(({ gain }) => gain !== null && gain !== 0);
  const most = (direction: 1 | -1) =>
    moved
      .filter(({ gain }) => (gain ?? 0) * direction > 0)
      .sort((a, b) => (b.visibilityGain - a.visibilityGain || (b.gain ?? 0) - (a.gain ?? 0)) * direction)
      .slice(0, moversMax)
      .map(({ keyword }) => toKeywordView(keyword, start, lastRuns));
  return { up: most(1), down: most(-1) };
}

interface KeywordView {
  href: string;
  keyword: string;
  where: string;
  answer: string;
  tone: Tone;
  isRanked: boolean;
  /** The change in the period; null without two answers. */
  move: RankMove | null;
  /** Time of the first answer; null unless it is later than `start`. */
  since: Date | null;
  /** Time of the answer, if it is from before the time in `LastRuns`. */
  oldSince: Date | null;
}

function toKeywordView(row: TrackedKeyword, start: Date, lastRuns: LastRuns): KeywordView {
  const { input, monitorId, subjectId, answeredAt, rank, isUnconfirmed, before } = row;
  const answer = answeredAt && { from: '', until: '', rank, unconfirmed: isUnconfirmed };
  const hasMove = isComparable(row);
  return {
    href: `/monitors/${monitorId}/subjects/${subjectId}`,
    keyword: input.keyword,
    where: [searchLabel(input), input.tag].filter(Boolean).join(' · '),
    ...toAnswer('keyword', answer),
    isRanked: rank !== null,
    move: hasMove ? toSearchMove(toSearch(before), toSearch(row)) : null,
    since: hasMove && before.at && before.at > start ? before.at : null,
    oldSince: findOldSince(answeredAt, lastRuns.get(monitorId)),
  };
}

/** Returns the most frequent competitors of the given keywords, at most `competitorsMax`. */
function findCompetitors(rows: TrackedKeyword[]): string[] {
  const counts = new Map<string, number>();
  for (const url of rows.flatMap(({ input }) => input.competitor_urls ?? []))
    counts.set(url, (counts.get(url) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, competitorsMax)
    .map(([url]) => url);
}

function listValues(all: Compared[], read: (input: TrackedKeyword['input']) => string | null): string[] {
  return [...new Set(all.flatMap(({ keyword }) => read(keyword.input) ?? []))].sort();
}
