import { setTimeout as pause } from 'node:timers/promises';

/** Accounts that asked so long before some work began count as there while it is done. */
const companyMs = 1000;
/** Longer than any of them takes on a machine that is not overrun. */
const restMaxMs = 400;

let last = { accountId: 0, atMs: Number.NEGATIVE_INFINITY };
/** When somebody else than the last one asked last. */
let otherAtMs = Number.NEGATIVE_INFINITY;

/** Notes that an account asks something of this process, in milliseconds as `performance.now()` counts them. */
export function noteAsking(accountId: number, atMs = performance.now()): void {
  if (accountId !== last.accountId) otherAtMs = last.atMs;
  last = { accountId, atMs };
}

/**
 * For how many milliseconds an account's next long work is to wait after one that began then: as long as that took,
 * while others ask too. An account that always has something long to do has half of the time so, and whoever asks for
 * little finds a core free; one that is alone does not wait. Being first in a line is not enough for that, for with
 * the end of one piece the next one begins.
 */
export function restMs(accountId: number, beganMs: number, nowMs = performance.now()): number {
  const othersAtMs = accountId === last.accountId ? otherAtMs : last.atMs;
  if (othersAtMs < beganMs - companyMs) return 0;
  return Math.min(nowMs - beganMs, restMaxMs);
}

/** Waits for that long. */
export async function rest(accountId: number, beganMs: number): Promise<void> {
  const ms = restMs(accountId, beganMs);
  if (ms > 0) await pause(ms);
}
