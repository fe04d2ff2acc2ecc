import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Allowance } from '../accounts/allowance.ts';
import * as memberships from '../db/accounts/memberships.ts';
import { isConfirmed } from '../db/accounts/user-emails.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import type { MonitorRow } from '../db/monitors/monitors.ts';
import * as events from '../db/notifications/events.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { enqueueDigest, type MailMode } from '../mail/enqueue.ts';
import { createDelivery } from '../webhooks/schedule.ts';
import { runBody } from '../wire/monitor-bodies.ts';
import { secondsUntilDigest, digestTemplate as template } from './digest.ts';
import type { RunResults } from './record-results.ts';

export interface NotifyDeps {
  boss: PgBoss;
  allowance: Pick<Allowance, 'recordUnbilled'>;
  mail: MailMode;
  /** Base of the URLs in events. */
  baseUrl: string;
}

export interface MonitorRun {
  monitor: MonitorRow;
  run: runs.RunRow;
}

const bytesMax = 64 * 1024;
const changesMax = 100;

/**
 * Notifies about the end of a run in these cases:
 * - The run has changes.
 * - The run is not a confirmation, and `when` is `always`.
 * - The run is not a confirmation, and its sitemap has a new problem: the sitemap is doubtful or has too many URLs. A
 *   problem is new if the previous run did not have it.
 */
export async function notifyEnded(
  trx: Trx,
  deps: NotifyDeps,
  monitorRun: MonitorRun,
  results: RunResults,
): Promise<void> {
  const { monitor, run } = monitorRun;
  const isConfirmation = run.kind === 'confirmation';
  const isSent =
    results.changes > 0 ||
    (!isConfirmation && (monitor.notify.when === 'always' || (await isNewSitemapProblem(trx, run))));
  if (!isSent) return;
  const event = results.changes > 0 ? 'monitor.changed' : 'monitor.run_completed';
  const changesUrl = `${deps.baseUrl}/api/v1/monitors/${monitor.monitorId}/changes?run_id=${run.confirms ?? run.runId}`;
  const body = {
    ...toCommonFields(event, monitor),
    run: runBody(run),
    counts: results.counts,
    changes_url: changesUrl,
  };
  await notify(trx, deps, monitorRun, {
    event,
    messageId: isConfirmation ? `msg_${run.confirms}_losses` : `msg_${run.runId}`,
    body: withChanges(body, results),
    isPaid: run.checked > 0,
  });
}

async function isNewSitemapProblem(trx: Trx, run: runs.RunRow): Promise<boolean> {
  if (!run.sitemapDoubtful && run.leftOut === 0) return false;
  const before = await runs.findPrevious(trx, run);
  return (
    (run.sitemapDoubtful && !before?.sitemapDoubtful) || (run.leftOut > 0 && (before?.leftOut ?? 0) === 0)
  );
}

export async function notifySkipped(trx: Trx, deps: NotifyDeps, monitorRun: MonitorRun): Promise<void> {
  const { monitor, run } = monitorRun;
  const event = 'monitor.run_skipped';
  const body = { ...toCommonFields(event, monitor), run: runBody(run), monitor_status: monitor.status };
  const messageId = `msg_${run.runId}_skipped`;
  await notify(trx, deps, monitorRun, { event, messageId, body, isPaid: false });
}

export async function notifyCompleted(trx: Trx, deps: NotifyDeps, monitorRun: MonitorRun): Promise<void> {
  const { monitor, run } = monitorRun;
  const event = 'monitor.completed';
  const body = { ...toCommonFields(event, monitor), run: runBody(run) };
  const messageId = `msg_${monitor.monitorId}_completed`;
  await notify(trx, deps, monitorRun, { event, messageId, body, isPaid: run.checked > 0 });
}

/** Notifies that a monitor is active again after a pause for lack of credits. */
export async function notifyResumed(trx: Trx, deps: NotifyDeps, monitor: MonitorRow): Promise<void> {
  const event = 'monitor.resumed';
  const messageId = `msg_${randomUUID()}_resumed`;
  const body = toCommonFields(event, monitor);
  await notify(trx, deps, { monitor, run: null }, { event, messageId, body, isPaid: false });
}

function toCommonFields(event: string, { monitorId, name, type, reference }: MonitorRow) {
  return { event, monitor_id: monitorId, name, type, reference };
}

function withChanges(body: object, { changes, inline }: RunResults): object {
  const whole = { ...body, changes: changes <= changesMax ? inline : null };
  return Buffer.byteLength(JSON.stringify(whole)) <= bytesMax ? whole : { ...body, changes: null };
}

async function notify(
  trx: Trx,
  { boss, allowance, mail }: NotifyDeps,
  { monitor, run }: { monitor: MonitorRow; run: runs.RunRow | null },
  { event, messageId, body, isPaid }: Pick<events.WebhookEvent, 'event' | 'messageId' | 'body' | 'isPaid'>,
): Promise<void> {
  const { accountId, monitorId } = monitor;
  const { when, webhook_url: url, email } = monitor.notify;
  if (when === 'never' || monitor.deletedAt) return;
  // A completed monitor with a new list can complete a second time. Only the first time is sent to the webhook.
  if (url && !(await events.findByMessage(trx, accountId, messageId))) {
    const eventId = randomUUID();
    const runId = run?.runId ?? null;
    await events.create(trx, { accountId, messageId, eventId, event, monitorId, runId, isPaid, body });
    if (!isPaid) await allowance.recordUnbilled(trx, accountId, { deliveries: 1 });
    await createDelivery(trx, boss, { accountId, eventId, url });
  }
  if (run && email && mail === 'smtp') await mailOwners(trx, boss, run);
}

/** Adds the run to the next digest of each owner with a confirmed address. */
async function mailOwners(trx: Trx, boss: PgBoss, { accountId, runId }: runs.RunRow): Promise<void> {
  const afterSeconds = await secondsUntilDigest(trx, accountId);
  for (const { userId } of await memberships.listOwners(trx, accountId)) {
    if (await isConfirmed(trx, userId))
      await enqueueDigest(
        trx,
        { boss, mail: 'smtp' },
        { template, accountId, userId, about: runId, afterSeconds },
      );
  }
}
