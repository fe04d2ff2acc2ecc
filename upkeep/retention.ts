import { setTimeout as sleep } from 'node:timers/promises';
import * as monitorPurge from '../db/monitors/monitor-purge.ts';
import * as mailLinks from '../db/notifications/mail-links.ts';
import * as mails from '../db/notifications/mails.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import type { PurgeStep } from '../db/retention/expired.ts';
import * as expired from '../db/retention/expired.ts';
import { dropExpired } from '../db/retention/expired-partitions.ts';
import type { Retention } from '../db/retention/partitions.ts';

export interface PurgeResult {
  batches: number;
  singleChecks: number;
  /** Batches of test tokens, kept for a week. */
  testBatches: number;
  testChecks: number;
  idempotencyKeys: number;
  historyPoints: number;
  /** Points, changes, counts and runs of monitors. */
  monitorHistory: number;
  /** Deleted monitors with their subjects and runs. */
  deletedMonitors: number;
  /** Events, with their deliveries. */
  events: number;
  resultPages: number;
  rateLimits: number;
  revokedTokens: number;
  activity: number;
  mails: number;
  mailLinks: number;
  /** Partitions of items, chunks and history. */
  partitions: number;
}

export interface PurgeOptions {
  /** Pause after each step, for other users of the database. */
  pauseMs?: number;
  /** Stops the purge after the current step. The next purge continues. */
  signal?: AbortSignal;
  stepped?(): Promise<void>;
  /**
   * Maximum number of records that a step removes. The maximum for batches is a fiftieth, because a batch has many
   * rows.
   */
  stepMax?: number;
}

// In this time, the account can find out that a revoked token is still in use.
const revokedDays = 90;
// A year, and about a month to review that year.
const activityDays = 400;
const mailDays = 30;

type Step = (trx: Trx, retention: Retention, stepMax: number) => Promise<PurgeStep>;

const kinds: Record<Exclude<keyof PurgeResult, 'partitions'>, Step> = {
  batches: (trx, { days }, stepMax) => toStep(expired.purgeBatches(trx, days, Math.ceil(stepMax / 50))),
  singleChecks: (trx, { days }, stepMax) => toStep(expired.purgeSingleChecks(trx, days, stepMax)),
  testBatches: (trx, { days }, stepMax) =>
    toStep(expired.purgeTestBatches(trx, days, Math.ceil(stepMax / 50))),
  testChecks: (trx, { days }, stepMax) => toStep(expired.purgeTestChecks(trx, days, stepMax)),
  idempotencyKeys: (trx, _, stepMax) => toStep(expired.purgeKeys(trx, stepMax)),
  historyPoints: (trx, { historyDays }, stepMax) => toStep(expired.purgeHistory(trx, historyDays, stepMax)),
  monitorHistory: (trx, { historyDays }, stepMax) => monitorPurge.purgeHistory(trx, historyDays, stepMax),
  deletedMonitors: (trx, _, stepMax) => monitorPurge.purgeDeleted(trx, stepMax),
  events: (trx, { days }, stepMax) => toStep(expired.purgeEvents(trx, days, stepMax)),
  resultPages: (trx, { days }, stepMax) => toStep(expired.purgeResultPages(trx, days, stepMax)),
  rateLimits: (trx, _, stepMax) => toStep(expired.purgeRateLimits(trx, stepMax)),
  revokedTokens: (trx, _, stepMax) => toStep(expired.purgeTokens(trx, revokedDays, stepMax)),
  activity: (trx, _, stepMax) => toStep(expired.purgeActivity(trx, activityDays, stepMax)),
  mails: (trx, _, stepMax) => toStep(mails.purge(trx, mailDays, stepMax)),
  mailLinks: (trx, _, stepMax) => toStep(mailLinks.purge(trx, stepMax)),
};

/** Converts a number of removed rows to a step that skips no rows. */
async function toStep(removing: Promise<number>): Promise<PurgeStep> {
  const removed = await removing;
  return { examined: removed, removed };
}

/**
 * Deletes all expired records. The ledger, and batch rows with their counters, stay. Rows are deleted one by one, or
 * with their partition if all rows of the partition have expired. Each step is a separate transaction, so that no lock
 * is held for long.
 */
export async function purge(
  db: Db,
  retention: Retention,
  { pauseMs = 0, signal, stepped, stepMax = 1000 }: PurgeOptions = {},
): Promise<PurgeResult> {
  const names = Object.keys(kinds) as Array<keyof typeof kinds>;
  const purged = Object.fromEntries(
    [...names, 'partitions'].map((kind) => [kind, 0]),
  ) as unknown as PurgeResult;
  for (const kind of names) {
    while (!signal?.aborted) {
      const { examined, removed } = await inTransaction(db, (trx) => kinds[kind](trx, retention, stepMax));
      purged[kind] += removed;
      // A step that removed nothing may have skipped rows.
      if (examined === 0) break;
      await stepped?.();
      await sleep(pauseMs);
    }
  }
  if (!signal?.aborted) purged.partitions = (await dropExpired(db, retention)).length;
  return purged;
}
