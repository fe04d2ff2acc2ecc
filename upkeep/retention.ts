import { setTimeout as sleep } from 'node:timers/promises';
import * as monitorPurge from '../db/monitors/monitor-purge.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import type { PurgeStep } from '../db/retention/expired.ts';
import * as expired from '../db/retention/expired.ts';
import { dropExpired } from '../db/retention/expired-partitions.ts';
import type { Retention } from '../db/retention/partitions.ts';

interface PurgeOptions {
  /** Pause after each step, for other users of the database. */
  pauseMs?: number;
  /** Stops the purge after the current step. The next purge continues. */
  signal?: AbortSignal;
  stepped?(): Promise<void>;
  /**
   * Maximum number of records that a step removes. A step removes at most a fiftieth as many batches, because a batch
   * has many rows.
   */
  stepMax?: number;
}

type Step = (trx: Trx, retention: Retention, stepMax: number) => Promise<number | PurgeStep>;

const kinds = {
  batches: (trx, { days }, stepMax) =>
    expired.purgeBatches(trx, days, Math.ceil(stepMax / 50), { isTest: false }),
  singleChecks: (trx, { days }, stepMax) => expired.purgeSingleChecks(trx, days, stepMax, { isTest: false }),
  testBatches: (trx, { days }, stepMax) =>
    expired.purgeBatches(trx, days, Math.ceil(stepMax / 50), { isTest: true }),
  testChecks: (trx, { days }, stepMax) => expired.purgeSingleChecks(trx, days, stepMax, { isTest: true }),
  idempotencyKeys: (trx, _, stepMax) => expired.purgeKeys(trx, stepMax),
  historyPoints: (trx, { historyDays }, stepMax) => expired.purgeHistory(trx, historyDays, stepMax),
  /** Points, changes, counts and runs of monitors. */
  monitorHistory: (trx, { historyDays }, stepMax) => monitorPurge.purgeHistory(trx, historyDays, stepMax),
  /** Deleted monitors with their subjects, runs and annotations. */
  deletedMonitors: (trx, _, stepMax) => monitorPurge.purgeDeleted(trx, stepMax),
  /** Events, with their deliveries. */
  events: (trx, { days }, stepMax) => expired.purgeEvents(trx, days, stepMax),
  resultPages: (trx, { days }, stepMax) => expired.purgeResultPages(trx, days, stepMax),
  rateLimits: (trx, _, stepMax) => expired.purgeLocal(trx, 'rateLimits', stepMax),
  revokedTokens: (trx, _, stepMax) => expired.purgeLocal(trx, 'revokedTokens', stepMax),
  activity: (trx, _, stepMax) => expired.purgeLocal(trx, 'activity', stepMax),
  mails: (trx, _, stepMax) => expired.purgeLocal(trx, 'mails', stepMax),
  mailLinks: (trx, _, stepMax) => expired.purgeLocal(trx, 'mailLinks', stepMax),
} satisfies Record<string, Step>;

/** Number of removed records. `partitions`: dropped partitions of items, chunks and history. */
type PurgeResult = Record<keyof typeof kinds | 'partitions', number>;

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
      const step = await inTransaction(db, (trx) => (kinds[kind] as Step)(trx, retention, stepMax));
      const { examined, removed } = typeof step === 'number' ? { examined: step, removed: step } : step;
      purged[kind] += removed;
      // A step that removed nothing may have skipped rows. The next step then examines other rows.
      if (examined === 0) break;
      await stepped?.();
      await sleep(pauseMs);
    }
  }
  if (!signal?.aborted) purged.partitions = (await dropExpired(db, retention)).length;
  return purged;
}
