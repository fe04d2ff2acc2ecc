import type { RequestHandler, Response } from 'express';
import * as runs from '../../db/monitors/monitor-runs.ts';
import * as monitors from '../../db/monitors/monitors.ts';
import { clock } from '../../db/postgres/clock.ts';
import type { Db } from '../../db/postgres/connect.ts';
import { countDueTimes, getTimeOfDay } from '../../monitors/due-times.ts';
import {
  changeMonitor,
  createMonitor,
  deleteMonitor,
  pauseMonitor,
  resumeMonitor,
} from '../../monitors/monitor.ts';
import { prepareManualRun, startManualRun } from '../../monitors/run.ts';
import { checkTypeNames } from '../../schemas/check-types.ts';
import { monitorStatuses, runStatuses } from '../../schemas/monitor-types.ts';
import { monitorBody, runBody } from '../../wire/monitor-bodies.ts';
import type { Context } from '../context.ts';
import { getCaller } from '../http/authenticate.ts';
import { monitorCursor, runCursor } from '../http/cursors.ts';
import { answerOnce, readIdempotencyKey } from '../http/idempotency.ts';
import { releaseParsingSlot } from '../limits/slots.ts';
import { sendPage } from './lists.ts';
import { getMonitorRef, requireMonitor } from './monitor-ref.ts';
import { createTerms, mergeTerms } from './monitor-terms.ts';
import { readEnum } from './parameters.ts';
import { type ParsedList, readMonitor, readMonitorChange } from './read-monitor.ts';
import { readSitemap } from './read-sitemap.ts';
import { getSpender } from './request-deps.ts';

const monthMs = 30 * 24 * 3_600_000;

export function monitorRoutes(context: Context) {
  const { db, config } = context;
  const deps = { ...context, baseUrl: config.web.baseUrl, monitorsMax: config.monitorsMax };

  const create: RequestHandler = async (req, res) => {
    const { accountId } = getCaller(req);
    const read = await readMonitor(context, req.body);
    const { type, list } = read;
    const tokenId = getSpender(req)?.tokenId ?? null;
    await answerOnce(context, req, res, {
      prepare: async () => {
        const inputs = (await readInputs(res, accountId, list)) ?? [];
        return { accountId, type, inputs, tokenId, ...createTerms(read, inputs) };
      },
      run: async (trx, asked) => toMonitorBody(trx, await createMonitor(trx, deps, asked)),
      status: 201,
      toBody,
      warnings: duplicateWarnings(list.duplicates),
    });
  };

  const change: RequestHandler = async (req, res) => {
    // An invalid Idempotency-Key is reported even if the monitor does not exist.
    readIdempotencyKey(req);
    const known = await requireMonitor(db, req);
    const { accountId, type } = known;
    const read = await readMonitorChange(context, type, req.body);
    const { list } = read;
    const tokenId = getSpender(req)?.tokenId ?? null;
    await answerOnce(context, req, res, {
      prepare: async () => {
        const inputs = await readInputs(res, accountId, list);
        return {
          inputs,
          tokenId,
          toTerms: (monitor: monitors.MonitorRow) => mergeTerms(read, inputs, monitor),
        };
      },
      run: async (trx, edit) => toMonitorBody(trx, await changeMonitor(trx, context, known, edit)),
      toBody,
      warnings: duplicateWarnings(list.duplicates),
    });
  };

  /** Returns the URLs of the sitemap, or the list of the request; null without either. */
  async function readInputs(res: Response, accountId: number, { sitemapUrl, inputs }: ParsedList) {
    releaseParsingSlot(res);
    return sitemapUrl === null ? inputs : readSitemap(context, accountId, sitemapUrl);
  }

  const getMonitor: RequestHandler = async (req, res) => {
    res.json({ success: true, ...toBody(await toMonitorBody(db, await requireMonitor(db, req))) });
  };

  const listMonitors: RequestHandler = async (req, res) => {
    const { accountId } = getCaller(req);
    const filter = {
      status: readEnum(req, 'status', monitorStatuses),
      type: readEnum(req, 'type', checkTypeNames),
    };
    const now = await clock(db);
    await sendPage(config, req, res, {
      cursor: monitorCursor,
      count: (max) => monitors.count(db, accountId, filter, max),
      list: (window) => monitors.list(db, accountId, { ...filter, ...window }),
      toBody: (row) => monitorBody(row, predictRuns(row, now)),
    });
  };

  const remove: RequestHandler = async (req, res) => {
    const ref = getMonitorRef(req);
    await answerOnce(context, req, res, {
      run: (trx) => deleteMonitor(trx, ref),
    });
  };

  const pause: RequestHandler = async (req, res) => {
    const ref = getMonitorRef(req);
    await answerOnce(context, req, res, {
      run: async (trx) => toMonitorBody(trx, await pauseMonitor(trx, ref)),
      toBody,
    });
  };

  const resume: RequestHandler = async (req, res) => {
    const ref = getMonitorRef(req);
    const tokenId = getSpender(req)?.tokenId ?? null;
    await answerOnce(context, req, res, {
      run: async (trx) => toMonitorBody(trx, await resumeMonitor(trx, ref, tokenId)),
      toBody,
    });
  };

  const run: RequestHandler = async (req, res) => {
    const ref = getMonitorRef(req);
    await answerOnce(context, req, res, {
      prepare: () => prepareManualRun(deps, ref, getSpender(req)?.tokenId),
      run: (trx, prepared) => startManualRun(trx, deps, prepared),
      status: 202,
      toBody: (started) => ({ run: runBody(started) }),
    });
  };

  const listMonitorRuns: RequestHandler = async (req, res) => {
    const ref = getMonitorRef(req);
    const filter = { status: readEnum(req, 'status', runStatuses) };
    await sendPage(config, req, res, {
      cursor: runCursor,
      count: async (max) => runs.count(db, await requireMonitor(db, req), filter, max),
      list: (window) => runs.list(db, ref, { ...filter, ...window }),
      toBody: runBody,
    });
  };

  return {
    createMonitor: create,
    changeMonitor: change,
    getMonitor,
    listMonitors,
    deleteMonitor: remove,
    pauseMonitor: pause,
    resumeMonitor: resume,
    runMonitor: run,
    listMonitorRuns,
  };
}

const toBody = (monitor: object) => ({ monitor });

async function toMonitorBody(from: Db, monitor: monitors.MonitorRow): Promise<object> {
  return monitorBody(monitor, predictRuns(monitor, await clock(from)));
}

function predictRuns({ schedule, monitorId }: monitors.MonitorRow, now: Date) {
  const runsPerMonth = countDueTimes(schedule, monitorId, now, new Date(now.getTime() + monthMs));
  return { at: getTimeOfDay(schedule, monitorId), runsPerMonth };
}

function duplicateWarnings(duplicates: number): string[] {
  if (duplicates === 0) return [];
  return [
    `${duplicates} ${duplicates === 1 ? 'entry is a duplicate' : 'entries are duplicates'} of earlier entries. Each is checked once.`,
  ];
}
