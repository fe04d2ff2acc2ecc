import type { PgBoss } from 'pg-boss';
import { cancel } from '../batches/cancel.ts';
import * as accounts from '../db/accounts.ts';
import { perform } from '../db/act.ts';
import { listOpen } from '../db/batch-lists.ts';
import { type Db, inTransaction } from '../db/connect.ts';

const openMax = 100;

/**
 * Ends an account for good: what is open is canceled and refunded, its users, sessions and tokens are erased. The
 * ledger and the batches stay, and name nobody; results go with their retention. One transaction a step, so it may be
 * done again by whoever saw it fail.
 */
export async function close(db: Db, boss: PgBoss, accountId: number): Promise<void> {
  // First, while its holder can still ask again if it fails; and once more for what was accepted meanwhile.
  await cancelAll(db, boss, accountId);
  await inTransaction(db, (trx) => accounts.erasePeople(trx, accountId));
  await cancelAll(db, boss, accountId);
}

async function cancelAll(db: Db, boss: PgBoss, accountId: number): Promise<void> {
  while (true) {
    const open = await listOpen(db, accountId, openMax);
    if (open.length === 0) return;
    for (const batch of open) await perform(db, cancel(boss, batch));
  }
}
