import type { PgBoss } from 'pg-boss';
import { cancel } from '../batches/cancel.ts';
import * as accounts from '../db/accounts.ts';
import { perform } from '../db/act.ts';
import { listOpen } from '../db/batch-lists.ts';
import * as closing from '../db/closing.ts';
import { type Db, inTransaction, type Trx } from '../db/connect.ts';
import { dropDeliveries } from '../db/queue.ts';
import { uncounted } from './allowance.ts';

const openMax = 100;
const stepMax = 500;

/**
 * Ends an account for good: what is open is canceled and refunded, its users, sessions and tokens are erased. The
 * ledger and the batches stay, and name nobody: references and receivers are cleared, and no webhook is sent any more.
 * Results go with their retention. One transaction a step, so it may be done again by whoever saw it fail.
 */
export async function close(db: Db, boss: PgBoss, accountId: number): Promise<void> {
  // First, while its holder can still ask again if it fails; and once more for what was accepted meanwhile.
  await empty(db, boss, accountId);
  await inTransaction(db, (trx) => accounts.erasePeople(trx, accountId));
  await empty(db, boss, accountId);
}

async function empty(db: Db, boss: PgBoss, accountId: number): Promise<void> {
  // Before what is open is canceled, which would owe its webhook.
  await repeat(() => inTransaction(db, (trx) => closing.forgetReferences(trx, accountId, stepMax)));
  await cancelAll(db, boss, accountId);
  await repeat(() => inTransaction(db, (trx) => dropStep(trx, boss, accountId)));
  await inTransaction(db, (trx) => closing.forgetKeptAnswers(trx, accountId));
}

async function dropStep(trx: Trx, boss: PgBoss, accountId: number): Promise<number> {
  const { deleted, jobIds } = await closing.deleteDeliveries(trx, accountId, stepMax);
  await dropDeliveries(boss, trx, jobIds);
  return deleted;
}

async function repeat(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0);
}

async function cancelAll(db: Db, boss: PgBoss, accountId: number): Promise<void> {
  while (true) {
    const open = await listOpen(db, accountId, openMax);
    if (open.length === 0) return;
    for (const batch of open) {
      await perform(db, cancel({ db, boss, allowance: uncounted }, batch));
    }
  }
}
