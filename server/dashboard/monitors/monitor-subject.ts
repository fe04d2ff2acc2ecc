import type { RequestHandler } from 'express';
import * as changes from '../../../db/monitors/changes.ts';
import * as runTallies from '../../../db/monitors/run-tallies.ts';
import * as subjects from '../../../db/monitors/subjects.ts';
import { clock } from '../../../db/postgres/clock.ts';
import { changeBody } from '../../../wire/changes.ts';
import { notFound } from '../../http/errors.ts';
import type { DashboardContext } from '../context.ts';
import { listNotes, toMark } from './annotations.ts';
import { toChangeView } from './change-view.ts';
import { findMonitor } from './find-monitor.ts';
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

/** One URL or keyword over a year: its answers as a chart and a table, and its changes. */
export function monitorSubjectPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const monitor = await findMonitor(context, req);
    const subjectId = toId(req.params.subject_id);
    const now = await clock(db);
    const span = lastDays(daysShown, now);
    const [row] = await subjects.list(db, monitor, { subjectId, limit: 1 });
    const [whole] = await findSubjectEntries(context, monitor, row ? [row] : [], span);
    if (!row || !whole) throw notFound('No URL or keyword with this id in this monitor.');
    const entry = { ...whole, points: whole.points.slice(-periodsMax) };
    const [told, [lastRun], notes] = await Promise.all([
      changes.list(db, monitor.accountId, { subjectId, limit: changesMax }),
      runTallies.list(db, monitor, { limit: 1 }),
      listNotes(db, monitor),
    ]);
    const bodies = told.map(changeBody);
    const marks = [...findRankedPageMarks(bodies), ...notes.map(toMark)];
    const isKeyword = monitor.type === 'keyword';
    const lastAnswer = entry.latest && new Date(entry.latest.until);
    const data = {
      subject: toSubjectView(monitor, entry, span),
      isCut: whole.points.length > periodsMax,
      words: describeAnswers(monitor.type, isKeyword ? entry : whole),
      notes,
      feed: bodies.map(toChangeView),
      unanswered:
        lastRun && lastAnswer && !entry.left_at && lastRun.at.getTime() >= lastAnswer.getTime() + 1000
          ? { at: lastRun.at, since: lastAnswer }
          : null,
    };
    await showMonitor(context, req, res, monitor, {
      view: isKeyword ? 'keyword' : 'monitor-subject',
      now,
      data: isKeyword
        ? { ...data, chart: createKeywordChart(entry, marks) }
        : { ...data, picture: createStateChart(monitor.type, whole, marks) },
    });
  };

  return { show };
}

function toId(value: unknown): number {
  const text = String(value);
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0;
}
