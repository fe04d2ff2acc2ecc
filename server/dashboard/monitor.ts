import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import * as changes from '../../db/changes.ts';
import { clock } from '../../db/clock.ts';
import * as runs from '../../db/monitor-runs.ts';
import type { MonitorRow } from '../../db/monitors.ts';
import * as runTallies from '../../db/run-tallies.ts';
import * as subjectStates from '../../db/subject-states.ts';
import { changeKindEntry, changeKindNames } from '../../schemas/change-kinds.ts';
import { runsPerPageMax } from '../../schemas/monitor-series.ts';
import { runStatuses, skipReasons } from '../../schemas/monitor-words.ts';
import { changeBody } from '../../wire/changes.ts';
import { seriesBody } from '../../wire/series.ts';
import { totalMax } from '../api/lists.ts';
import { notFound } from '../http/errors.ts';
import { changeView } from './change-view.ts';
import type { DashboardContext } from './context.ts';
import { findMonitor } from './find-monitor.ts';
import { pictureOf } from './monitor-picture.ts';
import { withGlances } from './monitors.ts';
import { pageOf, pagerOf, textOf, wordOf } from './paging.ts';
import { showPage } from './render.ts';
import { subjectViews } from './subject-view.ts';

const perPage = 25;
const latestMax = 10;
const daysShown = ['30', '90', '365'] as const;
const dayMs = 86_400_000;

/** A monitor: what its runs found over time, what changed, its runs and its subjects. */
export function monitorPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const monitor = await findMonitor(context, req);
    const now = await clock(db);
    const days = wordOf(req, 'days', daysShown) ?? '90';
    const from = new Date(now.getTime() - Number(days) * dayMs);
    const [tallies, latest, lastRuns] = await Promise.all([
      runTallies.list(db, monitor, { from, limit: runsPerPageMax }),
      changes.list(db, monitor.accountId, { monitorId: monitor.monitorId, limit: latestMax }),
      runs.list(db, monitor, { limit: latestMax }),
    ]);
    const series = tallies.map((row) => seriesBody(monitor.type, row, {})).reverse();
    await showTab(req, res, monitor, {
      view: 'monitor',
      now,
      data: {
        days,
        daysShown,
        isCut: tallies.length === runsPerPageMax,
        picture: series.length > 0 ? pictureOf(monitor.type, series) : null,
        feed: latest.map((row) => changeView(changeBody(row))),
        runs: lastRuns.map(runView),
      },
    });
  };

  const showChanges: RequestHandler = async (req, res) => {
    const monitor = await findMonitor(context, req);
    const { accountId, monitorId } = monitor;
    const filter = { monitorId, kind: wordOf(req, 'kind', changeKindNames) };
    const page = pageOf(req);
    const [total, rows] = await Promise.all([
      changes.count(db, accountId, filter, totalMax + 1),
      changes.list(db, accountId, { ...filter, limit: perPage, offset: (page - 1) * perPage }),
    ]);
    const kinds = changeKindNames.filter((kind) => [monitor.type, null].includes(changeKindEntry(kind).type));
    await showTab(req, res, monitor, {
      view: 'monitor-changes',
      data: {
        kind: filter.kind,
        kinds: kinds.map((kind) => [kind, changeKindEntry(kind).sentence]),
        feed: rows.map((row) => changeView(changeBody(row))),
        pager: pagerOf(req, { page, perPage, shown: rows.length, total, totalMax }),
      },
    });
  };

  const showRuns: RequestHandler = async (req, res) => {
    const monitor = await findMonitor(context, req);
    const filter = { status: wordOf(req, 'status', runStatuses) };
    const page = pageOf(req);
    const [total, rows] = await Promise.all([
      runs.count(db, monitor, filter, totalMax + 1),
      runs.list(db, monitor, { ...filter, limit: perPage, offset: (page - 1) * perPage }),
    ]);
    const pager = pagerOf(req, { page, perPage, shown: rows.length, total, totalMax });
    await showTab(req, res, monitor, {
      view: 'monitor-runs',
      data: { filter, runs: rows.map(runView), pager },
    });
  };

  const showSubjects: RequestHandler = async (req, res) => {
    const monitor = await findMonitor(context, req);
    const now = await clock(db);
    const filter = {
      tag: textOf(req, 'tag') || undefined,
      device: wordOf(req, 'device', ['desktop', 'mobile']),
      country: textOf(req, 'country', 2).toUpperCase() || undefined,
    };
    const page = pageOf(req);
    const [total, rows] = await Promise.all([
      subjectStates.count(db, monitor, filter, totalMax + 1),
      subjectStates.list(db, monitor, { ...filter, limit: perPage, offset: (page - 1) * perPage }),
    ]);
    const subjects = await subjectViews(context, monitor, rows, { now, days: 30 });
    const pager = pagerOf(req, { page, perPage, shown: rows.length, total, totalMax });
    await showTab(req, res, monitor, { view: 'monitor-subjects', now, data: { filter, subjects, pager } });
  };

  /** One subject over a year: its answers, and what was told of it. */
  const showSubject: RequestHandler = async (req, res) => {
    const monitor = await findMonitor(context, req);
    const now = await clock(db);
    const text = String(req.params.subject_id);
    const subjectId = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0;
    const rows = await subjectStates.list(db, monitor, { subjectId, limit: 1 });
    const [subject] = await subjectViews(context, monitor, rows, { now, days: 365 });
    if (!subject) throw notFound('There is no such address or keyword in this monitor.');
    const told = await changes.list(db, monitor.accountId, { subjectId, limit: 100 });
    const feed = told.map((row) => changeView(changeBody(row)));
    await showTab(req, res, monitor, { view: 'monitor-subject', now, data: { subject, feed } });
  };

  async function showTab(
    req: Request,
    res: Response,
    row: MonitorRow,
    { view, data, now }: { view: string; data: object; now?: Date },
  ): Promise<void> {
    const at = now ?? (await clock(db));
    const [monitor] = await withGlances(context, row.accountId, [row], { now: at, since: null });
    const page = { ...data, monitor, row, once: randomUUID() };
    await showPage(context, req, res, { view, title: monitor?.name ?? '', data: page });
  }

  return { show, showChanges, showRuns, showSubjects, showSubject };
}

const runWords = {
  preparing: ['Reading its sitemap', 'info'],
  running: ['Running', 'info'],
  completed: ['Done', 'good'],
  partial: ['Done, some not checked', 'warn'],
  failed: ['Not checked', 'bad'],
  skipped: ['Skipped', 'mute'],
} as const;

function runView(run: runs.RunRow) {
  const [status, tone] = runWords[run.status];
  return {
    ...run,
    at: run.startedAt ?? run.createdAt,
    status,
    tone,
    isConfirmation: run.kind === 'confirmation',
    isByHand: run.kind === 'check' && run.dueAt === null,
    why: run.reason && skipReasons[run.reason],
  };
}
