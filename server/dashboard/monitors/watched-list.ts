import { createHash } from 'node:crypto';
import type { Authorization } from '../../../db/accounts/rights.ts';
import * as monitors from '../../../db/monitors/monitors.ts';
import { changeMonitor, type MonitorEdit } from '../../../monitors/monitor.ts';
import { parseUuid } from '../../../schemas/uuid.ts';
import { termsOf } from '../../api/monitor-terms.ts';
import { readMonitorChange } from '../../api/read-monitor.ts';
import { notFound } from '../../http/errors.ts';
import { once } from '../../http/idempotency.ts';
import type { Box } from '../box/box.ts';
import { begunBy, checkOfType } from '../box/checks.ts';
import { keyOfForm } from '../box/submit.ts';
import type { DashboardContext } from '../context.ts';
import type { Form } from '../forms.ts';
import { Refusal } from '../refusal.ts';
import { listedIn } from './watch.ts';

/** The monitor whose list is in the box; null where the box is for something else. Throws a 404 for none of ours. */
export async function watchedBy(
  { db }: Pick<DashboardContext, 'db'>,
  accountId: number,
  named: unknown,
): Promise<monitors.MonitorRow | null> {
  if (!named) return null;
  const monitorId = parseUuid(named);
  const monitor = monitorId && (await monitors.find(db, { accountId, monitorId }));
  if (!monitor) throw notFound('There is no such monitor in your account.');
  return monitor;
}

/**
 * Makes what is in the box the list of a monitor, from its next run on; one that followed a sitemap does so no longer.
 * Entries that do not fit are left out, as the box has said. Answers the page of its subjects.
 */
export async function saveList(
  context: DashboardContext,
  by: Authorization,
  form: Form,
  box: Box,
): Promise<string> {
  const { accountId } = by;
  const monitor = await watchedBy(context, accountId, form.text('monitor'));
  if (!monitor || begunBy(form) !== checkOfType(monitor.type)) {
    throw new Refusal(422, 'What a monitor checks is fixed. Make another monitor for it.');
  }
  const listed = await listedIn(context, accountId, form, box);
  const read = await readMonitorChange(context, monitor.type, listed);
  const inputs = read.list.inputs ?? [];
  const edit: MonitorEdit = { inputs, tokenId: null, termsOf: (known) => termsOf(read, inputs, known) };
  const what = JSON.stringify([monitor.monitorId, listed]);
  const key = keyOfForm(accountId, form, createHash('sha256').update(what).digest());
  const location = `/monitors/${monitor.monitorId}/subjects`;
  await once(context, by, key, {
    act: (trx) => changeMonitor(trx, context, monitor, edit),
    toReply: () => ({ status: 200, body: { location } }),
  });
  return location;
}
