import { randomUUID } from 'node:crypto';
import type { CheckType } from '../../schemas/check-types.ts';
import { Random } from '../../test/support/random.ts';

/** A batch that ended; its inputs have the request ids from `firstId` on. */
export interface StoredBatch {
  accountId: number;
  batchId: string;
  type: CheckType;
  total: number;
  /** Of these no answer came: they are the last of each fifty. */
  failed: number;
  firstId: number;
  at: Date;
}

/** A single check, answered. */
export interface StoredCheck {
  accountId: number;
  requestId: number;
  at: Date;
}

/** What a service has behind it, each list in the order of time and of ids. */
export interface Past {
  /** The one that has a tenth of it all. */
  largest: number;
  batches: StoredBatch[];
  checks: StoredCheck[];
}

/** Results are kept for so many days. */
export const keptDays = 90;
/** What is older: so many groups, each a day older than the one before. */
export const expiredGroups = 13;

const dayMs = 86_400_000;
const sizes = [2000, 2000, 500, 500, 100, 20];
/** One in so many items is a single check. */
const singleShare = 100;
const inGroup = { batches: 10, items: 100, checks: 100 };

/** Every fiftieth gets no answer. */
export function hasFailed(position: number): boolean {
  return position % 50 === 49;
}

/**
 * A past of so many items in the last 89 days, and as many that have expired in each: the same whenever it is asked
 * for, but for ids of batches. Nothing of it is of the last three hours.
 */
export function makePast(accountIds: number[], items: number, nowMs = Date.now()): Past {
  const [largest = 0, ...others] = accountIds;
  const past: Past = { largest, batches: [], checks: [] };
  const numbers = new Random(20_261_123);
  const random = () => numbers.next();
  let nextId = 0;
  const take = (count: number, atMs: number) => {
    const first = Math.max(nextId, Math.floor(atMs * 10));
    nextId = first + count;
    return first;
  };
  const addBatch = (accountId: number, type: CheckType, total: number, atMs: number) => {
    const firstId = take(total, atMs);
    const failed = Math.floor(total / 50);
    const at = new Date(atMs);
    past.batches.push({ accountId, batchId: randomUUID(), type, total, failed, firstId, at });
  };
  const addCheck = (accountId: number, atMs: number) =>
    past.checks.push({ accountId, requestId: take(1, atMs), at: new Date(atMs) });

  for (let group = expiredGroups - 1; group >= 0; group--) {
    const atMs = nowMs - (keptDays + 0.5 + group) * dayMs;
    for (let n = 0; n < inGroup.batches; n++)
      addBatch(others[n] ?? largest, n % 2 ? 'http' : 'index', inGroup.items, atMs + n * 1000);
    for (let n = 0; n < inGroup.checks; n++) addCheck(others[n] ?? largest, atMs + 20_000 + n * 1000);
  }
  const beginMs = nowMs - (keptDays - 1) * dayMs;
  const untilMs = nowMs - dayMs / 8;
  for (let done = 0, debt = 0; done < items; ) {
    const atMs = beginMs + (untilMs - beginMs) * (done / items);
    const accountId = random() < 0.1 ? largest : (others[Math.floor(random() * others.length)] ?? largest);
    const kind = random();
    const type = kind < 0.6 ? 'http' : kind < 0.9 ? 'index' : 'keyword';
    const total = Math.min(sizes[Math.floor(random() * sizes.length)] ?? 1, items - done);
    addBatch(accountId, type, total, atMs);
    done += total;
    for (debt += total; debt >= singleShare && done < items; debt -= singleShare, done++)
      addCheck(random() < 0.1 ? largest : (others[Math.floor(random() * others.length)] ?? largest), atMs);
  }
  return past;
}
