import type { Request, RequestHandler } from 'express';
import * as changes from '../../db/monitors/changes.ts';
import * as runTallies from '../../db/monitors/run-tallies.ts';
import * as subjects from '../../db/monitors/subjects.ts';
import { clock } from '../../db/postgres/clock.ts';
import type { Db } from '../../db/postgres/connect.ts';
import { findHistories } from '../../monitors/histories.ts';
import { toDomain } from '../../monitors/record-results.ts';
import { changeKindNames } from '../../schemas/change-kinds.ts';
import { citedDomainsMax } from '../../schemas/monitor-history.ts';
import { runsPerPageMax } from '../../schemas/monitor-series.ts';
import { changeBody } from '../../wire/changes.ts';
import { seriesEntryBody } from '../../wire/series.ts';
import { type SubjectHistory, subjectEntry } from '../../wire/subjects.ts';
import type { Context } from '../context.ts';
import { changeCursor, subjectCursor, tallyCursor } from '../http/cursors.ts';
import { validationError } from '../http/errors.ts';
import { unknownParameterWarnings } from '../http/warnings.ts';
import { dayMs } from './date-times.ts';
import { readPage, sendPage } from './lists.ts';
import { requireMonitor } from './monitor-ref.ts';
import { readDateTime, readEnum, readId, readNumber, readText } from './parameters.ts';

const pointDays = 90;
const sourceDays = 30;

/** Changes, subjects and series of a monitor. Paging parameters are validated before the monitor is looked up. */
export function monitorHistoryRoutes({ db, config, longQueries }: Context) {
  const listChanges: RequestHandler = async (req, res) => {
    readPage(req, changeCursor);
    const { accountId, monitorId } = await requireMonitor(db, req);
    const filter = {
      monitorId,
      kind: readEnum(req, 'kind', changeKindNames),
      runId: readId(req, 'run_id'),
      subjectId: readSubject(req),
      ...readGroup(req),
      ...readTime(req),
    };
    await sendPage(config, req, res, {
      cursor: changeCursor,
      count: (max) => changes.count(db, accountId, filter, max),
      list: (window) => changes.list(db, accountId, { ...filter, ...window }),
      toBody: changeBody,
    });
  };

  const listSubjects: RequestHandler = async (req, res) => {
    readPage(req, subjectCursor);
    const monitor = await requireMonitor(db, req);
    const filter = { subjectId: readSubject(req), ...readGroup(req) };
    const time = await getTimeRange(db, readTime(req));
    await sendPage(config, req, res, {
      cursor: subjectCursor,
      count: (max) => subjects.count(db, monitor, filter, max),
      list: async (window) => {
        const rows = await subjects.list(db, monitor, { ...filter, ...window });
        const histories = await findHistories(db, monitor, rows, time);
        return rows.map((row, place) => ({ ...row, history: histories[place] as SubjectHistory }));
      },
      toBody: ({ history, ...row }) => subjectEntry(monitor.type, row, history),
    });
  };

  const listSeries: RequestHandler = async (req, res) => {
    readPage(req, tallyCursor, runsPerPageMax);
    const monitor = await requireMonitor(db, req);
    const group = readGroup(req);
    const [named] = Object.entries(group).find(([, value]) => value !== undefined) ?? [];
    if (named && monitor.type !== 'keyword')
      throw validationError({ [named]: ['Only keyword monitors support this filter.'] });
    const time = readTime(req);
    await sendPage(config, req, res, {
      cursor: tallyCursor,
      count: (max) => runTallies.count(db, monitor, { ...time, max }),
      list: (window) => runTallies.list(db, monitor, { ...group, ...time, ...window }),
      toBody: (row) => seriesEntryBody(monitor.type, row, group),
      perPageMax: runsPerPageMax,
    });
  };

  const listCitedDomains: RequestHandler = async (req, res) => {
    const asked = readTime(req);
    const monitor = await requireMonitor(db, req);
    const time = await getTimeRange(db, asked, sourceDays);
    const cited = await runTallies.listCitedDomains(db, monitor, { ...time, limit: citedDomainsMax });
    const [own, rival] = await longQueries.run(monitor.accountId, async () => {
      const { targets, competitors } = await subjects.listTargetsAndCompetitors(db, monitor);
      return [targets, competitors].map((names) => new Set(names.map(toDomain)));
    });
    const data = cited.map(({ domain, share }) => ({
      domain,
      share,
      is_target: own?.has(domain) ?? false,
      is_competitor: rival?.has(domain) ?? false,
    }));
    res.json({ success: true, data, ...unknownParameterWarnings(req) });
  };

  return { listChanges, listSubjects, listSeries, listCitedDomains };
}

export function readGroup(req: Request): runTallies.GroupFilter & { device?: 'desktop' | 'mobile' } {
  return {
    tag: readText(req, 'tag'),
    device: readEnum(req, 'device', ['desktop', 'mobile']),
    country: readText(req, 'country')?.toUpperCase().replace(/^UK$/, 'GB'),
    location: readText(req, 'location'),
  };
}

export function readTime(req: Request): { from?: Date; to?: Date } {
  return { from: readDateTime(req, 'from'), to: readDateTime(req, 'to') };
}

/** Returns the requested time range. Default: the last `days` days. */
export async function getTimeRange(
  db: Db,
  { from, to }: { from?: Date; to?: Date },
  days = pointDays,
): Promise<{ from: Date; to: Date }> {
  const until = to ?? new Date((await clock(db)).getTime() + dayMs);
  return { from: from ?? new Date(until.getTime() - (days + 1) * dayMs), to: until };
}

export function readSubject(req: Request): number | undefined {
  const errors = {};
  const subjectId = readNumber(req, 'subject_id', { fallback: 0, max: 9_999_999 }, errors);
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return subjectId || undefined;
}
