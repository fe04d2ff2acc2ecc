import * as proofs from '../db/ledger/verification.ts';
import { now } from '../db/postgres/clock.ts';
import type { Db } from '../db/postgres/connect.ts';
import * as chores from '../db/queue/chores.ts';

/** Chore for the accounts that changed since its last run, and for accounts with an alarm. */
export const changedAccountsChore = 'verify-changed';
export const allAccountsChore = 'verify-all';

// Changes in this time before the last run are verified again. A row has the start time of its transaction, but becomes
// visible only at the commit. A transaction takes at most half of this time.
const overlapMs = 60_000;
// Maximum age of the changes that `verifyChangedAccounts` looks for. `verifyAllAccounts` covers older changes.
const lookBackMs = 3600_000;
const faultsMax = 100;
// Minimum number of rows counted per step, because even a small account costs a few statements.
const rowsPerStepMin = 300;

interface ChangedState {
  /** ISO 8601, by Postgres's clock. */
  verifiedAt: string;
}

interface AllState {
  beganAt: string;
  /** Start of the last complete round; null before the first complete round. */
  verifiedAt: string | null;
  /** Null between two rounds. */
  at: Position | null;
}

/** A position in an account. `isClean` is true if no fault was found up to this position. */
type Position = proofs.VerificationPosition & { isClean: boolean };

interface VerifyOptions {
  signal?: AbortSignal;
  stepRowsMax?: number;
}

/**
 * Verifies the accounts that changed since the last complete run. Returns the first hundred faults. If a run is stopped
 * or fails, the next run starts from the beginning.
 */
export async function verifyChangedAccounts(
  db: Db,
  options: VerifyOptions = {},
): Promise<proofs.LedgerFault[]> {
  const last = (await chores.findResult(db, changedAccountsChore)) as ChangedState | null;
  const began = await now(db);
  const since = Math.max(began.getTime() - lookBackMs, last ? Date.parse(last.verifiedAt) - overlapMs : 0);
  const faults: proofs.LedgerFault[] = [];
  for (const accountId of await proofs.findChanged(db, new Date(since))) {
    for (let at: Position | null = startPosition(accountId); at; ) {
      if (options.signal?.aborted) return faults;
      const step = await verifyStep(db, at, options);
      faults.push(...step.faults.slice(0, faultsMax - faults.length));
      at = step.next;
      await chores.renew(db, changedAccountsChore);
    }
  }
  await chores.saveResult(db, changedAccountsChore, {
    verifiedAt: began.toISOString(),
  } satisfies ChangedState);
  return faults;
}

/**
 * Continues the verification of all accounts by about `rowsMax` rows, and stores the position after each step. A round
 * covers every account once. Rounds start `everySeconds` apart, or later if the previous round has not ended. Returns
 * the first hundred faults.
 */
export async function verifyAllAccounts(
  db: Db,
  options: VerifyOptions & { rowsMax?: number; everySeconds?: number } = {},
): Promise<proofs.LedgerFault[]> {
  const { rowsMax = 100_000, everySeconds = 21_600, signal } = options;
  const last = (await chores.findResult(db, allAccountsChore)) as AllState | null;
  const began = await now(db);
  if (last && !last.at && began.getTime() < Date.parse(last.beganAt) + everySeconds * 1000) return [];
  const state: AllState = last?.at
    ? last
    : { beganAt: began.toISOString(), verifiedAt: last?.verifiedAt ?? null, at: await nextAccount(db, 0) };
  const faults: proofs.LedgerFault[] = [];
  for (let rows = 0; rows < rowsMax && state.at && !signal?.aborted; ) {
    const step = await verifyStep(db, state.at, options);
    rows += Math.max(step.rows, rowsPerStepMin);
    faults.push(...step.faults.slice(0, faultsMax - faults.length));
    state.at = step.next ?? (await nextAccount(db, state.at.accountId));
    if (!state.at) state.verifiedAt = state.beganAt;
    await chores.saveResult(db, allAccountsChore, state);
  }
  return faults;
}

/** Result of the verifications, shared by all processes. */
interface LedgerState {
  /** False if the last verification of any account found a fault. */
  ok: boolean;
  /** Start of the last complete verification of changed accounts. */
  verifiedAt: Date;
  /** Start of the last complete verification of all accounts; null before the first complete verification. */
  allVerifiedAt: Date | null;
}

/** Returns null before the first complete verification of changed accounts. */
export async function findLedgerState(db: Db): Promise<LedgerState | null> {
  const changed = (await chores.findResult(db, changedAccountsChore)) as ChangedState | null;
  if (!changed) return null;
  const all = (await chores.findResult(db, allAccountsChore)) as AllState | null;
  return {
    ok: (await proofs.findFaulty(db)).length === 0,
    verifiedAt: new Date(changed.verifiedAt),
    allVerifiedAt: all?.verifiedAt ? new Date(all.verifiedAt) : null,
  };
}

/**
 * Verifies one step of an account. A fault sets the account's alarm. A complete verification without faults clears the
 * alarm.
 */
async function verifyStep(db: Db, { isClean, ...from }: Position, { stepRowsMax }: VerifyOptions) {
  const { rows, faults, next } = await proofs.verifyStep(db, from, stepRowsMax);
  const isStillClean = isClean && faults.length === 0;
  if (faults.length > 0) await proofs.setAlarm(db, from.accountId, true);
  else if (!next && isStillClean) await proofs.setAlarm(db, from.accountId, false);
  return { rows, faults, next: next && { ...next, isClean: isStillClean } };
}

function startPosition(accountId: number): Position {
  return { ...proofs.startPosition(accountId), isClean: true };
}

async function nextAccount(db: Db, accountId: number): Promise<Position | null> {
  const next = await proofs.nextAccount(db, accountId);
  return next === null ? null : startPosition(next);
}
