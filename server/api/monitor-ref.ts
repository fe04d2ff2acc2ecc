import type { Request } from 'express';
import * as monitors from '../../db/monitors/monitors.ts';
import type { Db } from '../../db/postgres/connect.ts';
import { noMonitor } from '../../monitors/refusals.ts';
import { parseUuid } from '../../schemas/uuid.ts';
import { callerOf } from '../http/authenticate.ts';

/** The monitor that a path names, as one of the caller's; whether it is there is for the database to say. */
export function monitorRefOf(req: Request): monitors.MonitorRef {
  const monitorId = parseUuid(req.params.monitor_id);
  if (!monitorId) throw noMonitor();
  return { accountId: callerOf(req).accountId, monitorId };
}

/** The same as it is now. Throws a 404 when the caller has none. */
export async function monitorOf(db: Db, req: Request): Promise<monitors.MonitorRow> {
  const monitor = await monitors.find(db, monitorRefOf(req));
  if (!monitor) throw noMonitor();
  return monitor;
}
