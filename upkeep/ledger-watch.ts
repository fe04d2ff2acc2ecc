import * as proofs from '../db/ledger/proofs.ts';
import { now } from '../db/postgres/clock.ts';
import type { Db } from '../db/postgres/connect.ts';
import * as chores from '../db/queue/chores.ts';

/** Visits the accounts that were touched since its last run, and those with an alarm. */
export const touchedChore = 'verify-touched';
/** Visits all accounts, one after the other. */
export const everythingChore = 'verify-everything';

// Rows carry the moment at which their transaction began. Transactions end within half of this.
const overlapMs = 60_000;
// After a longer break, `verifyEverything` finds what is older.
const lookBackMs = 3600_000;
const faultsMax = 100;
// A small account costs a few statements, so that many of them are no short work either.
const rowsPerStepMin = 300;

interface Touched {
  /** ISO 8601, by Postgres's clock. */
  verifiedAt: string;
}

/** How far the visit of all accounts has come. */
interface Everything {
  beganAt: string;
  /** When the last complete round began; null before the first. */
  verifiedAt: string | null;
  /** Null while it rests. */
  at: Position | null;
}

/** A position, and whether the visit of this account found nothing so far. */
type Position = proofs.Position & { isClean: boolean };

export interface WatchOptions {
  signal?: AbortSignal;
  /** Rows that one step reads. */
  stepRowsMax?: number;
}

/**
 * Visits the accounts that were touched since the last run that came to its end. Returns the first hundred faults.
 * A run that is stopped or fails is done again from its beginning.
 */
export async function verifyTouched(db: Db, options: WatchOptions = {}): Promise<proofs.LedgerFault[]> {
  const last = (await chores.lastResult(db, touchedChore)) as Touched | null;
  const began = await now(db);
  const since = Math.max(began.getTime() - lookBackMs, last ? Date.parse(last.verifiedAt) - overlapMs : 0);
  const faults: proofs.LedgerFault[] = [];
  for (const accountId of await proofs.findTouched(db, new Date(since))) {
    for (let at: Position | null = startOf(accountId); at; ) {
      if (options.signal?.aborted) return faults;
      const step = await visit(db, at, options);
      faults.push(...step.faults.slice(0, faultsMax - faults.length));
      at = step.next;
      await chores.renew(db, touchedChore);
    }
  }
  await chores.noteResult(db, touchedChore, { verifiedAt: began.toISOString() } satisfies Touched);
  return faults;
}

/**
 * Continues the visit of all accounts, by about `rowsMax` rows. Where it stands is stored after each step. A round
 * begins `everySeconds` after the previous one began, or when that has ended. Returns the first hundred faults.
 */
export async function verifyEverything(
  db: Db,
  options: WatchOptions & { rowsMax?: number; everySeconds?: number } = {},
): Promise<proofs.LedgerFault[]> {
  const { rowsMax = 100_000, everySeconds = 21_600, signal } = options;
  const last = (await chores.lastResult(db, everythingChore)) as Everything | null;
  const began = await now(db);
  if (last && !last.at && began.getTime() < Date.parse(last.beganAt) + everySeconds * 1000) return [];
  const state: Everything = last?.at
    ? last
    : { beganAt: began.toISOString(), verifiedAt: last?.verifiedAt ?? null, at: await accountAfter(db, 0) };
  const faults: proofs.LedgerFault[] = [];
  for (let rows = 0; rows < rowsMax && state.at && !signal?.aborted; ) {
    const step = await visit(db, state.at, options);
    rows += Math.max(step.rows, rowsPerStepMin);
    faults.push(...step.faults.slice(0, faultsMax - faults.length));
    state.at = step.next ?? (await accountAfter(db, state.at.accountId));
    if (!state.at) state.verifiedAt = state.beganAt;
    await chores.noteResult(db, everythingChore, state);
  }
  return faults;
}

/** What is known of the ledger; the same in every process. */
export interface LedgerState {
  /** False while the last visit of any account found a fault. */
  ok: boolean;
  /** When the last complete visit of the touched accounts began. */
  verifiedAt: Date;
  /** When the last complete visit of all accounts began; null before the first. */
  everythingVerifiedAt: Date | null;
}

/** Null before the first complete visit of the touched accounts. */
export async function ledgerState(db: Db): Promise<LedgerState | null> {
  const touched = (await chores.lastResult(db, touchedChore)) as Touched | null;
  if (!touched) return null;
  const everything = (await chores.lastResult(db, everythingChore)) as Everything | null;
  return {
    ok: (await proofs.findFaulty(db)).length === 0,
    verifiedAt: new Date(touched.verifiedAt),
    everythingVerifiedAt: everything?.verifiedAt ? new Date(everything.verifiedAt) : null,
  };
}

/** Takes a step of a visit. The first fault sets the account's alarm, the end of a visit without one clears it. */
async function visit(db: Db, { isClean, ...from }: Position, { stepRowsMax }: WatchOptions) {
  const { rows, faults, next } = await proofs.step(db, from, stepRowsMax);
  const isStillClean = isClean && faults.length === 0;
  if (faults.length > 0) await proofs.setAlarm(db, from.accountId, true);
  else if (!next && isStillClean) await proofs.setAlarm(db, from.accountId, false);
  return { rows, faults, next: next && { ...next, isClean: isStillClean } };
}

function startOf(accountId: number): Position {
  return { ...proofs.startOf(accountId), isClean: true };
}

async function accountAfter(db: Db, accountId: number): Promise<Position | null> {
  const next = await proofs.accountAfter(db, accountId);
  return next === null ? null : startOf(next);
}
