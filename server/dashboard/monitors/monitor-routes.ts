import type { RequestHandler, Router } from 'express';
import type { DashboardContext } from '../context.ts';
import { annotationPages } from './annotations.ts';
import { digestPages } from './digest.ts';
import { monitorPages } from './monitor.ts';
import { monitorActPages } from './monitor-acts.ts';
import { monitorSubjectPages } from './monitor-subject.ts';
import { monitorListPages } from './monitors.ts';

/** Who may look, who may act, and what reads a form. */
interface Doors {
  viewer: RequestHandler[];
  member: RequestHandler[];
  owner: RequestHandler[];
  form: RequestHandler[];
}

/** Everything about monitors. */
export function routeMonitors(
  router: Router,
  context: DashboardContext,
  { viewer, member, owner, form }: Doors,
): void {
  const list = monitorListPages(context);
  const monitor = monitorPages(context);
  const subject = monitorSubjectPages(context);
  const act = monitorActPages(context);
  const notes = annotationPages(context);

  router.get('/monitors', viewer, list.show);
  router.get('/monitors/:monitor_id', viewer, monitor.show);
  router.get('/monitors/:monitor_id/changes', viewer, monitor.showChanges);
  router.get('/monitors/:monitor_id/runs', viewer, monitor.showRuns);
  router.get('/monitors/:monitor_id/subjects', viewer, monitor.showSubjects);
  router.get('/monitors/:monitor_id/subjects/:subject_id', viewer, subject.show);

  router.post('/monitors/digest', owner, form, digestPages(context).change);
  router.post('/monitors/:monitor_id/pause', member, form, act.pause);
  router.post('/monitors/:monitor_id/resume', member, form, act.resume);
  router.post('/monitors/:monitor_id/run', member, form, act.run);
  router.post('/monitors/:monitor_id/change', member, form, act.change);
  router.post('/monitors/:monitor_id/delete', member, form, act.remove);
  router.post('/monitors/:monitor_id/annotations', member, form, notes.add);
  router.post('/monitors/:monitor_id/annotations/:annotation_id/delete', member, form, notes.remove);
}
