import * as chores from '../db/chores.ts';
import type { Db } from '../db/connect.ts';
import { type Discrepancy, touchedSince, type Verification, verify } from '../db/ledger-verify.ts';

/** What the scheduled verification found last; the same for every process that asks. */
export interface LedgerState {
  ok: boolean;
  verifiedAt: Date;
  discrepancies: Discrepancy[];
}

export const ledgerChore = 'verify-ledger';

// Rows carry the moment their transaction began; ours end within half of this.
const overlapMs = 60_000;

/**
 * Verifies the accounts touched since the last run that came to its end, and those that did not add up then:
 * an alarm stays until the books are mended. The first run looks at everything. Errors: as the database
 * throws them; then the last result stands, with its old moment.
 */
export async function watchLedger(db: Db): Promise<Verification> {
  const last = await ledgerState(db);
  const verification = await verify(db, last ? await dueSince(db, last) : 'all');
  const { ok, verifiedAt, discrepancies } = verification;
  await chores.noteResult(db, ledgerChore, { ok, verifiedAt, discrepancies });
  return verification;
}

/** Null when no verification has ended yet. */
export async function ledgerState(db: Db): Promise<LedgerState | null> {
  const kept = (await chores.lastResult(db, ledgerChore)) as KeptState | null;
  return kept && { ...kept, verifiedAt: new Date(kept.verifiedAt) };
}

type KeptState = Omit<LedgerState, 'verifiedAt'> & { verifiedAt: string };

async function dueSince(db: Db, { verifiedAt, discrepancies }: LedgerState): Promise<number[]> {
  const touched = await touchedSince(db, new Date(verifiedAt.getTime() - overlapMs));
  return [...new Set([...touched, ...discrepancies.map(({ accountId }) => accountId)])];
}
