import { groupsOf } from '../db/accounts/account-groups.ts';
import type { LedgerFault } from '../db/ledger/ledger-checks.ts';
import * as faults from '../db/ledger/ledger-faults.ts';
import * as marks from '../db/ledger/ledger-marks.ts';
import { faultsOf, moments, touchedSince } from '../db/ledger/ledger-recent.ts';
import { type Db, inSnapshot, inTransaction, type Trx } from '../db/postgres/connect.ts';
import * as chores from '../db/queue/chores.ts';

/** What is known of the books; the same for every process that asks. */
export interface LedgerState {
  /** True while no fault is known that has not been mended. */
  ok: boolean;
  verifiedAt: Date;
}

export interface Watched extends LedgerState {
  /** Accounts that something was written for, and how many entries those were. */
  accounts: number;
  entries: number;
  /** All that is known and not mended, whenever it was found; a hundred at most. */
  faults: faults.KeptFault[];
}

export const ledgerChore = 'verify-ledger';

const knownMax = 1000;
const toldMax = 100;

/**
 * Verifies what was written since the last run that came to its end: ledger entries after the last verified one
 * of their account, the batches and single checks that they are for, batches that ended, single checks that were
 * begun. Looks again at every fault that is known: an alarm stays until the books are mended. Errors: as the
 * database throws them; then the last result stands, with its old moment.
 */
export async function watchLedger(db: Db): Promise<Watched> {
  const last = (await chores.lastResult(db, ledgerChore)) as { verifiedAt: string } | null;
  const seen = await inSnapshot(db, (trx) => look(trx, last && new Date(last.verifiedAt)));
  const { verifiedAt, stretches, known, found } = seen;
  await inTransaction(db, async (trx) => {
    await faults.keep(trx, found);
    await faults.forget(trx, faults.without(known, found));
    await marks.advance(
      trx,
      stretches.filter(({ accountId }) => !isAltered(found, accountId)),
    );
  });
  const told = await faults.list(db, toldMax);
  const ok = told.length === 0;
  await chores.noteResult(db, ledgerChore, { ok, verifiedAt, faults: told });
  const entries = stretches.reduce((sum, { fromNo, toNo }) => sum + Math.max(0, toNo - fromNo), 0);
  return { ok, verifiedAt, accounts: stretches.length, entries, faults: told };
}

/** Null when no run has ended yet. */
export async function ledgerState(db: Db): Promise<LedgerState | null> {
  const kept = (await chores.lastResult(db, ledgerChore)) as { ok: boolean; verifiedAt: string } | null;
  // The full pass may have found something since.
  return kept && { ok: kept.ok && !(await faults.areThere(db)), verifiedAt: new Date(kept.verifiedAt) };
}

async function look(trx: Trx, last: Date | null) {
  const { now: verifiedAt, since } = await moments(trx, last);
  const stretches = await marks.unverified(trx, since);
  const known = await faults.list(trx, knownMax);
  const touched = await touchedSince(trx, since);
  const groups = await groupsOf(trx, accountsOf([...stretches, ...known, ...touched]));
  const found: LedgerFault[] = [];
  for (const accountIds of groups) {
    const ids = new Set(accountIds);
    const here = <T extends { accountId: number }>(all: T[]) => all.filter((one) => ids.has(one.accountId));
    found.push(...(await faultsOf(trx, accountIds, here(stretches), here(touched))));
    found.push(...(await faults.stillThere(trx, here(known))));
  }
  return { verifiedAt, stretches, known, found: faults.distinct(found) };
}

function accountsOf(all: { accountId: number }[]): number[] {
  return all.map(({ accountId }) => accountId);
}

function isAltered(found: LedgerFault[], accountId: number): boolean {
  return found.some((fault) => fault.what === 'verified_balance' && fault.accountId === accountId);
}
