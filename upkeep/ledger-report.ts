import type { LedgerFault } from '../db/ledger/ledger-checks.ts';
import * as faults from '../db/ledger/ledger-faults.ts';
import { type Verification, verify } from '../db/ledger/ledger-verify.ts';
import { type Db, inSnapshot } from '../db/postgres/connect.ts';
import { type Pass, passState } from './ledger-pass.ts';

/** A fault that is on record, whichever look found it, with what an operator does about it. */
export interface KnownFault extends faults.KeptFault {
  toDo: string;
}

export interface LedgerReport extends Verification {
  /** On record since they were found; a hundred at most. The alarm stays while there is one. */
  known: KnownFault[];
  /** Null before the first pass over everything. */
  pass: Pass | null;
}

const knownMax = 100;

/** What a look at accounts finds now, and all that is on record of any account: `ok` when both are nothing. */
export async function reportLedger(db: Db, accountIds: number[] | 'all'): Promise<LedgerReport> {
  const verification = await verify(db, accountIds);
  const known = await knownFaults(db);
  return { ...verification, ok: verification.ok && known.length === 0, known, pass: await passState(db) };
}

function knownFaults(db: Db): Promise<KnownFault[]> {
  return inSnapshot(db, async (trx) => {
    const kept = await faults.list(trx, knownMax);
    const mended = new Set(faults.without(kept, await faults.stillThere(trx, kept)));
    return kept.map((fault) => ({ ...fault, toDo: mended.has(fault) ? whenMended : remedies[fault.what] }));
  });
}

const whenMended = 'It is mended: the next look, within five minutes, takes it off the record.';

const remedies: Record<LedgerFault['what'], string> = {
  balance:
    'The credits or the count of entries of the account were changed past the ledger: set both to its last entry.',
  running_sum: 'This entry, or one before it, was altered or is missing: put it back from a backup.',
  verified_balance: 'An entry was altered after it was verified: put it back from a backup.',
  batch_credits:
    'Charges less refunds of the batch are not its answers: compare both with a backup, and put back what differs.',
  batch_items: 'The batch counts other items than it keeps: put back from a backup what differs.',
  single_checks: 'The check was paid for and not answered, or the reverse: compare with a backup.',
};
