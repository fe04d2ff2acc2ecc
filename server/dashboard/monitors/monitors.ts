import type { RequestHandler } from 'express';
import * as memberships from '../../../db/accounts/memberships.ts';
import * as monitorRuns from '../../../db/monitors/monitor-runs.ts';
import * as monitors from '../../../db/monitors/monitors.ts';
import * as digests from '../../../db/notifications/digests.ts';
import { clock } from '../../../db/postgres/clock.ts';
import { glance } from '../../../monitors/glance.ts';
import { checkTypeNames, checkTypes } from '../../../schemas/check-types.ts';
import { monitorStatuses } from '../../../schemas/monitor-words.ts';
import { totalMax } from '../../api/lists.ts';
import type { DashboardContext } from '../context.ts';
import { pageOf, pagerOf, wordOf } from '../paging.ts';
import { showPage } from '../render.ts';
import { sessionOf } from '../visitors.ts';
import { monitorView } from './monitor-view.ts';

const perPage = 25;

/** The monitors of an account, with the state of each at a glance. */
export function monitorListPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const session = sessionOf(req);
    const { accountId } = session;
    const page = pageOf(req);
    const filter = {
      type: wordOf(req, 'type', checkTypeNames),
      status: wordOf(req, 'status', monitorStatuses),
    };
    const window = { limit: perPage, offset: (page - 1) * perPage };
    const [total, rows, now, since, digest] = await Promise.all([
      monitors.count(db, accountId, filter, totalMax + 1),
      monitors.list(db, accountId, { ...filter, ...window }),
      clock(db),
      memberships.noteVisit(db, session),
      digests.find(db, accountId),
    ]);
    const data = {
      monitors: await withGlances(context, accountId, rows, { now, since }),
      since,
      digest,
      filter,
      types: Object.fromEntries(checkTypeNames.map((type) => [type, checkTypes[type].title])),
      pager: pagerOf(req, { page, perPage, shown: rows.length, total, totalMax }),
    };
    await showPage(context, req, res, { view: 'monitors', title: 'Monitors', data });
  };

  return { show };
}

/** Monitors with what their last runs found, what is at work and how much changed, in four reads however many. */
export async function withGlances(
  { db }: Pick<DashboardContext, 'db'>,
  accountId: number,
  rows: monitors.MonitorRow[],
  { now, since }: { now: Date; since: Date | null },
) {
  const monitorIds = rows.map(({ monitorId }) => monitorId);
  const [runs, atWork, glances] = await Promise.all([
    monitorRuns.findLastChecks(db, accountId, monitorIds),
    monitorRuns.findChecksAtWork(db, accountId, monitorIds),
    glance(db, accountId, rows, since ?? now),
  ]);
  return rows.map((row) => {
    const { latest = null, changes = [] } = glances.get(row.monitorId) ?? {};
    const { monitorId } = row;
    const view = monitorView(row, {
      now,
      lastRun: runs.get(monitorId),
      atWork: atWork.get(monitorId),
      latest,
    });
    return { ...view, kinds: changes, changes: changes.reduce((sum, one) => sum + one.changes, 0) };
  });
}
