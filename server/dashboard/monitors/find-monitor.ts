import type { Request } from 'express';
import * as monitors from '../../../db/monitors/monitors.ts';
import { parseUuid } from '../../../schemas/uuid.ts';
import { notFound } from '../../http/errors.ts';
import type { DashboardContext } from '../context.ts';
import { sessionOf } from '../visitors.ts';

/** The monitor that a page's address names. Throws a 404 when the account has none. */
export async function findMonitor(
  { db }: Pick<DashboardContext, 'db'>,
  req: Request,
): Promise<monitors.MonitorRow> {
  const monitorId = parseUuid(req.params.monitor_id);
  const { accountId } = sessionOf(req);
  const monitor = monitorId && (await monitors.find(db, { accountId, monitorId }));
  if (!monitor) throw notFound('There is no such monitor in your account.');
  return monitor;
}
