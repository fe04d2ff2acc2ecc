import type { Request, RequestHandler } from 'express';
import type { Act } from '../../db/act.ts';
import { clock } from '../../db/clock.ts';
import type { Db, Trx } from '../../db/connect.ts';
import * as runs from '../../db/monitor-runs.ts';
import * as monitors from '../../db/monitors.ts';
import { changeMonitor } from '../../monitors/change.ts';
import { boundOf, createMonitor } from '../../monitors/create.ts';
import { atOf, countDue } from '../../monitors/due-times.ts';
import { pause as pauseAct, remove as removeAct, resume as resumeAct } from '../../monitors/pause.ts';
import { startByHand } from '../../monitors/start-by-hand.ts';
import { checkTypeNames } from '../../schemas/check-types.ts';
import { MonitorPatch, MonitorRequest } from '../../schemas/monitor.ts';
import { monitorStatuses, runStatuses } from '../../schemas/monitor-words.ts';
import { monitorBody, runBody } from '../../wire/monitor-bodies.ts';
import type { Context } from '../context.ts';
import { callerOf } from '../http/authenticate.ts';
import { monitorCursor, runCursor } from '../http/cursors.ts';
import { validationError } from '../http/errors.ts';
import { keyOf } from '../http/idempotency.ts';
import { weighAnswer } from '../http/kept-answer.ts';
import { once } from '../http/once.ts';
import { unknownFields } from '../http/warnings.ts';
import { readWord, sendPage } from './lists.ts';
import { monitorOf, monitorRefOf } from './monitor-ref.ts';
import { readMonitor, readMonitorChange } from './read-monitor.ts';
import { optionsOf } from './read-urls.ts';
import { withSitemap } from './with-sitemap.ts';

const monthMs = 30 * 24 * 3_600_000;

export function monitorRoutes(context: Context) {
  const { db, config } = context;
  const starter = { ...context, baseUrl: config.web.baseUrl };

  const create: RequestHandler = async (req, res) => {
    const { accountId } = callerOf(req);
    const { fitting, type, list, schedule, notify } = await readMonitor(context, accountId, req.body);
    const warnings = [...unknownFields(MonitorRequest, req.body), ...duplicateWarnings(list.duplicates)];
    const act = withSitemap(context, accountId, list.sitemapUrl, (read) =>
      createMonitor(
        { ...config, allowance: context.allowance },
        {
          accountId,
          type,
          name: fitting.name?.trim() ?? '',
          sitemapUrl: list.sitemapUrl,
          schedule,
          notify,
          options: type === 'keyword' ? {} : optionsOf(type, {}),
          stopWhen: fitting.stop_when ?? null,
          rankThreshold: fitting.rank_threshold ?? 3,
          confirmLosses: fitting.confirm_losses ?? true,
          subjectsMax: fitting.subjects_max ?? null,
          reference: fitting.reference ?? null,
          inputs: read ?? list.inputs ?? [],
        },
      ),
    );
    await answer(req, res, act, 201, warnings);
  };

  const change: RequestHandler = async (req, res) => {
    // Said of a key that is none even where there is no such monitor.
    keyOf(req);
    const known = await monitorOf(db, req);
    const { fitting, list, schedule, notify } = await readMonitorChange(
      context,
      known.accountId,
      known.type,
      req.body,
    );
    const warnings = [...unknownFields(MonitorPatch, req.body), ...duplicateWarnings(list.duplicates)];
    const act = withSitemap(context, known.accountId, list.sitemapUrl, (read) => {
      const inputs = read ?? list.inputs;
      return changeMonitor(context, known, {
        inputs,
        termsOf: (monitor) => {
          const subjectsMax =
            fitting.subjects_max ?? (inputs ? boundOf(list.sitemapUrl, inputs.length) : monitor.subjectsMax);
          if (list.inputs && list.inputs.length > subjectsMax) throw tooLong(list.inputs.length);
          return {
            name: fitting.name?.trim() ?? monitor.name,
            sitemapUrl: inputs ? list.sitemapUrl : monitor.sitemapUrl,
            schedule: schedule ?? monitor.schedule,
            notify: notify ?? monitor.notify,
            options: monitor.options,
            stopWhen: fitting.stop_when === undefined ? monitor.stopWhen : fitting.stop_when,
            rankThreshold:
              fitting.rank_threshold === undefined ? monitor.rankThreshold : (fitting.rank_threshold ?? 3),
            confirmLosses:
              fitting.confirm_losses === undefined ? monitor.confirmLosses : (fitting.confirm_losses ?? true),
            subjectsMax,
            reference: fitting.reference === undefined ? monitor.reference : fitting.reference,
          };
        },
      });
    });
    await answer(req, res, act, 200, warnings);
  };

  const show: RequestHandler = async (req, res) => {
    res.json({ success: true, monitor: await bodyOf(db, await monitorOf(db, req)) });
  };

  const list: RequestHandler = async (req, res) => {
    const { accountId } = callerOf(req);
    const filter = {
      status: readWord(req, 'status', monitorStatuses),
      type: readWord(req, 'type', checkTypeNames),
    };
    const now = await clock(db);
    await sendPage(config, req, res, {
      cursor: monitorCursor,
      count: (max) => monitors.count(db, accountId, filter, max),
      list: (window) => monitors.list(db, accountId, { ...filter, ...window }),
      toBody: (row) => monitorBody(row, outlookOf(row, now)),
    });
  };

  const remove: RequestHandler = async (req, res) => {
    await once(context, req, res, weighAnswer(context, req, removeAct(monitorRefOf(req))), () => ({
      status: 200,
      body: { success: true },
    }));
  };

  const pause: RequestHandler = (req, res) => answer(req, res, pauseAct(monitorRefOf(req)), 200);
  const resume: RequestHandler = (req, res) => answer(req, res, resumeAct(monitorRefOf(req)), 200);

  const run: RequestHandler = async (req, res) => {
    await once(context, req, res, startByHand(starter, monitorRefOf(req)), (started) => ({
      status: 202,
      body: { success: true, run: runBody(started) },
    }));
  };

  const listRuns: RequestHandler = async (req, res) => {
    const ref = monitorRefOf(req);
    const filter = { status: readWord(req, 'status', runStatuses) };
    await sendPage(config, req, res, {
      cursor: runCursor,
      count: async (max) => runs.count(db, await monitorOf(db, req), filter, max),
      list: (window) => runs.list(db, ref, { ...filter, ...window }),
      toBody: runBody,
    });
  };

  async function answer(
    req: Request,
    res: Parameters<RequestHandler>[1],
    act: Act<monitors.MonitorRow>,
    status: number,
    warnings: string[] = [],
  ): Promise<void> {
    const shown: Act<object> = {
      ...(act.before && { before: act.before }),
      perform: async (trx) => ({ success: true, monitor: await bodyOf(trx, await act.perform(trx)) }),
    };
    await once(context, req, res, weighAnswer(context, req, shown), (body) => ({ status, body }), warnings);
  }

  return { create, change, show, list, remove, pause, resume, run, listRuns };
}

async function bodyOf(from: Db | Trx, monitor: monitors.MonitorRow): Promise<object> {
  return monitorBody(monitor, outlookOf(monitor, await clock(from)));
}

function outlookOf({ schedule, monitorId }: monitors.MonitorRow, now: Date) {
  const runsPerMonth = countDue(schedule, monitorId, now, new Date(now.getTime() + monthMs));
  return { at: atOf(schedule, monitorId), runsPerMonth };
}

function duplicateWarnings(duplicates: number): string[] {
  if (duplicates === 0) return [];
  return [
    `${duplicates} ${duplicates === 1 ? 'entry equals' : 'entries equal'} an earlier one and is checked once.`,
  ];
}

function tooLong(entries: number) {
  return validationError({ subjects_max: [`The list has ${entries.toLocaleString('en')} entries.`] });
}
