import type { RequestHandler } from 'express';
import * as memberships from '../../../db/accounts/memberships.ts';
import * as monitorChanges from '../../../db/monitors/changes.ts';
import * as monitorRuns from '../../../db/monitors/monitor-runs.ts';
import * as monitors from '../../../db/monitors/monitors.ts';
import * as runTallies from '../../../db/monitors/run-tallies.ts';
import * as digests from '../../../db/notifications/digests.ts';
import { clock } from '../../../db/postgres/clock.ts';
import { checkTypeNames, checkTypes } from '../../../schemas/check-types.ts';
import { monitorStatuses } from '../../../schemas/monitor-types.ts';
import { seriesEntryBody } from '../../../wire/series.ts';
import type { DashboardContext } from '../context.ts';
import { readPage, readQueryWord } from '../paging.ts';
import { showPage } from '../render.ts';
import { getSession } from '../visitors.ts';
import { toMonitorView } from './monitor-view.ts';

const perPage = 25;

export function monitorListPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const session = getSession(req);
    const { accountId } = session;
    const filter = {
      type: readQueryWord(req, 'type', checkTypeNames),
      status: readQueryWord(req, 'status', monitorStatuses),
    };
    const [{ rows, pager }, now, since, digest] = await Promise.all([
      readPage(req, perPage, {
        count: (max) => monitors.count(db, accountId, filter, max),
        list: (window) => monitors.list(db, accountId, { ...filter, ...window }),
      }),
      clock(db),
      memberships.recordVisit(db, session),
      digests.find(db, accountId),
    ]);
    const data = {
      monitors: await withSummaries(context, accountId, rows, { now, since }),
      since,
      digest,
      filter,
      types: Object.fromEntries(checkTypeNames.map((type) => [type, checkTypes[type].title])),
      pager,
    };
    await showPage(context, req, res, { view: 'monitors', title: 'Monitors', data });
  };

  return { show };
}

/** Adds to each monitor its last result, current run and changes. Takes four queries for all monitors together. */
export async function withSummaries(
  { db, mail }: Pick<DashboardContext, 'db' | 'mail'>,
  accountId: number,
  rows: monitors.MonitorRow[],
  { now, since }: { now: Date; since: Date | null },
) {
  const monitorIds = rows.map(({ monitorId }) => monitorId);
  const [runs, atWork, tallies, changed] = await Promise.all([
    monitorRuns.findLastChecks(db, accountId, monitorIds),
    monitorRuns.findChecksInProgress(db, accountId, monitorIds),
    runTallies.findLatest(db, accountId, monitorIds),
    monitorChanges.countByKind(db, accountId, { from: since ?? now, monitorIds }),
  ]);
  const kindsOf = Map.groupBy(changed, ({ monitorId }) => monitorId);
  return rows.map((row) => {
    const { monitorId } = row;
    const tally = tallies.get(monitorId);
    const kinds = kindsOf.get(monitorId) ?? [];
    const view = toMonitorView(row, {
      now,
      mail,
      lastRun: runs.get(monitorId),
      atWork: atWork.get(monitorId),
      latest: tally ? seriesEntryBody(row.type, { ...tally, groups: null }, {}) : null,
    });
    return { ...view, kinds, changes: kinds.reduce((sum, { changes }) => sum + changes, 0) };
  });
}
