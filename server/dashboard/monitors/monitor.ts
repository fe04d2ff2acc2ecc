import type { RequestHandler } from 'express';
import * as changes from '../../../db/monitors/changes.ts';
import * as runs from '../../../db/monitors/monitor-runs.ts';
import type { MonitorRow } from '../../../db/monitors/monitors.ts';
import * as runTallies from '../../../db/monitors/run-tallies.ts';
import * as subjectRows from '../../../db/monitors/subjects.ts';
import { clock } from '../../../db/postgres/clock.ts';
import { changeKindNames, getChangeKind } from '../../../schemas/change-kinds.ts';
import { runsPerPageMax } from '../../../schemas/monitor-series.ts';
import { runStatuses, skipReasons } from '../../../schemas/monitor-types.ts';
import { changeBody } from '../../../wire/changes.ts';
import { seriesEntryBody } from '../../../wire/series.ts';
import { dayMs } from '../../api/date-times.ts';
import { closeSignal, limitSearch } from '../../limits/slots.ts';
import type { Mark } from '../charts.ts';
import type { DashboardContext } from '../context.ts';
import { readPage, readQueryText, readQueryWord } from '../paging.ts';
import { findNotes, toMark } from './annotations.ts';
import { toChangeView } from './change-view.ts';
import { findMonitor } from './find-monitor.ts';
import { createMonitorCharts, findDepthMarks, findGaps } from './monitor-picture.ts';
import { showMonitor } from './show-monitor.ts';
import { findSubjectEntries, lastDays, toSubjectView } from './subject-view.ts';

const perPage = 25;
const latestMax = 10;
const latestRunsMax = 5;
const daysShown = ['30', '90', '365'] as const;

export function monitorPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const monitor = await findMonitor(context, req);
    const now = await clock(db);
    const days = readQueryWord(req, 'days', daysShown) ?? '90';
    const from = new Date(now.getTime() - Number(days) * dayMs);
    const [tallies, gaps, depthMarks, latest, lastRuns, { notes, noteSites }] = await Promise.all([
      runTallies.list(db, monitor, { from, limit: runsPerPageMax }),
      findGaps(db, monitor.accountId, [monitor], from),
      monitor.type === 'keyword' ? findMarks(monitor, from, closeSignal(res)) : [],
      changes.list(db, monitor.accountId, { monitorId: monitor.monitorId, limit: latestMax }),
      runs.list(db, monitor, { limit: latestRunsMax }),
      findNotes(db, monitor),
    ]);
    const series = tallies.map((row) => seriesEntryBody(monitor.type, row, {})).reverse();
    const firstAt = tallies.at(-1)?.at ?? from;
    const isCut = tallies.length === runsPerPageMax;
    await showMonitor(context, req, res, monitor, {
      view: 'monitor',
      now,
      data: {
        days,
        daysShown,
        isCut,
        /** Time of the first run; null if less than a tenth of the period lies before the first run. */
        drawnSince:
          !isCut && firstAt.getTime() - from.getTime() >= Number(days) * dayMs * 0.1 ? firstAt : null,
        charts:
          series.length > 0
            ? createMonitorCharts(monitor.type, series, {
                marks: [...notes.map(toMark), ...depthMarks],
                gaps,
                site: noteSites.length === 1 ? noteSites[0] : undefined,
              })
            : null,
        notes,
        noteSites,
        feed: latest.map((row) => toChangeView(changeBody(row))),
        runs: await toRunViews(monitor.accountId, lastRuns),
      },
    });
  };

  /** Reads the answers of every keyword, so an account runs one such query at a time. */
  function findMarks(monitor: MonitorRow, from: Date, signal: AbortSignal): Promise<Mark[]> {
    const { accountId } = monitor;
    const find = async () => findDepthMarks(db, accountId, await subjectRows.listIds(db, monitor, {}), from);
    return context.longQueries.run(accountId, find, { signal });
  }

  const showChanges: RequestHandler = async (req, res) => {
    const monitor = await findMonitor(context, req);
    const { accountId, monitorId } = monitor;
    const filter = { monitorId, kind: readQueryWord(req, 'kind', changeKindNames) };
    const { rows, pager } = await readPage(req, perPage, {
      count: (max) => changes.count(db, accountId, filter, max),
      list: (window) => changes.list(db, accountId, { ...filter, ...window }),
    });
    const kinds = changeKindNames.filter((kind) => [monitor.type, null].includes(getChangeKind(kind).type));
    await showMonitor(context, req, res, monitor, {
      view: 'monitor-changes',
      data: {
        kind: filter.kind,
        kinds: kinds.map((kind) => [kind, getChangeKind(kind).sentence]),
        feed: rows.map((row) => toChangeView(changeBody(row))),
        pager,
      },
    });
  };

  const showRuns: RequestHandler = async (req, res) => {
    const monitor = await findMonitor(context, req);
    const filter = { status: readQueryWord(req, 'status', runStatuses) };
    const { rows, pager } = await readPage(req, perPage, {
      count: (max) => runs.count(db, monitor, filter, max),
      list: (window) => runs.list(db, monitor, { ...filter, ...window }),
    });
    await showMonitor(context, req, res, monitor, {
      view: 'monitor-runs',
      data: { filter, runs: await toRunViews(monitor.accountId, rows), pager },
    });
  };

  async function toRunViews(accountId: number, rows: runs.RunRow[]) {
    const refunds = await runs.findRefunds(db, accountId, rows);
    return rows.map((row) => toRunView(row, refunds.get(row.runId) ?? 0));
  }

  const showSubjects: RequestHandler = async (req, res) => {
    const monitor = await findMonitor(context, req);
    const now = await clock(db);
    const filter = {
      search: readQueryText(req, 'q') || undefined,
      tag: readQueryText(req, 'tag') || undefined,
      device: readQueryWord(req, 'device', ['desktop', 'mobile']),
      country: readQueryText(req, 'country', 2).toUpperCase() || undefined,
    };
    const wanted = { accountId: monitor.accountId, text: filter.search, signal: closeSignal(res) };
    const { rows, pager } = await limitSearch(context, wanted, (trx) =>
      readPage(req, perPage, {
        count: (max) => subjectRows.count(trx, monitor, filter, max),
        list: (window) => subjectRows.list(trx, monitor, { ...filter, ...window }),
      }),
    );
    const span = lastDays(30, now);
    const found = await findSubjectEntries(context, monitor, rows, span);
    const [lastRun] = await runTallies.list(db, monitor, { limit: 1 });
    const subjects = found.map((one) => toSubjectView(monitor, one, span, lastRun?.at));
    await showMonitor(context, req, res, monitor, {
      view: 'monitor-subjects',
      now,
      data: { filter, subjects, pager },
    });
  };

  return { show, showChanges, showRuns, showSubjects };
}

const runWords = {
  preparing: ['Reading sitemap', 'info'],
  running: ['Running', 'info'],
  completed: ['Done', 'good'],
  partial: ['Done, some not checked', 'warn'],
  failed: ['Not checked', 'bad'],
  skipped: ['Skipped', 'mute'],
} as const;

function toRunView(run: runs.RunRow, refunded: number) {
  const [status, tone] = runWords[run.status];
  return {
    ...run,
    /** Charged credits minus refunded credits. */
    credits: run.creditsCharged - refunded,
    refunded,
    at: run.startedAt ?? run.createdAt,
    status,
    tone,
    isConfirmation: run.kind === 'confirmation',
    isByHand: run.kind === 'check' && run.dueAt === null,
    why: run.reason && skipReasons[run.reason],
  };
}
