import type { Request } from 'express';
import * as monitors from '../../../db/monitors/monitors.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import { parseUuid } from '../../../schemas/uuid.ts';
import { notFound } from '../../http/errors.ts';
import type { DashboardContext } from '../context.ts';
import { getSession } from '../visitors.ts';

/** Returns the monitor whose id is in the path. Throws a 404 if the account has no such monitor. */
export function findMonitor(
  { db }: Pick<DashboardContext, 'db'>,
  req: Request,
): Promise<monitors.MonitorRow> {
  return requireMonitor(db, getSession(req).accountId, req.params.monitor_id);
}

/** Throws a 404 if the account has no monitor with this id. */
export async function requireMonitor(db: Db, accountId: number, id: unknown): Promise<monitors.MonitorRow> {
  const monitorId = parseUuid(id);
  const monitor = monitorId && (await monitors.find(db, { accountId, monitorId }));
  if (!monitor) throw notFound('No monitor with this id in your account.');
  return monitor;
}
