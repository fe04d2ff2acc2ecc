import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Authorization } from '../../../db/accounts/rights.ts';
import type { MonitorRow } from '../../../db/monitors/monitors.ts';
import * as subjects from '../../../db/monitors/subjects.ts';
import type { Trx } from '../../../db/postgres/connect.ts';
import type { ListEntry } from '../../../lists/list.ts';
import { addToMonitor, changeMonitor, type MonitorEdit } from '../../../monitors/monitor.ts';
import type { InputOf } from '../../../schemas/check-types.ts';
import { mergeTerms } from '../../api/monitor-terms.ts';
import { readMonitorChange } from '../../api/read-monitor.ts';
import { runOnce } from '../../http/idempotency.ts';
import type { DashboardContext } from '../context.ts';
import type { Flash } from '../flash.ts';
import { fieldName } from '../format.ts';
import type { Form } from '../forms.ts';
import { readStartedCheck, toCheck } from '../intake/checks.ts';
import type { Intake } from '../intake/intake.ts';
import { findUnusedColumn } from '../intake/rank-queries.ts';
import { createFormKey } from '../intake/submit-check.ts';
import { Refusal } from '../refusal.ts';
import { requireMonitor } from './find-monitor.ts';
import { readMonitorList } from './submit-monitor.ts';

/** Finds the monitor whose list the form edits; null if `named` is empty. Throws a 404 for an unknown monitor. */
export async function findMonitorOfForm(
  { db }: Pick<DashboardContext, 'db'>,
  accountId: number,
  named: unknown,
): Promise<MonitorRow | null> {
  return named ? requireMonitor(db, accountId, named) : null;
}

/**
 * Saves the valid entries as the list of a monitor. If the monitor has a sitemap, the list replaces the sitemap. If the
 * form has `add`, the entries are added to the current list instead. The next run uses the list. Returns the path of
 * the page with the list, and a message for it.
 */
export async function saveMonitorList(
  context: DashboardContext,
  by: Authorization,
  form: Form,
  intake: Intake,
): Promise<{ path: string; flash: Flash }> {
  const { accountId } = by;
  const monitor = await findMonitorOfForm(context, accountId, form.text('monitor'));
  const check = readStartedCheck(form);
  if (!monitor || check !== toCheck(monitor.type)) {
    throw new Refusal(422, 'You cannot change the type of a monitor. Create another monitor.');
  }
  const listed = await readMonitorList(context, check, form, intake);
  if ('queries' in listed && form.text('add') === '') refuseUnused(form, intake.list?.entries ?? []);
  const read = await readMonitorChange(context, monitor.type, listed);
  const inputs = read.list.inputs ?? [];
  const edit: MonitorEdit = { inputs, tokenId: null, toTerms: (known) => mergeTerms(read, inputs, known) };
  const isAddition = form.text('add') !== '';
  const what = JSON.stringify([monitor.monitorId, isAddition, listed]);
  const key = createFormKey(accountId, form, createHash('sha256').update(what).digest());
  const path = `/monitors/${monitor.monitorId}/subjects`;
  const { result: flash } = await runOnce(context, by, key, {
    run: async (trx) => {
      const said = await describeChange(trx, monitor, inputs, isAddition);
      if (isAddition) await addToMonitor(trx, context, monitor, inputs);
      else await changeMonitor(trx, context, monitor, edit);
      return said;
    },
    toReply: () => ({ status: 200, body: { location: path } }),
  });
  return { path, flash: flash ?? saved };
}

/** Throws a 422 if the user has changed a field that no keyword uses. Otherwise, the change would be lost. */
function refuseUnused(form: Form, entries: readonly ListEntry[]): void {
  const column = findUnusedColumn(entries, form);
  if (!column) return;
  const name = fieldName(column);
  throw new Refusal(
    422,
    `Every keyword in the list has its own value for “${name}”, so your change below would have no effect. Change the list, or choose “No column” in “${name} from” to use the field for all keywords.`,
  );
}

/** Says what saving will change. */
async function describeChange(
  trx: Trx,
  monitor: MonitorRow,
  inputs: InputOf[],
  isAddition: boolean,
): Promise<Flash> {
  if (isAddition) {
    const added = await subjects.withoutCurrent(trx, monitor, inputs);
    return added.length === 0 ? alreadyInList : saved;
  }
  if (monitor.sitemapUrl !== null) return saved;
  const current = (await subjects.listCurrent(trx, monitor)).map(({ input }) => input);
  return isDeepStrictEqual(current, inputs) ? unchanged : saved;
}

const saved: Flash = { tone: 'good', text: 'Saved. The next run uses this list.' };
const unchanged: Flash = { tone: 'warn', text: 'Nothing was changed.' };
const alreadyInList: Flash = {
  tone: 'warn',
  text: 'Nothing was added. These entries are already in the list. To change their values, edit the list.',
};
