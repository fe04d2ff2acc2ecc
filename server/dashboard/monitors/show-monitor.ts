import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { MonitorRow } from '../../../db/monitors/monitors.ts';
import { clock } from '../../../db/postgres/clock.ts';
import type { DashboardContext } from '../context.ts';
import { showPage } from '../render.ts';
import { withSummaries } from './monitors.ts';

/** Shows a page of a monitor, with the data of the head that all these pages share. */
export async function showMonitor(
  context: DashboardContext,
  req: Request,
  res: Response,
  row: MonitorRow,
  { view, title, data, now }: { view: string; title?: string; data: object; now?: Date },
): Promise<void> {
  const at = now ?? (await clock(context.db));
  const [monitor] = await withSummaries(context, row.accountId, [row], { now: at, since: null });
  const page = { ...data, monitor, row, once: randomUUID() };
  await showPage(context, req, res, { view, title: title ?? monitor?.name ?? '', data: page });
}
