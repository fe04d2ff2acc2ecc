import type { Request } from 'express';
import * as monitors from '../../../db/monitors/monitors.ts';
import { parseUuid } from '../../../schemas/uuid.ts';
import { notFound } from '../../http/errors.ts';
import type { DashboardContext } from '../context.ts';
import { getSession } from '../visitors.ts';

/** Returns the monitor whose id is in the path. Throws a 404 if the account has no such monitor. */
export async function findMonitor(
  { db }: Pick<DashboardContext, 'db'>,
  req: Request,
): Promise<monitors.MonitorRow> {
  const monitorId = parseUuid(req.params.monitor_id);
  const { accountId } = getSession(req);
  const monitor = monitorId && (await monitors.find(db, { accountId, monitorId }));
  if (!monitor) throw notFound('No monitor with this id in your account.');
  return monitor;
}
