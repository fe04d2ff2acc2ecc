import type { Request, RequestHandler } from 'express';
import { toSite } from '../../../checks/search/target.ts';
import { hashSeries } from '../../../db/batches/history.ts';
import * as items from '../../../db/batches/items.ts';
import * as resultPages from '../../../db/batches/result-pages.ts';
import * as changes from '../../../db/monitors/changes.ts';
import type { MonitorRow } from '../../../db/monitors/monitors.ts';
import * as runTallies from '../../../db/monitors/run-tallies.ts';
import * as subjects from '../../../db/monitors/subjects.ts';
import { clock } from '../../../db/postgres/clock.ts';
import { parseId } from '../../../schemas/id.ts';
import type { RankQuery } from '../../../schemas/keyword.ts';
import type { SubjectEntry } from '../../../schemas/monitor-history.ts';
import { changeBody } from '../../../wire/changes.ts';
import { notFound } from '../../http/errors.ts';
import type { Gap, LineChart } from '../charts.ts';
import type { DashboardContext } from '../context.ts';
import { findResultsPage } from '../evidence/results-page.ts';
import { findNotes, toMark } from './annotations.ts';
import { toChangeView } from './change-view.ts';
import { findMonitor } from './find-monitor.ts';
import { findDepthMarks, findGaps, toGaps } from './monitor-picture.ts';
import { toSiteHref } from './rank-sites.ts';
import { showMonitor } from './show-monitor.ts';
import {
  createKeywordChart,
  createStateChart,
  describeAnswers,
  findRankedPageMarks,
} from './subject-picture.ts';
import { findSubjectEntries, lastDays, toSubjectView } from './subject-view.ts';

const daysShown = 365;
const changesMax = 100;
/** Maximum periods in the chart of a keyword and in the table: more than a year of daily answers. */
const periodsMax = 400;
/** Maximum number of checks whose results can be shown. Results are kept for 30 days. */
const checksMax = 31;

/** One URL or keyword over a year: its answers as a chart and a table, and its changes. */
export function monitorSubjectPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const monitor = await findMonitor(context, req);
    const subjectId = parseId(req.params.subject_id) ?? 0;
    const now = await clock(db);
    const span = lastDays(daysShown, now);
    const [row] = await subjects.list(db, monitor, { subjectId, limit: 1 });
    const [found] = await findSubjectEntries(context, monitor, row ? [row] : [], span);
    if (!row || !found) throw notFound('No URL or keyword with this id in this monitor.');
    const { entry: whole, history } = found;
    const entry = { ...whole, points: whole.points.slice(-periodsMax) };
    const [told, [lastRun], { notes, noteSites }] = await Promise.all([
      changes.list(db, monitor.accountId, { subjectId, limit: changesMax }),
      runTallies.list(db, monitor, { limit: 1 }),
      findNotes(db, monitor),
    ]);
    const bodies = told.map(changeBody);
    const marks = [...findRankedPageMarks(bodies), ...notes.map(toMark)];
    const isKeyword = monitor.type === 'keyword';
    const subject = toSubjectView(monitor, { entry, history }, span, lastRun?.at);
    const data = {
      subject,
      isCut: whole.points.length > periodsMax,
      words: describeAnswers(monitor.type, isKeyword ? entry : whole),
      notes,
      noteSites,
      feed: bodies.map(toChangeView),
    };
    await showMonitor(context, req, res, monitor, {
      view: isKeyword ? 'keyword' : 'monitor-subject',
      title: isKeyword ? subject.subject : undefined,
      now,
      data: isKeyword
        ? {
            ...data,
            ...(await findKeywordData(
              req,
              monitor.accountId,
              row,
              createKeywordChart(entry, {
                marks: [...marks, ...(await findDepthMarks(db, monitor.accountId, [subjectId], span.from))],
                gaps: [
                  ...findAbsence(monitor, row, entry),
                  ...(await findGaps(db, monitor.accountId, [monitor], span.from)),
                ],
              }),
            )),
          }
        : { ...data, picture: createStateChart(monitor.type, whole, marks) },
    });
  };

  async function findKeywordData(
    req: Request,
    accountId: number,
    { input, best, bestAt, rankedUrl }: subjects.SubjectRow,
    chart: LineChart | null,
  ) {
    const query = input as RankQuery;
    const site = toSite(query.target_url);
    return {
      chart,
      query,
      section: '/ranks',
      site: { name: site, href: toSiteHref(site) },
      best,
      bestAt,
      rankedUrl,
      results: await findResults(req, accountId, query),
    };
  }

  /** Returns the results of the requested check, or of the last check; null if no results are stored. */
  async function findResults(req: Request, accountId: number, query: RankQuery) {
    const checks = await resultPages.listChecks(db, accountId, hashSeries('keyword', query), checksMax);
    const wanted = checks.findIndex(({ requestId }) => requestId === parseId(req.query.check));
    const place = Math.max(0, wanted);
    const check = checks[place];
    if (!check) return null;
    const { requestId } = check;
    const item = await items.find(db, { accountId, requestId }, context.config.retention.days);
    if (item?.type !== 'keyword' || item.state !== 'success') return null;
    const hrefFor = (at: number) => (checks[at] ? `${req.path}?check=${checks[at].requestId}#results` : null);
    return {
      at: check.checkedAt,
      newer: hrefFor(place - 1),
      older: hrefFor(place + 1),
      page: await findResultsPage(db, accountId, item),
    };
  }

  return { show };
}

/** Returns the gap before the last time when a subject was added again. */
function findAbsence(
  monitor: MonitorRow,
  { joinedAt }: subjects.SubjectRow,
  { points }: SubjectEntry,
): Gap[] {
  const place = points.findLastIndex(({ until }) => new Date(until) < joinedAt);
  const [last, next] = [points[place], points[place + 1]];
  return last && next ? toGaps(monitor, new Date(last.until), new Date(next.from)) : [];
}
