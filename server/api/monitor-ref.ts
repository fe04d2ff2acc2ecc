import type { Request } from 'express';
import * as monitors from '../../db/monitors/monitors.ts';
import type { Db } from '../../db/postgres/connect.ts';
import { monitorNotFound } from '../../monitors/errors.ts';
import { parseUuid } from '../../schemas/uuid.ts';
import { getCaller } from '../http/authenticate.ts';

/** Returns the reference of the monitor in a path. The monitor may not exist. */
export function getMonitorRef(req: Request): monitors.MonitorRef {
  const monitorId = parseUuid(req.params.monitor_id);
  if (!monitorId) throw monitorNotFound();
  return { accountId: getCaller(req).accountId, monitorId };
}

/** Finds the monitor in a path. Throws a 404. */
export async function requireMonitor(db: Db, req: Request): Promise<monitors.MonitorRow> {
  const monitor = await monitors.find(db, getMonitorRef(req));
  if (!monitor) throw monitorNotFound();
  return monitor;
}
