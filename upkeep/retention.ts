import { setTimeout as sleep } from 'node:timers/promises';
import * as monitorPurge from '../db/monitors/monitor-purge.ts';
import * as mailLinks from '../db/notifications/mail-links.ts';
import * as mails from '../db/notifications/mails.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import type { PurgeStep } from '../db/retention/expired.ts';
import * as expired from '../db/retention/expired.ts';
import { dropExpired } from '../db/retention/expired-partitions.ts';
import { keptIn } from '../db/retention/partitions.ts';

/** Days that results, and verdicts with rank points, are kept. */
export interface Retention {
  days: number;
  historyDays: number;
}

/** How many of each kind were removed. */
export interface Purged {
  batches: number;
  singleChecks: number;
  /** Of test tokens, kept for a week. */
  testBatches: number;
  testChecks: number;
  idempotencyKeys: number;
  historyPoints: number;
  /** Points, changes, counts and runs of monitors. */
  monitorHistory: number;
  /** Subjects and runs of monitors that were deleted, and those. */
  deletedMonitors: number;
  /** With their deliveries. */
  events: number;
  resultPages: number;
  rateLimits: number;
  revokedTokens: number;
  activity: number;
  mails: number;
  mailLinks: number;
  /** With all the items, chunks and points that were in them. */
  partitions: number;
}

export interface PurgeOptions {
  /** A pause after each step, in which the database serves others. */
  pauseMs?: number;
  /** When aborted, the purge ends after the current step. The next one goes on. */
  signal?: AbortSignal;
  /** Called after each step. */
  stepped?(): Promise<void>;
  /** The most that a step removes of a kind; of batches a fiftieth, because each has many rows. */
  stepMax?: number;
}

// Long enough to name a revoked token that is still in use.
const revokedDays = 90;
// A year, and a month to look back at it.
const activityDays = 400;
const mailDays = 30;

type Step = (trx: Trx, retention: Retention, stepMax: number) => Promise<PurgeStep>;

const kinds: Record<Exclude<keyof Purged, 'partitions'>, Step> = {
  batches: (trx, { days }, stepMax) => all(expired.purgeBatches(trx, days, Math.ceil(stepMax / 50))),
  singleChecks: (trx, { days }, stepMax) => all(expired.purgeSingleChecks(trx, days, stepMax)),
  testBatches: (trx, { days }, stepMax) => all(expired.purgeTestBatches(trx, days, Math.ceil(stepMax / 50))),
  testChecks: (trx, { days }, stepMax) => all(expired.purgeTestChecks(trx, days, stepMax)),
  idempotencyKeys: (trx, _, stepMax) => all(expired.purgeKeys(trx, stepMax)),
  historyPoints: (trx, { historyDays }, stepMax) => all(expired.purgeHistory(trx, historyDays, stepMax)),
  monitorHistory: (trx, { historyDays }, stepMax) => monitorPurge.purgeHistory(trx, historyDays, stepMax),
  deletedMonitors: (trx, _, stepMax) => monitorPurge.purgeDeleted(trx, stepMax),
  events: (trx, { days }, stepMax) => all(expired.purgeEvents(trx, days, stepMax)),
  resultPages: (trx, { days }, stepMax) => all(expired.purgeResultPages(trx, days, stepMax)),
  rateLimits: (trx, _, stepMax) => all(expired.purgeRateLimits(trx, stepMax)),
  revokedTokens: (trx, _, stepMax) => all(expired.purgeTokens(trx, revokedDays, stepMax)),
  activity: (trx, _, stepMax) => all(expired.purgeActivity(trx, activityDays, stepMax)),
  mails: (trx, _, stepMax) => all(mails.purge(trx, mailDays, stepMax)),
  mailLinks: (trx, _, stepMax) => all(mailLinks.purge(trx, stepMax)),
};

/** A step of a kind of which nothing is ever left behind. */
async function all(removing: Promise<number>): Promise<PurgeStep> {
  const removed = await removing;
  return { looked: removed, removed };
}

/**
 * Deletes what has been kept long enough, until nothing of it is left. Inputs, outcomes, events, deliveries and
 * attempts are kept for `days`, index verdicts and rank points for `historyDays`, test data for a week, idempotency
 * keys for a day, rate-limit windows until soon after their end, tokens for 90 days after they were revoked, activity
 * for 400 days, mails for 30. Batch rows with their counters, and the ledger, stay. Rows go one by one, or with their
 * partition once all of it is old enough. Each step is a transaction of its own, so no lock is held for long, and a
 * purge that is stopped loses one step at most. Returns what was removed.
 */
export async function purge(
  db: Db,
  retention: Retention,
  { pauseMs = 0, signal, stepped, stepMax = 1000 }: PurgeOptions = {},
): Promise<Purged> {
  const all = Object.keys(kinds) as Array<keyof typeof kinds>;
  const purged = Object.fromEntries([...all, 'partitions'].map((kind) => [kind, 0])) as unknown as Purged;
  for (const kind of all) {
    while (!signal?.aborted) {
      const { looked, removed } = await inTransaction(db, (trx) => kinds[kind](trx, retention, stepMax));
      purged[kind] += removed;
      // A step that removed nothing may still have moved on.
      if (looked === 0) break;
      await stepped?.();
      await sleep(pauseMs);
    }
  }
  if (!signal?.aborted) purged.partitions = (await dropExpired(db, keptIn(retention))).length;
  return purged;
}
