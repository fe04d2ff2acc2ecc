import type { PgBoss } from 'pg-boss';
import { resumeClosing } from '../accounts/close.ts';
import { type AlertDeps, notifyLowCredits } from '../accounts/credit-alert.ts';
import { findUnfinished } from '../db/accounts/closing.ts';
import { findPendingAlerts } from '../db/ledger/credit-alerts.ts';
import type { LedgerFault } from '../db/ledger/verification.ts';
import { type Db, inTransaction } from '../db/postgres/connect.ts';
import * as chores from '../db/queue/chores.ts';
import { createAhead, partitionDaysByTable, retentionByTable } from '../db/retention/partitions.ts';
import type { EnqueueMailDeps } from '../mail/enqueue.ts';
import { type DueWorkCounts, processDueMonitors } from '../monitors/due-work.ts';
import type { RunDeps } from '../monitors/run.ts';
import type { SecretBox } from '../process/secret-box.ts';
import {
  allAccountsChore,
  changedAccountsChore,
  verifyAllAccounts,
  verifyChangedAccounts,
} from './ledger-verification.ts';
import { type PurgeResult, purge, type Retention } from './retention.ts';
import { reencryptAll } from './secret-rotation.ts';
import { type SweepResult, sweepOrphans } from './sweep.ts';

/** Interval at which a process checks for due chores. */
export const sweepSeconds = 15;
const verifySeconds = 300;
const verifyAllSeconds = 5;
const purgeSeconds = 600;
const renewSeconds = 600;
/** A chore that does nothing. Only workers claim it. Its age therefore shows for how long no worker has run. */
export const workerChore = 'worker';
const purgeChore = 'purge';
const monitorChore = 'monitors';
const alertChore = 'low-credits';
const alertsMax = 500;
const closingChore = 'close-accounts';
const closedMax = 50;
const purgePauseMs = 50;

export interface ChoreReports {
  swept(swept: SweepResult): void;
  verified(faults: LedgerFault[]): void;
  partitioned(names: string[]): void;
  purged(purged: PurgeResult): void;
  renewed(accounts: number): void;
  monitored(work: DueWorkCounts): void;
  failed(error: unknown): void;
}

export interface ChoreOptions {
  retention: Retention;
  secretBox: SecretBox;
  reports: ChoreReports;
  /** Dependencies of monitor runs. If omitted, no run starts. */
  monitors?: Omit<RunDeps, 'db' | 'boss'>;
  /** Dependencies of two chores: low-credits alerts and the closing of accounts. If omitted, neither chore runs. */
  alerts?: Omit<AlertDeps, 'boss'>;
  /** True for a process that works on batches. */
  isWorker?: boolean;
}

/** Runs chores when they are due, until stopped. Each time a chore is due, one process runs it. */
export function startChores(db: Db, boss: PgBoss, options: ChoreOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = choreGroups.map((createChores) => {
    let round: Promise<void> | null = null;
    const timer = setInterval(() => {
      round ??= runDue(db, createChores(db, boss, options, stopping.signal), options.reports).finally(() => {
        round = null;
      });
    }, sweepSeconds * 1000);
    timer.unref();
    return { timer, ended: () => round };
  });
  return {
    stop: async () => {
      stopping.abort();
      for (const { timer } of running) clearInterval(timer);
      await Promise.all(running.map(({ ended }) => ended()));
    },
  };
}

/** Runs all due chores one after the other. Reports errors and continues. */
export async function runDueChores(db: Db, boss: PgBoss, options: ChoreOptions): Promise<void> {
  const { signal } = new AbortController();
  const all = choreGroups.flatMap((createChores) => createChores(db, boss, options, signal));
  await runDue(db, all, options.reports);
}

interface Chore {
  name: string;
  everySeconds: number;
  run(): Promise<void>;
}

type CreateChores = (db: Db, boss: PgBoss, options: ChoreOptions, signal: AbortSignal) => Chore[];

const shortChores: CreateChores = (db, boss, { secretBox, alerts, reports }) => [
  {
    name: 'sweep',
    everySeconds: sweepSeconds - 1,
    run: async () => reports.swept(await sweepOrphans(db, boss, reports.failed)),
  },
  {
    name: 'renew-secrets',
    everySeconds: renewSeconds,
    run: async () => reports.renewed(await reencryptAll(db, secretBox)),
  },
  ...(alerts
    ? [
        {
          name: alertChore,
          everySeconds: sweepSeconds - 1,
          run: () => sendLowCreditsAlerts(db, { ...alerts, boss }, reports),
        },
        {
          name: closingChore,
          everySeconds: sweepSeconds - 1,
          run: () => finishClosing(db, { ...alerts, boss }, reports),
        },
      ]
    : []),
];

/** Sends all due alerts. Reports errors and continues. */
async function sendLowCreditsAlerts(db: Db, deps: AlertDeps, { failed }: ChoreReports): Promise<void> {
  for (const accountId of await findPendingAlerts(db, alertsMax))
    await inTransaction(db, (trx) => notifyLowCredits(trx, deps, accountId)).catch(failed);
}

/** Continues to close accounts. Reports errors, for example if an account is still in use. The next run retries. */
async function finishClosing(db: Db, deps: EnqueueMailDeps, { failed }: ChoreReports): Promise<void> {
  for (const accountId of await findUnfinished(db, closedMax))
    await resumeClosing(db, deps, accountId).catch(failed);
}

const purgeChores: CreateChores = (db, _boss, { retention, reports }, signal) => [
  {
    name: 'partitions',
    everySeconds: purgeSeconds,
    run: async () =>
      reports.partitioned(await createAhead(db, partitionDaysByTable(retentionByTable(retention)))),
  },
  {
    name: purgeChore,
    everySeconds: purgeSeconds,
    run: async () => {
      // Keeps other processes from starting a purge at the same time.
      const stepped = () => chores.renew(db, purgeChore);
      reports.purged(await purge(db, retention, { pauseMs: purgePauseMs, signal, stepped }));
    },
  },
];

const verifyTouchedChores: CreateChores = (db, _boss, { reports }, signal) => [
  {
    name: changedAccountsChore,
    everySeconds: verifySeconds,
    run: async () => reports.verified(await verifyChangedAccounts(db, { signal })),
  },
];

const verifyAllChores: CreateChores = (db, _boss, { reports }, signal) => [
  {
    name: allAccountsChore,
    everySeconds: verifyAllSeconds,
    run: async () => reports.verified(await verifyAllAccounts(db, { signal })),
  },
];

const monitorChores: CreateChores = (db, boss, { monitors, reports }, signal) =>
  monitors
    ? [
        {
          name: monitorChore,
          everySeconds: sweepSeconds - 1,
          run: async () => {
            const stepped = () => chores.renew(db, monitorChore);
            const deps = { ...monitors, db, boss };
            reports.monitored(await processDueMonitors(deps, { failed: reports.failed, signal, stepped }));
          },
        },
      ]
    : [];

const workerChores: CreateChores = (_db, _boss, { isWorker }) =>
  isWorker ? [{ name: workerChore, everySeconds: sweepSeconds - 1, run: async () => {} }] : [];

/** Groups run in parallel. A chore that takes hours delays only its own group. */
const choreGroups = [
  shortChores,
  monitorChores,
  purgeChores,
  verifyTouchedChores,
  verifyAllChores,
  workerChores,
];

async function runDue(db: Db, due: Chore[], reports: ChoreReports): Promise<void> {
  for (const { name, everySeconds, run } of due) {
    try {
      if (await chores.claim(db, name, everySeconds)) await run();
    } catch (error) {
      reports.failed(error);
    }
  }
}
