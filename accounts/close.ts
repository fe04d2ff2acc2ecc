import type { PgBoss } from 'pg-boss';
import { cancel } from '../batches/cancel.ts';
import * as accounts from '../db/accounts.ts';
import { perform } from '../db/act.ts';
import * as activity from '../db/activity.ts';
import { listOpen } from '../db/batch-lists.ts';
import * as closing from '../db/closing.ts';
import { type Db, inTransaction, type Trx } from '../db/connect.ts';
import * as alerts from '../db/credit-alerts.ts';
import * as invitations from '../db/invitations.ts';
import * as memberships from '../db/memberships.ts';
import * as monitorRemoval from '../db/monitor-removal.ts';
import { awaitHolders } from '../db/open-account.ts';
import { dropDeliveries } from '../db/queue.ts';
import * as reportLinks from '../db/report-links.ts';
import * as sessions from '../db/sessions.ts';
import * as tokens from '../db/tokens.ts';
import * as users from '../db/users.ts';
import { owe, type Post } from '../mail/owe.ts';
import { uncounted } from './allowance.ts';

const openMax = 100;
const stepMax = 500;

/**
 * Ends an account for good: what is open is canceled and refunded, its tokens and sessions are erased, and its
 * members too, unless they are in another account. The ledger and the batches stay, and name nobody: references
 * and receivers are cleared, and no webhook is sent any more. Its monitors go with all they remember. Its owners
 * have a last mail. Results go with their retention. One transaction a step, so it may be done again by whoever
 * saw it fail.
 */
export async function close(db: Db, post: Post, accountId: number): Promise<void> {
  const { boss } = post;
  // First, while its holder can still ask again if it fails; and once more for what was accepted meanwhile.
  await empty(db, boss, accountId);
  await inTransaction(db, (trx) => erasePeople(trx, post, accountId));
  // What had begun by then may still write, and of people, too; nothing begins from here on.
  await inTransaction(db, async (trx) => {
    await awaitHolders(trx, accountId);
    await erasePeople(trx, post, accountId);
  });
  await empty(db, boss, accountId);
}

/** Disables the account and erases who may act for it, and what tells of them. */
async function erasePeople(trx: Trx, post: Post, accountId: number): Promise<void> {
  await accounts.disable(trx, accountId);
  await alerts.change(trx, accountId, { threshold: null, url: null });
  await memberships.lockOwners(trx, accountId);
  const members = await memberships.list(trx, accountId);
  for (const { email: address, role } of members) {
    if (role === 'owner') await owe(trx, post, { template: 'account_deleted', address });
  }
  for (const userId of members.map((member) => member.userId).sort((a, b) => a - b)) {
    await sessions.endIn(trx, userId, accountId);
    await memberships.remove(trx, accountId, userId);
    await users.moveOut(trx, userId, accountId);
  }
  await tokens.forgetAll(trx, accountId);
  await reportLinks.forgetAll(trx, accountId);
  await invitations.forgetAll(trx, accountId);
  await activity.forget(trx, accountId);
}

async function empty(db: Db, boss: PgBoss, accountId: number): Promise<void> {
  // Before what is at work ends, which would be told.
  await inTransaction(db, (trx) => monitorRemoval.hideAll(trx, accountId));
  // Before what is open is canceled, which would owe its webhook.
  await repeat(() => inTransaction(db, (trx) => closing.forgetReferences(trx, accountId, stepMax)));
  await cancelAll(db, boss, accountId);
  await repeat(() => inTransaction(db, (trx) => dropStep(trx, boss, accountId)));
  await repeat(() => inTransaction(db, (trx) => monitorRemoval.removeOf(trx, accountId, stepMax)));
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
