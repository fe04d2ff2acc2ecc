import { resumeClosing } from '../accounts/close.ts';
import { notifyLowCredits } from '../accounts/credit-alert.ts';
import { findUnfinished } from '../db/accounts/closing.ts';
import { findPendingAlerts } from '../db/ledger/credit-alerts.ts';
import type { LedgerFault } from '../db/ledger/verification.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import * as chores from '../db/queue/chores.ts';
import { createAhead, type Retention } from '../db/retention/partitions.ts';
import { processDueMonitors } from '../monitors/due-work.ts';
import type { RunDeps } from '../monitors/run.ts';
import type { Log } from '../process/log.ts';
import type { SecretBox } from '../process/secret-box.ts';
import {
  allAccountsChore,
  changedAccountsChore,
  verifyAllAccounts,
  verifyChangedAccounts,
} from './ledger-verification.ts';
import { purge } from './retention.ts';
import { reencryptAll } from './secret-rotation.ts';
import { sweepOrphans } from './sweep.ts';

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
const alertsMax = 500;
const closedMax = 50;
const purgePauseMs = 50;

export interface ChoreDeps extends RunDeps {
  log: Log;
  secretBox: SecretBox;
  retention: Retention;
}

/** `isWorker`: true for a process that works on batches. */
interface ChoreOptions {
  isWorker?: boolean;
}

/** Runs chores when they are due, until stopped. Each time a chore is due, one process runs it. */
export function startChores(
  deps: ChoreDeps,
  { isWorker = false }: ChoreOptions = {},
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = createGroups(deps, isWorker, stopping.signal).map((group) => {
    let round: Promise<void> | null = null;
    const timer = setInterval(() => {
      round ??= runDue(deps, group).finally(() => {
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

/** Runs all due chores one after the other. Logs errors and continues. */
export async function runDueChores(deps: ChoreDeps, { isWorker = false }: ChoreOptions = {}): Promise<void> {
  await runDue(deps, createGroups(deps, isWorker, new AbortController().signal).flat());
}

interface Chore {
  name: string;
  everySeconds: number;
  run(): Promise<void>;
}

/** Groups run in parallel. A chore that takes hours delays only its own group. */
function createGroups(deps: ChoreDeps, isWorker: boolean, signal: AbortSignal): Chore[][] {
  const { db, log, secretBox, retention } = deps;
  const everyRound = sweepSeconds - 1;
  const failed = (error: unknown) => logFailure(log, error);
  return [
    [
      {
        name: 'sweep',
        everySeconds: everyRound,
        run: async () => {
          const swept = await sweepOrphans(db, deps.boss, failed);
          if (isAnyCounted(swept)) log.warn('The sweep repaired orphaned work', { ...swept });
        },
      },
      {
        name: 'renew-secrets',
        everySeconds: renewSeconds,
        run: async () => {
          const renewed = await reencryptAll(db, secretBox);
          if (renewed > 0) log.info('Secrets were re-encrypted with the new SECRET_KEY', { renewed });
        },
      },
      {
        name: 'low-credits',
        everySeconds: everyRound,
        run: async () => {
          for (const accountId of await findPendingAlerts(db, alertsMax))
            await inTransaction(db, (trx) => notifyLowCredits(trx, deps, accountId)).catch(failed);
        },
      },
      {
        name: 'close-accounts',
        everySeconds: everyRound,
        run: async () => {
          for (const accountId of await findUnfinished(db, closedMax))
            await resumeClosing(db, deps, accountId).catch(failed);
        },
      },
    ],
    [
      {
        name: monitorChore,
        everySeconds: everyRound,
        run: async () => {
          const stepped = () => chores.renew(db, monitorChore);
          const work = await processDueMonitors(deps, { failed, signal, stepped });
          if (work.sweptRuns > 0 || work.late > 0)
            log.warn('Monitor runs were late or orphaned', { ...work });
        },
      },
    ],
    [
      {
        name: 'partitions',
        everySeconds: purgeSeconds,
        run: async () => {
          const names = await createAhead(db, retention);
          if (names.length > 0) log.info('Partitions created', { names });
        },
      },
      {
        name: purgeChore,
        everySeconds: purgeSeconds,
        run: async () => {
          // The renewal keeps other processes from starting a purge at the same time.
          const stepped = () => chores.renew(db, purgeChore);
          const purged = await purge(db, retention, { pauseMs: purgePauseMs, signal, stepped });
          if (isAnyCounted(purged)) log.info('Expired records were deleted', { ...purged });
        },
      },
    ],
    [
      {
        name: changedAccountsChore,
        everySeconds: verifySeconds,
        run: async () => logFaults(log, await verifyChangedAccounts(db, { signal })),
      },
    ],
    [
      {
        name: allAccountsChore,
        everySeconds: verifyAllSeconds,
        run: async () => logFaults(log, await verifyAllAccounts(db, { signal })),
      },
    ],
    isWorker ? [{ name: workerChore, everySeconds: everyRound, run: async () => {} }] : [],
  ];
}

function isAnyCounted(counts: object): boolean {
  return Object.values(counts).some((count) => count > 0);
}

function logFaults(log: Log, faults: LedgerFault[]): void {
  if (faults.length > 0) log.error('Ledger verification found faults', { faults });
}

function logFailure(log: Log, error: unknown): void {
  log.warn('A chore failed and will be retried', { error });
}

async function runDue({ db, log }: ChoreDeps, due: Chore[]): Promise<void> {
  for (const { name, everySeconds, run } of due) {
    try {
      if (await chores.claim(db, name, everySeconds)) await run();
    } catch (error) {
      logFailure(log, error);
    }
  }
}
