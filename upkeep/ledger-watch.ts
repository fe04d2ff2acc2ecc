import { sql } from 'kysely';
import { groupsOf } from '../db/account-groups.ts';
import * as chores from '../db/chores.ts';
import { type Db, inSnapshot, inTransaction, type Trx } from '../db/connect.ts';
import * as checks from '../db/ledger-checks.ts';
import * as faults from '../db/ledger-faults.ts';
import * as marks from '../db/ledger-marks.ts';
import type { Discrepancy } from '../db/ledger-verify.ts';
import { distinct, stillThere, without } from './ledger-faults.ts';

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
  discrepancies: Discrepancy[];
}

export const ledgerChore = 'verify-ledger';

// Rows carry the moment their transaction began; ours end within half of this.
const overlap = sql`interval '60 seconds'`;
// After a longer time without anybody who watched, the full pass finds what is older.
const lookBack = sql`interval '1 hour'`;
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
    await faults.forget(trx, without(known, found));
    await marks.advance(
      trx,
      stretches.filter(({ accountId }) => !isAltered(found, accountId)),
    );
  });
  const discrepancies = (await faults.list(db, toldMax)).map(({ subject: _, ...told }) => told);
  const ok = discrepancies.length === 0;
  await chores.noteResult(db, ledgerChore, { ok, verifiedAt, discrepancies });
  const entries = stretches.reduce((sum, { fromNo, toNo }) => sum + Math.max(0, toNo - fromNo), 0);
  return { ok, verifiedAt, accounts: stretches.length, entries, discrepancies };
}

/** Null when no run has ended yet. */
export async function ledgerState(db: Db): Promise<LedgerState | null> {
  const kept = (await chores.lastResult(db, ledgerChore)) as { ok: boolean; verifiedAt: string } | null;
  // The full pass may have found something since.
  return kept && { ok: kept.ok && !(await faults.areThere(db)), verifiedAt: new Date(kept.verifiedAt) };
}

async function look(trx: Trx, last: Date | null) {
  const { rows } = await sql<{ verifiedAt: Date; since: Date }>`
    select now() as verified_at, greatest(${last}::timestamptz - ${overlap}, now() - ${lookBack}) as since
    `.execute(trx);
  const { verifiedAt = new Date(), since = new Date() } = rows[0] ?? {};
  const stretches = await marks.unverified(trx, since);
  const known = await faults.list(trx, knownMax);
  const touched = await touchedSince(trx, since);
  const groups = await groupsOf(trx, accountsOf([...stretches, ...known, ...touched]));
  const found: checks.Fault[] = [];
  for (const accountIds of groups) {
    const ids = new Set(accountIds);
    const here = <T extends { accountId: number }>(all: T[]) => all.filter((one) => ids.has(one.accountId));
    found.push(...(await findNew(trx, accountIds, here(stretches), here(touched))));
    found.push(...(await stillThere(trx, here(known))));
  }
  return { verifiedAt, stretches, known, found: distinct(found) };
}

interface Touched {
  accountId: number;
  batchId: string | null;
  requestId: number | null;
}

/** Batches that ended since a moment, and single checks begun: an answer moves counters, but no credits. */
async function touchedSince(trx: Trx, since: Date): Promise<Touched[]> {
  const { rows } = await sql<Touched>`
    select account_id, batch_id, null::bigint as request_id from batches
      where purged_at is null and completed_at >= ${since}
    union all
    select account_id, null::uuid, chunk_id from chunks where batch_id is null and created_at >= ${since}
    `.execute(trx);
  return rows;
}

async function findNew(
  trx: Trx,
  accountIds: number[],
  stretches: checks.Stretch[],
  touched: Touched[],
): Promise<checks.Fault[]> {
  const batches = touched.filter(({ batchId }) => batchId !== null);
  const singles = touched.filter(({ requestId }) => requestId !== null);
  const entries = checks.entriesOf(stretches, accountIds);
  return [
    ...(await checks.alteredMarks(trx, accountIds)),
    ...(await checks.brokenChains(trx, stretches)),
    ...(await checks.wrongBalances(trx, accountIds)),
    ...(await checks.wrongBatches(trx, {
      accountIds,
      query: sql`select entry.account_id, batch_id from ${entries} where batch_id is not null
        union select * from unnest(${accountsOf(batches)}::bigint[], ${batches.map((one) => one.batchId)}::uuid[])`,
    })),
    ...(await checks.wrongSingleChecks(trx, {
      accountIds,
      query: sql`select entry.account_id, request_id from ${entries} where request_id is not null
        union select * from unnest(${accountsOf(singles)}::bigint[], ${singles.map((one) => one.requestId)}::bigint[])`,
    })),
  ];
}

function accountsOf(all: { accountId: number }[]): number[] {
  return all.map(({ accountId }) => accountId);
}

function isAltered(found: checks.Fault[], accountId: number): boolean {
  return found.some((fault) => fault.what === 'verified_balance' && fault.accountId === accountId);
}
