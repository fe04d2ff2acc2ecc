import * as faults from '../db/ledger/ledger-faults.ts';
import { accountAfter, countAccounts, parts } from '../db/ledger/ledger-parts.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import { isContention, isTimeOut } from '../db/postgres/trouble.ts';
import * as chores from '../db/queue/chores.ts';

/** How far a pass has come, as it is kept between steps; JSON. */
export interface Pass {
  /** When it began, in ISO 8601. */
  beganAt: string;
  /** When it had seen everything; null while it goes on. */
  endedAt: string | null;
  /** Accounts there were when it began, and those it is done with. */
  accounts: number;
  accountsDone: number;
  rows: number;
  /** What it found, mended or not. */
  faults: number;
  /** The account it is at, the part of its books, and the place in that after which it goes on. */
  accountId: number;
  part: number;
  after: string;
  /** When the pass before it had seen everything; null when this is the first. */
  previousEndedAt: string | null;
}

export interface PassOptions {
  /** The work of one call, which may go beyond it by one step, and of one step, which is a transaction. */
  rowsMax?: number;
  stepRowsMax?: number;
  /** A pass begins this long after the one before it began, or when that has ended. */
  everySeconds?: number;
  signal?: AbortSignal;
}

export const passChore = 'verify-everything';

// Whatever is asked for costs a statement or two, so that many small accounts are no short work either.
const pieceRowsMin = 100;

/**
 * Goes on with verifying everything, old and new, a bounded piece of it at each call: accounts one after the other,
 * of each the entries, the batches, the single checks. Where it is stands in the database after each step, so that it
 * outlives its process, and whoever is at a step keeps others from it. Faults are kept and stay until mended.
 * Answers a pass that has ended by this call; null otherwise.
 */
export async function goOn(
  db: Db,
  { rowsMax = 100_000, stepRowsMax = 10_000, everySeconds = 21_600, signal }: PassOptions = {},
): Promise<Pass | null> {
  for (let rows = 0; rows < rowsMax && !signal?.aborted; ) {
    const taken = await step(db, stepRowsMax, everySeconds);
    if (taken === null) return null;
    if (taken.pass.endedAt !== null) return taken.pass;
    rows += taken.cost;
  }
  return null;
}

/** Where the pass is; null before the first one. */
export async function passState(db: Db): Promise<Pass | null> {
  return ((await chores.lastResult(db, passChore)) as Pass | null) ?? null;
}

/** How much of the accounts a pass has been through, from 0 to 1, and when all were last seen; null: never. */
export function progressOf(pass: Pass | null): { done: number; endedAt: Date | null } {
  if (!pass) return { done: 0, endedAt: null };
  const { accounts, accountsDone, endedAt, previousEndedAt } = pass;
  const last = endedAt ?? previousEndedAt;
  return {
    done: endedAt ? 1 : Math.min(1, accountsDone / accounts),
    endedAt: last === null ? null : new Date(last),
  };
}

/**
 * Null when there is nothing to do now, or somebody else is at it. Smaller where the database has no time for all of
 * it; throws when it has none for the least.
 */
async function step(
  db: Db,
  stepRowsMax: number,
  everySeconds: number,
): Promise<{ pass: Pass; cost: number } | null> {
  const act = async (trx: Trx) => {
    const held = await chores.hold(trx, passChore);
    if (!held) return null;
    const pass = await current(trx, held.result as Pass | null, held.now, everySeconds);
    if (!pass) return null;
    const cost = await take(trx, pass, held.now, stepRowsMax);
    await chores.noteResult(trx, passChore, pass);
    return { pass, cost };
  };
  return inTransaction(db, act, { seesOneMoment: true }).catch((error) => {
    if (isTimeOut(error) && stepRowsMax > pieceRowsMin)
      return step(db, Math.ceil(stepRowsMax / 4), everySeconds);
    if (isContention(error) && !isTimeOut(error)) return null;
    throw error;
  });
}

async function current(trx: Trx, last: Pass | null, now: Date, everySeconds: number): Promise<Pass | null> {
  if (last?.endedAt === null) return last;
  if (last && now.getTime() < Date.parse(last.beganAt) + everySeconds * 1000) return null;
  return {
    beganAt: now.toISOString(),
    endedAt: null,
    accounts: await countAccounts(trx),
    accountsDone: 0,
    rows: 0,
    faults: 0,
    accountId: (await accountAfter(trx, 0)) ?? 0,
    part: 0,
    after: '',
    previousEndedAt: last?.endedAt ?? null,
  };
}

/** Moves a pass on by a step, or to its end, and answers what that cost. */
async function take(trx: Trx, pass: Pass, now: Date, stepRowsMax: number): Promise<number> {
  let cost = 0;
  while (cost < stepRowsMax && pass.endedAt === null) {
    const read = parts[pass.part];
    if (read && pass.accountId > 0) {
      const piece = await read(trx, pass.accountId, pass.after, stepRowsMax);
      const found = faults.distinct(piece.faults);
      await faults.keep(trx, found);
      pass.rows += piece.rows;
      pass.faults += found.length;
      pass.after = piece.next ?? '';
      if (piece.next === null) pass.part += 1;
      cost += Math.max(piece.rows, pieceRowsMin);
    } else {
      await nextAccount(trx, pass, now);
    }
  }
  return cost;
}

async function nextAccount(trx: Trx, pass: Pass, now: Date): Promise<void> {
  const accountId = await accountAfter(trx, pass.accountId);
  if (pass.accountId > 0) pass.accountsDone += 1;
  if (accountId === null) pass.endedAt = now.toISOString();
  else Object.assign(pass, { accountId, part: 0, after: '' });
}
