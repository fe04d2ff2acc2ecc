import type { Request, RequestHandler } from 'express';
import * as runs from '../../db/monitors/monitor-runs.ts';
import * as monitors from '../../db/monitors/monitors.ts';
import type { Act } from '../../db/postgres/act.ts';
import { clock } from '../../db/postgres/clock.ts';
import type { Db, Trx } from '../../db/postgres/connect.ts';
import { changeMonitor } from '../../monitors/change.ts';
import { createMonitor } from '../../monitors/create.ts';
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
import { keyOf } from '../http/idempotency.ts';
import { weighAnswer } from '../http/kept-answer.ts';
import { once } from '../http/once.ts';
import { unknownFields } from '../http/warnings.ts';
import { spenderOf } from './desk.ts';
import { readWord, sendPage } from './lists.ts';
import { monitorOf, monitorRefOf } from './monitor-ref.ts';
import { newTermsOf, termsOf } from './monitor-terms.ts';
import { readMonitor, readMonitorChange } from './read-monitor.ts';
import { withSitemap } from './with-sitemap.ts';

const monthMs = 30 * 24 * 3_600_000;

export function monitorRoutes(context: Context) {
  const { db, config } = context;
  const starter = { ...context, baseUrl: config.web.baseUrl };

  const create: RequestHandler = async (req, res) => {
    const { accountId } = callerOf(req);
    const read = await readMonitor(context, req.body);
    const { type, list } = read;
    const warnings = [...unknownFields(MonitorRequest, req.body), ...duplicateWarnings(list.duplicates)];
    const act = withSitemap(context, accountId, list.sitemapUrl, (listed) => {
      const inputs = listed ?? list.inputs ?? [];
      const tokenId = spenderOf(req)?.tokenId ?? null;
      const request = { accountId, type, inputs, tokenId, ...newTermsOf(read, inputs) };
      return createMonitor({ ...config, allowance: context.allowance }, request);
    });
    await answer(req, res, act, 201, warnings);
  };

  const change: RequestHandler = async (req, res) => {
    // Said of a key that is none even where there is no such monitor.
    keyOf(req);
    const known = await monitorOf(db, req);
    const { accountId, type } = known;
    const read = await readMonitorChange(context, type, req.body);
    const { list } = read;
    const warnings = [...unknownFields(MonitorPatch, req.body), ...duplicateWarnings(list.duplicates)];
    const act = withSitemap(context, accountId, list.sitemapUrl, (listed) => {
      const inputs = listed ?? list.inputs;
      const tokenId = spenderOf(req)?.tokenId ?? null;
      const terms = (monitor: monitors.MonitorRow) => termsOf(read, inputs, monitor);
      return changeMonitor(context, known, { inputs, tokenId, termsOf: terms });
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
  const resume: RequestHandler = (req, res) =>
    answer(req, res, resumeAct(monitorRefOf(req), spenderOf(req)?.tokenId ?? null), 200);

  const run: RequestHandler = async (req, res) => {
    await once(
      context,
      req,
      res,
      startByHand(starter, monitorRefOf(req), { caller: spenderOf(req) }),
      (started) => ({
        status: 202,
        body: { success: true, run: runBody(started) },
      }),
    );
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
