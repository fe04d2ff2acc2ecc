import type { PgBoss } from 'pg-boss';
import { finish } from '../accounts/close.ts';
import { type AlertTeller, tellLow } from '../accounts/credit-alert.ts';
import { findUnfinished } from '../db/accounts/closing.ts';
import { findUntold } from '../db/ledger/credit-alerts.ts';
import type { LedgerFault } from '../db/ledger/proofs.ts';
import { type Db, inTransaction } from '../db/postgres/connect.ts';
import * as chores from '../db/queue/chores.ts';
import { keptIn, makeAhead, spansOf } from '../db/retention/partitions.ts';
import type { Post } from '../mail/owe.ts';
import { type DueWork, doDueWork } from '../monitors/due-work.ts';
import type { RunDeps } from '../monitors/run.ts';
import type { SecretBox } from '../process/secret-box.ts';
import { renewAll } from './keys.ts';
import { everythingChore, touchedChore, verifyEverything, verifyTouched } from './ledger-watch.ts';
import { type Purged, purge, type Retention } from './retention.ts';
import { type Swept, sweepOrphans } from './sweep.ts';

/** How often a process looks whether a chore is due. */
export const sweepSeconds = 15;
const verifySeconds = 300;
const verifyRestSeconds = 5;
const purgeSeconds = 600;
const renewSeconds = 600;
/** A chore without work that only workers do, so its age tells for how long no worker has run. */
export const workerChore = 'worker';
const purgeChore = 'purge';
const monitorChore = 'monitors';
const alertChore = 'low-credits';
const alertsMax = 500;
const closingChore = 'close-accounts';
const closedMax = 50;
const purgePauseMs = 50;

export interface ChoreReports {
  swept(swept: Swept): void;
  verified(faults: LedgerFault[]): void;
  partitioned(names: string[]): void;
  purged(purged: Purged): void;
  renewed(accounts: number): void;
  monitored(work: DueWork): void;
  failed(error: unknown): void;
}

export interface ChoreOptions {
  retention: Retention;
  box: SecretBox;
  reports: ChoreReports;
  /** What starting runs of monitors takes; without it none is started. */
  monitors?: Omit<RunDeps, 'db' | 'boss'>;
  /** What low-credits alerts and the closing of accounts take; without it neither is done. */
  alerts?: Omit<AlertTeller, 'boss'>;
  /** Whether this process works on batches. */
  isWorker?: boolean;
}

/**
 * Does the chores of the database when they are due, until stopped. Any number of processes may call it; each chore
 * is done by one of them at a time. Chores that may take hours do not delay the others.
 */
export function startChores(db: Db, boss: PgBoss, options: ChoreOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = lanes.map((choresOf) => {
    let round: Promise<void> | null = null;
    const timer = setInterval(() => {
      round ??= doDue(db, choresOf(db, boss, options, stopping.signal), options.reports).finally(() => {
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

/** Does the chores that are due, one after the other. One that fails is reported and stops none of the others. */
export async function doChores(db: Db, boss: PgBoss, options: ChoreOptions): Promise<void> {
  const { signal } = new AbortController();
  await doDue(
    db,
    lanes.flatMap((choresOf) => choresOf(db, boss, options, signal)),
    options.reports,
  );
}

interface Chore {
  name: string;
  everySeconds: number;
  act(): Promise<void>;
}

type ChoresOf = (db: Db, boss: PgBoss, options: ChoreOptions, signal: AbortSignal) => Chore[];

const promptChores: ChoresOf = (db, boss, { box, alerts, reports }) => [
  {
    name: 'sweep',
    everySeconds: sweepSeconds - 1,
    act: async () => reports.swept(await sweepOrphans(db, boss, reports.failed)),
  },
  {
    name: 'renew-secrets',
    everySeconds: renewSeconds,
    act: async () => reports.renewed(await renewAll(db, box)),
  },
  ...(alerts
    ? [
        {
          name: alertChore,
          everySeconds: sweepSeconds - 1,
          act: () => tellAllLow(db, { ...alerts, boss }, reports),
        },
        {
          name: closingChore,
          everySeconds: sweepSeconds - 1,
          act: () => finishClosing(db, { ...alerts, boss }, reports),
        },
      ]
    : []),
];

/** One that cannot be told is reported and stops none of the others. */
async function tellAllLow(db: Db, teller: AlertTeller, { failed }: ChoreReports): Promise<void> {
  for (const accountId of await findUntold(db, alertsMax))
    await inTransaction(db, (trx) => tellLow(trx, teller, accountId)).catch(failed);
}

/** Goes on closing accounts. One that is in use is reported and tried again the next time. */
async function finishClosing(db: Db, post: Post, { failed }: ChoreReports): Promise<void> {
  for (const accountId of await findUnfinished(db, closedMax))
    await finish(db, post, accountId).catch(failed);
}

const purging: ChoresOf = (db, _boss, { retention, reports }, signal) => [
  {
    name: 'partitions',
    everySeconds: purgeSeconds,
    act: async () => reports.partitioned(await makeAhead(db, spansOf(keptIn(retention)))),
  },
  {
    name: purgeChore,
    everySeconds: purgeSeconds,
    act: async () => {
      // Otherwise another process would find it due meanwhile.
      const stepped = () => chores.renew(db, purgeChore);
      reports.purged(await purge(db, retention, { pauseMs: purgePauseMs, signal, stepped }));
    },
  },
];

const verifyingTouched: ChoresOf = (db, _boss, { reports }, signal) => [
  {
    name: touchedChore,
    everySeconds: verifySeconds,
    act: async () => reports.verified(await verifyTouched(db, { signal })),
  },
];

const verifyingEverything: ChoresOf = (db, _boss, { reports }, signal) => [
  {
    name: everythingChore,
    everySeconds: verifyRestSeconds,
    act: async () => reports.verified(await verifyEverything(db, { signal })),
  },
];

const monitoring: ChoresOf = (db, boss, { monitors, reports }, signal) =>
  monitors
    ? [
        {
          name: monitorChore,
          everySeconds: sweepSeconds - 1,
          act: async () => {
            const stepped = () => chores.renew(db, monitorChore);
            const deps = { ...monitors, db, boss };
            reports.monitored(await doDueWork(deps, { failed: reports.failed, signal, stepped }));
          },
        },
      ]
    : [];

const living: ChoresOf = (_db, _boss, { isWorker }) =>
  isWorker ? [{ name: workerChore, everySeconds: sweepSeconds - 1, act: async () => {} }] : [];

/** Each of these works on its own, so that a long chore does not delay those of the others. */
const lanes = [promptChores, monitoring, purging, verifyingTouched, verifyingEverything, living];

async function doDue(db: Db, due: Chore[], reports: ChoreReports): Promise<void> {
  for (const { name, everySeconds, act } of due) {
    try {
      if (await chores.claim(db, name, everySeconds)) await act();
    } catch (error) {
      reports.failed(error);
    }
  }
}
