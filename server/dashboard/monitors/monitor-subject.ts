import type { RequestHandler } from 'express';
import * as changes from '../../../db/monitors/changes.ts';
import * as runTallies from '../../../db/monitors/run-tallies.ts';
import * as subjects from '../../../db/monitors/subjects.ts';
import { clock } from '../../../db/postgres/clock.ts';
import { changeBody } from '../../../wire/changes.ts';
import { notFound } from '../../http/errors.ts';
import type { DashboardContext } from '../context.ts';
import { listNotes } from './annotations.ts';
import { toChangeView } from './change-view.ts';
import { findMonitor } from './find-monitor.ts';
import { showMonitor } from './show-monitor.ts';
import { createSubjectPicture, findRankedPageMarks, toMark } from './subject-picture.ts';
import { findSubjectEntries, lastDays, toSubjectView } from './subject-view.ts';

const daysShown = 365;
const changesMax = 100;
/** Maximum rows of the table. The chart shows all answers. */
const rowsMax = 200;

/** One URL or keyword over a year: its answers as a chart and a table, and its changes. */
export function monitorSubjectPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const monitor = await findMonitor(context, req);
    const text = String(req.params.subject_id);
    const subjectId = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0;
    const now = await clock(db);
    const span = lastDays(daysShown, now);
    const rows = await subjects.list(db, monitor, { subjectId, limit: 1 });
    const [entry] = await findSubjectEntries(context, monitor, rows, span);
    if (!entry) throw notFound('No URL or keyword with this id in this monitor.');
    const [told, [lastRun], notes] = await Promise.all([
      changes.list(db, monitor.accountId, { subjectId, limit: changesMax }),
      runTallies.list(db, monitor, { limit: 1 }),
      listNotes(db, monitor),
    ]);
    const bodies = told.map(changeBody);
    const view = toSubjectView(monitor, entry, span);
    const lastAnswer = entry.latest && new Date(entry.latest.until);
    const data = {
      subject: { ...view, stretches: view.stretches.slice(0, rowsMax) },
      isCut: view.stretches.length > rowsMax,
      picture: createSubjectPicture(monitor.type, entry, [
        ...findRankedPageMarks(bodies),
        ...notes.map(toMark),
      ]),
      notes,
      feed: bodies.map(toChangeView),
      unanswered:
        lastRun && lastAnswer && !entry.left_at && lastRun.at.getTime() >= lastAnswer.getTime() + 1000
          ? { at: lastRun.at, since: lastAnswer }
          : null,
    };
    await showMonitor(context, req, res, monitor, { view: 'monitor-subject', now, data });
  };

  return { show };
}
