import type { RequestHandler, Router } from 'express';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import * as digests from '../../../db/notifications/digests.ts';
import { changeDigest } from '../../../monitors/digest.ts';
import { readDigest } from '../../api/digest.ts';
import {
  type MonitorExport,
  monitorExports,
  readFilter,
  sendMonitorExport,
} from '../../api/monitor-exports.ts';
import { readLocale, type TableFormat } from '../../api/results/export.ts';
import type { AllowanceRule } from '../../limits/require-allowance.ts';
import type { DashboardContext } from '../context.ts';
import { flashResult } from '../flash.ts';
import { getForm } from '../forms.ts';
import { getActor, getAuthorization, getSession } from '../visitors.ts';
import { annotationPages } from './annotations.ts';
import { findMonitor } from './find-monitor.ts';
import { monitorPages } from './monitor.ts';
import { monitorActionPages } from './monitor-actions.ts';
import { monitorSubjectPages } from './monitor-subject.ts';
import { monitorListPages } from './monitors.ts';

interface Guards {
  viewer: RequestHandler[];
  member: RequestHandler[];
  owner: RequestHandler[];
  form: RequestHandler[];
  /** Requires that the account's allowance of unbilled work is not used up. */
  allowed: (rule?: AllowanceRule) => RequestHandler;
}

export function routeMonitors(
  router: Router,
  context: DashboardContext,
  { viewer, member, owner, form, allowed }: Guards,
): void {
  const list = monitorListPages(context);
  const monitor = monitorPages(context);
  const subject = monitorSubjectPages(context);
  const actions = monitorActionPages(context);
  const notes = annotationPages(context);

  const exportAs =
    (kind: MonitorExport, ending: TableFormat): RequestHandler =>
    async (req, res) => {
      const choice = { kind, filter: readFilter(req), ending, locale: readLocale(req) };
      const row = await findMonitor(context, req);
      await sendMonitorExport(context, res, row, { ...choice, hasByteOrderMark: true });
    };

  router.get('/monitors', viewer, list.show);
  router.get('/monitors/:monitor_id', viewer, monitor.show);
  router.get('/monitors/:monitor_id/changes', viewer, monitor.showChanges);
  router.get('/monitors/:monitor_id/runs', viewer, monitor.showRuns);
  router.get('/monitors/:monitor_id/subjects', viewer, monitor.showSubjects);
  router.get('/monitors/:monitor_id/subjects/:subject_id', viewer, subject.show);
  for (const kind of monitorExports) {
    for (const ending of ['csv', 'xlsx'] as const)
      router.get(`/monitors/:monitor_id/${kind}.${ending}`, viewer, exportAs(kind, ending));
  }

  router.post('/monitors/digest', owner, form, allowed({ unbilledRows: 1 }), digestPages(context).change);
  router.post('/monitors/:monitor_id/pause', member, form, actions.pause);
  router.post('/monitors/:monitor_id/resume', member, form, allowed(), actions.resume);
  router.post('/monitors/:monitor_id/run', member, form, allowed(), actions.run);
  router.post('/monitors/:monitor_id/change', member, form, allowed(), actions.change);
  router.post('/monitors/:monitor_id/plan', member, form, actions.showPlan);
  router.post('/monitors/:monitor_id/delete', member, form, actions.remove);
  router.post('/monitors/:monitor_id/annotations', member, form, allowed(), notes.add);
  router.post('/monitors/:monitor_id/annotations/:annotation_id/delete', member, form, notes.remove);
}

function digestPages(context: DashboardContext) {
  const { db } = context;

  const change: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    const form = getForm(req);
    const every = form.text('every');
    const [at, timezone] = every === 'day' ? [form.text('at'), form.text('timezone')] : [];
    const save = async () => {
      const known = await digests.find(db, accountId);
      const wish = readDigest({ every, at: at || null, timezone: timezone || null }, known);
      await inOpenAccount(db, getAuthorization(req), (trx) =>
        changeDigest(trx, context, { ...wish, accountId, by: getActor(req) }),
      );
      const when = wish.at === null ? 'when runs end' : `daily at ${wish.at}, ${wish.timezone}`;
      return `Saved. Emails are sent ${when}.`;
    };
    await flashResult(context, res, save, { labels: { at: 'Daily at', timezone: 'Time zone' } });
    res.redirect(303, '/monitors');
  };

  return { change };
}
