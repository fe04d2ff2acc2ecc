import type { PgBoss } from 'pg-boss';
import { type Db, inTransaction } from '../db/connect.ts';
import type { Verification } from '../db/ledger-verify.ts';
import * as orphans from '../db/orphans.ts';
import * as singleChecks from '../db/single-checks.ts';
import * as chores from './chores.ts';
import { ledgerChore, watchLedger } from './ledger-watch.ts';
import { type Purged, purge } from './retention.ts';

/** What the sweep of orphans found and put right; all 0 in a quiet system. */
export interface Swept {
  singleChecksRefunded: number;
  chunksReenqueued: number;
  itemsAbandoned: number;
  deliveriesReenqueued: number;
}

const sweepSeconds = 15;
const verifySeconds = 300;
const purgeSeconds = 600;
const orphansMax = 500;
const purgeStepsMax = 50;

/**
 * Puts right what dead processes left behind (DESIGN.md section 6.9). An orphan that cannot be put right is reported and
 * stops none of the others.
 */
export async function sweepOrphans(db: Db, boss: PgBoss, failed: ChoreReports['failed']): Promise<Swept> {
  const swept: Swept = {
    singleChecksRefunded: 0,
    chunksReenqueued: 0,
    itemsAbandoned: 0,
    deliveriesReenqueued: 0,
  };
  const each = async <T>(found: T[], putRight: (orphan: T) => Promise<void>) => {
    for (const orphan of found) await putRight(orphan).catch(failed);
  };
  await each(await singleChecks.findOrphans(db, orphansMax), async (check) => {
    const isSettled = await inTransaction(db, (trx) =>
      singleChecks.settle(trx, check, { error: 'checker_failed' }),
    );
    if (isSettled) swept.singleChecksRefunded += 1;
  });
  await each(await orphans.findChunks(db, orphansMax), async (orphan) => {
    if (orphan.isOutOfRetries) swept.itemsAbandoned += await orphans.abandon(db, boss, orphan);
    else if (await orphans.reenqueue(db, boss, orphan)) swept.chunksReenqueued += 1;
  });
  await each(await orphans.findDeliveries(db, orphansMax), async (orphan) => {
    if (await orphans.reenqueueDelivery(db, boss, orphan)) swept.deliveriesReenqueued += 1;
  });
  return swept;
}

/** Days that results, and verdicts with rank points, are kept. */
type Retention = { days: number; historyDays: number };

export interface ChoreReports {
  swept(swept: Swept): void;
  verified(verification: Verification): void;
  purged(purged: Purged): void;
  failed(error: unknown): void;
}

/**
 * Does the chores of the database every now and then until stopped: any number of processes may, and each chore is done
 * by one of them at a time.
 */
export function startChores(
  db: Db,
  boss: PgBoss,
  { retention, reports }: { retention: Retention; reports: ChoreReports },
): { stop(): Promise<void> } {
  let round: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(() => doChores(db, boss, { retention, reports }));
  }, sweepSeconds * 1000);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await round;
    },
  };
}

/** Does what is due of the chores; one that fails is reported and leaves the others alone. */
export async function doChores(
  db: Db,
  boss: PgBoss,
  { retention, reports }: { retention: Retention; reports: ChoreReports },
): Promise<void> {
  const whenDue = async (chore: string, everySeconds: number, act: () => Promise<void>) => {
    try {
      if (await chores.claim(db, chore, everySeconds)) await act();
    } catch (error) {
      reports.failed(error);
    }
  };
  await whenDue('sweep-orphans', sweepSeconds - 1, async () =>
    reports.swept(await sweepOrphans(db, boss, reports.failed)),
  );
  await whenDue(ledgerChore, verifySeconds, async () => reports.verified(await watchLedger(db)));
  await whenDue('purge', purgeSeconds, () => purgeAll(db, retention, reports));
}

async function purgeAll(db: Db, retention: Retention, reports: ChoreReports): Promise<void> {
  for (let step = 0; step < purgeStepsMax; step++) {
    const purged = await purge(db, retention);
    reports.purged(purged);
    if (Object.values(purged).every((count) => count === 0)) return;
  }
}
