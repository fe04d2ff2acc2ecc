import type { PgBoss } from 'pg-boss';
import * as chores from '../db/chores.ts';
import type { Db } from '../db/connect.ts';
import type { Verification } from '../db/ledger-verify.ts';
import type { SecretBox } from '../secret-box.ts';
import { renewAll } from './keys.ts';
import { ledgerChore, watchLedger } from './ledger-watch.ts';
import { type Purged, purge, type Retention } from './retention.ts';
import { type Swept, sweepOrphans } from './sweep.ts';

const sweepSeconds = 15;
const verifySeconds = 300;
const purgeSeconds = 600;
const renewSeconds = 600;
const purgeStepsMax = 50;

export interface ChoreReports {
  swept(swept: Swept): void;
  verified(verification: Verification): void;
  purged(purged: Purged): void;
  renewed(accounts: number): void;
  failed(error: unknown): void;
}

export interface ChoreOptions {
  retention: Retention;
  box: SecretBox;
  reports: ChoreReports;
}

/**
 * Does the chores of the database every now and then until stopped: any number of processes may, and each
 * chore is done by one of them at a time.
 */
export function startChores(
  db: Db,
  boss: PgBoss,
  { retention, box, reports }: ChoreOptions,
): { stop(): Promise<void> } {
  let round: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(() => doChores(db, boss, { retention, box, reports }));
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
  { retention, box, reports }: ChoreOptions,
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
  await whenDue('renew-secrets', renewSeconds, async () => reports.renewed(await renewAll(db, box)));
  await whenDue('purge', purgeSeconds, () => purgeAll(db, retention, reports));
}

async function purgeAll(db: Db, retention: Retention, reports: ChoreReports): Promise<void> {
  for (let step = 0; step < purgeStepsMax; step++) {
    const purged = await purge(db, retention);
    reports.purged(purged);
    if (Object.values(purged).every((count) => count === 0)) return;
  }
}
