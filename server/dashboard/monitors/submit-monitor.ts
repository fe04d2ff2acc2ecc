import { createHash } from 'node:crypto';
import type { Authorization } from '../../../db/accounts/rights.ts';
import { listTooLarge } from '../../../monitors/errors.ts';
import { createMonitor, listBytesMax } from '../../../monitors/monitor.ts';
import { isTimeZone } from '../../../monitors/wall-clock.ts';
import { getPrice } from '../../../schemas/features.ts';
import { subjectsMax } from '../../../schemas/monitor-types.ts';
import { createTerms } from '../../api/monitor-terms.ts';
import { readMonitor } from '../../api/read-monitor.ts';
import { runOnce } from '../../http/idempotency.ts';
import type { DashboardContext } from '../context.ts';
import { grouped } from '../format.ts';
import type { Form } from '../forms.ts';
import {
  type Check,
  checkNames,
  type Priced,
  readStartedCheck,
  readSwitch,
  toCheckType,
  toPlan,
} from '../intake/checks.ts';
import type { Intake } from '../intake/intake.ts';
import { toRankQueries } from '../intake/rank-queries.ts';
import { createFormKey, readFormName, readValidList } from '../intake/submit-check.ts';
import { Refusal } from '../refusal.ts';

/**
 * Creates a monitor that checks the valid entries of the list every day, in the time zone of the form. A form that is
 * sent twice creates one monitor. Returns the path of the monitor's page.
 */
export async function submitMonitor(
  context: DashboardContext,
  by: Authorization,
  form: Form,
  intake: Intake,
): Promise<string> {
  const { accountId } = by;
  const check = readStartedCheck(form) ?? readSwitch(form);
  const listed = await readMonitorList(context, check, form, intake);
  const body = {
    name:
      readFormName(form) ?? defaultName(checkNames[check], 'urls' in listed ? listed.urls : listed.queries),
    type: toCheckType(check),
    ...listed,
    schedule: { every: 'day', timezone: readTimeZone(form) },
  };
  const read = await readMonitor(context, body);
  const inputs = read.list.inputs ?? [];
  const cost = inputs.reduce((sum, input) => sum + getPrice(input), 0);
  requireShownPlan(form, check, { valid: inputs.length, cost });
  const asked = { accountId, type: read.type, inputs, tokenId: null, ...createTerms(read, inputs) };
  const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest();
  const key = createFormKey(accountId, form, fingerprint);
  const deps = { ...context, monitorsMax: context.config.monitorsMax };
  const { reply } = await runOnce(context, by, key, {
    run: (trx) => createMonitor(trx, deps, asked),
    toReply: ({ monitorId }) => ({ status: 201, body: { location: `/monitors/${monitorId}` } }),
  });
  return JSON.parse(reply.body).location;
}

/** Throws a 422 if the form has not yet shown what the monitor will do and what it will cost. */
function requireShownPlan(form: Form, check: Check, checks: Priced): void {
  if (form.text('plan') === toPlan(check, checks).key) return;
  throw new Refusal(
    422,
    'Review below what the monitor will do and cost, then choose “Check this every day” again. Nothing was created.',
  );
}

/** Returns the valid entries as fields of an API request. Throws if the list is ambiguous, empty or too long. */
export async function readMonitorList(
  context: DashboardContext,
  check: Check,
  form: Form,
  intake: Intake,
): Promise<{ urls: string[] } | { queries: object[] }> {
  const read = await readValidList(context, check, form, intake);
  refuseTooMany(read.valid.length);
  const entries = read.valid.flatMap(({ position }) => read.entries[position] ?? []);
  if (check !== 'ranks') return { urls: entries.map(({ text }) => text) };
  const queries = toRankQueries(entries, form);
  refuseTooLarge(queries);
  return { queries };
}

/**
 * Limits the size of the list. Each query repeats the competitors of the form, so a small form can create a large list.
 */
function refuseTooLarge(queries: object[]): void {
  let bytes = 0;
  for (const query of queries) {
    bytes += Buffer.byteLength(JSON.stringify(query));
    if (bytes > listBytesMax) throw listTooLarge();
  }
}

function refuseTooMany(entries: number): void {
  if (entries <= subjectsMax) return;
  throw new Refusal(
    422,
    `A monitor can check ${grouped(subjectsMax)} entries. Remove some, or create several monitors.`,
  );
}

/** Returns the time zone that a script has filled in for the reader. Without scripts, returns UTC. */
export function readTimeZone(form: Form): string {
  const zone = form.text('timezone');
  return isTimeZone(zone) ? zone : 'UTC';
}

/** Returns a name such as `HTTP status of shop.example`. */
function defaultName(check: string, listed: Array<string | object>): string {
  const sites = new Set(listed.map((one) => siteOf(typeof one === 'string' ? one : targetOf(one))));
  const [first = ''] = sites;
  const many = sites.size > 1 ? ' and others' : '';
  return `${check} of ${first}${many}`.slice(0, 255);
}

function targetOf(query: object): string {
  return String((query as { url?: unknown }).url ?? '');
}

function siteOf(text: string): string {
  return URL.parse(text)?.host || text.slice(0, 80);
}
