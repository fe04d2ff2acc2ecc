import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Allowance } from '../accounts/allowance.ts';
import * as memberships from '../db/accounts/memberships.ts';
import { isConfirmed } from '../db/accounts/user-addresses.ts';
import * as runs from '../db/monitors/monitor-runs.ts';
import type { MonitorRow } from '../db/monitors/monitors.ts';
import * as events from '../db/notifications/events.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { type MailMode, oweDigest } from '../mail/owe.ts';
import { owe } from '../webhooks/owe.ts';
import { runBody } from '../wire/monitor-bodies.ts';
import { secondsToDigest, digestTemplate as template } from './digest.ts';
import type { Settled } from './settled.ts';

/** What telling takes from the process. */
export interface Teller {
  boss: PgBoss;
  allowance: Pick<Allowance, 'spend'>;
  mail: MailMode;
  /** Where the API is, for addresses in what is told. */
  baseUrl: string;
}

/** A run and the monitor that it is of, both as they are by now. */
export interface RunOf {
  monitor: MonitorRow;
  run: runs.RunRow;
}

const bytesMax = 64 * 1024;
const changesMax = 100;

/**
 * Tells what a run has changed. Without a change it tells those who want to hear of every run, and everybody when its
 * sitemap is not believed, or has more than may be checked, for the first time.
 */
export async function tellRun(trx: Trx, teller: Teller, of: RunOf, settled: Settled): Promise<void> {
  const { monitor, run } = of;
  const isConfirmation = run.kind === 'confirmation';
  const isTold =
    settled.changes > 0 ||
    (!isConfirmation && (monitor.notify.when === 'always' || (await hasNewsOfSitemap(trx, run))));
  if (!isTold) return;
  const event = settled.changes > 0 ? 'monitor.changed' : 'monitor.run_completed';
  const told = isConfirmation ? `${run.confirms}_losses` : run.runId;
  const changesUrl = `${teller.baseUrl}/api/v1/monitors/${monitor.monitorId}/changes?run_id=${run.confirms ?? run.runId}`;
  const head = {
    ...headOf(event, monitor),
    run: runBody(run),
    counts: settled.counts,
    changes_url: changesUrl,
  };
  await tell(trx, teller, of, {
    event,
    messageId: `msg_${told}`,
    body: withChanges(head, settled),
    isPaid: run.checked > 0,
  });
}

async function hasNewsOfSitemap(trx: Trx, run: runs.RunRow): Promise<boolean> {
  if (!run.sitemapDoubtful && run.leftOut === 0) return false;
  const before = await runs.findBefore(trx, run);
  return (
    (run.sitemapDoubtful && !before?.sitemapDoubtful) || (run.leftOut > 0 && (before?.leftOut ?? 0) === 0)
  );
}

/** Tells that a run did not take place. */
export async function tellSkipped(trx: Trx, teller: Teller, of: RunOf): Promise<void> {
  const { monitor, run } = of;
  const event = 'monitor.run_skipped';
  const body = { ...headOf(event, monitor), run: runBody(run), monitor_status: monitor.status };
  await tell(trx, teller, of, {
    event,
    messageId: `msg_${run.runId}_skipped`,
    body,
    isPaid: false,
  });
}

/** Tells that every subject has left, so that there are no more runs. */
export async function tellCompleted(trx: Trx, teller: Teller, of: RunOf): Promise<void> {
  const { monitor, run } = of;
  const event = 'monitor.completed';
  const body = { ...headOf(event, monitor), run: runBody(run) };
  await tell(trx, teller, of, {
    event,
    messageId: `msg_${monitor.monitorId}_completed`,
    body,
    isPaid: run.checked > 0,
  });
}

/** Tells that a monitor which could not be paid for goes on. */
export async function tellResumed(trx: Trx, teller: Teller, monitor: MonitorRow): Promise<void> {
  const event = 'monitor.resumed';
  const messageId = `msg_${randomUUID()}_resumed`;
  const body = headOf(event, monitor);
  await tell(trx, teller, { monitor, run: null }, { event, messageId, body, isPaid: false });
}

function headOf(event: string, { monitorId, name, type, reference }: MonitorRow) {
  return { event, monitor_id: monitorId, name, type, reference };
}

function withChanges(head: object, { changes, inline }: Settled): object {
  const whole = { ...head, changes: changes <= changesMax ? inline : null };
  return Buffer.byteLength(JSON.stringify(whole)) <= bytesMax ? whole : { ...head, changes: null };
}

type AboutMonitor = Omit<RunOf, 'run'> & { run: runs.RunRow | null };
type TellingEvent = Pick<events.Event, 'event' | 'messageId' | 'body' | 'isPaid'>;

async function tell(trx: Trx, teller: Teller, about: AboutMonitor, event: TellingEvent): Promise<void> {
  const { monitor, run } = about;
  if (monitor.notify.when === 'never' || monitor.deletedAt) return;
  await tellByWebhook(trx, teller, about, event);
  if (run && monitor.notify.email) await tellByMail(trx, teller, { ...monitor, runId: run.runId });
}

async function tellByWebhook(
  trx: Trx,
  { boss, allowance }: Teller,
  { monitor: { accountId, monitorId, notify }, run }: AboutMonitor,
  { event, messageId, body, isPaid }: TellingEvent,
): Promise<void> {
  const url = notify.webhook_url;
  // A list that was filled again after its end ends again, and that is told once.
  if (!url || (await events.findByMessage(trx, accountId, messageId))) return;
  const eventId = randomUUID();
  const runId = run?.runId ?? null;
  await events.create(trx, { accountId, messageId, eventId, event, monitorId, runId, isPaid, body });
  if (!isPaid) await allowance.spend(accountId, { deliveries: 1 }, trx);
  await owe(trx, boss, { accountId, eventId, url });
}

/** Owners whose address is proved hear of the run with the next mail of its kind, when the account wants that. */
async function tellByMail(
  trx: Trx,
  teller: Teller,
  { accountId, runId }: { accountId: number; runId: string },
): Promise<void> {
  if (teller.mail !== 'smtp') return;
  const afterSeconds = await secondsToDigest(trx, accountId);
  for (const { userId } of await memberships.ownersOf(trx, accountId)) {
    if (await isConfirmed(trx, userId))
      await oweDigest(trx, teller, { template, accountId, userId, about: runId, afterSeconds });
  }
}
