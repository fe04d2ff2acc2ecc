import type { PgBoss } from 'pg-boss';
import { cancelBatch } from '../batches/cancel.ts';
import * as accounts from '../db/accounts/accounts.ts';
import * as activity from '../db/accounts/activity.ts';
import * as closing from '../db/accounts/closing.ts';
import * as invitations from '../db/accounts/invitations.ts';
import * as memberships from '../db/accounts/memberships.ts';
import { waitForOpenTransactions } from '../db/accounts/open-account.ts';
import * as sessions from '../db/accounts/sessions.ts';
import * as tokens from '../db/accounts/tokens.ts';
import * as users from '../db/accounts/users.ts';
import { listOpen } from '../db/batches/batch-lists.ts';
import * as reportLinks from '../db/batches/report-links.ts';
import * as alerts from '../db/ledger/credit-alerts.ts';
import * as monitorPurge from '../db/monitors/monitor-purge.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import { isContention, isDatabaseUnavailable } from '../db/postgres/errors.ts';
import { deleteDeliveryJobs } from '../db/queue/queue.ts';
import { type EnqueueMailDeps, enqueueMail } from '../mail/enqueue.ts';
import { uncountedAllowance } from './allowance.ts';

const openMax = 100;
const stepMax = 500;

/**
 * Closes an account permanently. Mails the owners. Erases tokens, sessions, and the users who are in no other account.
 * Cancels and refunds open batches, deletes monitors and webhook deliveries. The ledger stays. Batches stay too, but
 * lose their references, names and webhook URLs. Results expire as usual. The first transaction disables the account
 * and can be repeated. If a later step fails, a chore resumes the closing. `authorize` checks the caller's right in the
 * first transaction. The operator omits `authorize`.
 */
export async function closeAccount(
  db: Db,
  deps: EnqueueMailDeps,
  accountId: number,
  authorize: (trx: Trx) => Promise<void> = async () => {},
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await authorize(trx);
    await eraseMembers(trx, deps, accountId);
    await closing.begin(trx, accountId);
  });
  // If the account is locked or the database is unavailable, a chore completes the closing later.
  await resumeClosing(db, deps, accountId).catch((error) => {
    if (!isContention(error) && !isDatabaseUnavailable(error)) throw error;
  });
}

/**
 * Empties an account that is being closed. Also erases the rows of transactions that began before the account was
 * disabled. Throws a lock_timeout (isContention) while such a transaction still runs.
 */
export async function resumeClosing(db: Db, deps: EnqueueMailDeps, accountId: number): Promise<void> {
  // The account is emptied before the transaction too, so that it sends no notifications while the transaction waits.
  await emptyAccount(db, deps.boss, accountId);
  await inTransaction(db, async (trx) => {
    await waitForOpenTransactions(trx, accountId);
    await eraseMembers(trx, deps, accountId);
  });
  await emptyAccount(db, deps.boss, accountId);
  await closing.end(db, accountId);
}

/** Erases the members, tokens, links, invitations and activity of an account. Locks in the order of docs/batches.md. */
async function eraseMembers(trx: Trx, deps: EnqueueMailDeps, accountId: number): Promise<void> {
  await memberships.lockOwners(trx, accountId);
  const members = await memberships.list(trx, accountId);
  const userIds = members.map((member) => member.userId).sort((a, b) => a - b);
  for (const userId of userIds) await users.lock(trx, userId);
  await reportLinks.deleteAll(trx, accountId);
  await invitations.deleteAll(trx, accountId);
  await activity.deleteAll(trx, accountId);
  await closing.dropMails(trx, accountId);
  await alerts.change(trx, accountId, { threshold: null, url: null });
  await accounts.changeProfile(trx, accountId, { name: null, timezone: null });
  await accounts.setLogo(trx, accountId, null);
  // The mails are enqueued before the users are erased. An address without a user counts as unconfirmed and gets at
  // most five mails a day.
  for (const { email: address, role } of members) {
    if (role === 'owner') await enqueueMail(trx, deps, { template: 'account_deleted', address });
  }
  for (const userId of userIds) {
    await sessions.endInAccount(trx, userId, accountId);
    await memberships.remove(trx, accountId, userId);
    await users.completeRemoval(trx, userId, accountId);
  }
  await tokens.deleteAll(trx, accountId);
}

async function emptyAccount(db: Db, boss: PgBoss, accountId: number): Promise<void> {
  // Monitors are deleted first. Otherwise, a run that ends would send notifications.
  await inTransaction(db, (trx) => monitorPurge.markAllDeleted(trx, accountId));
  // Webhook URLs are cleared before the batches are canceled. A canceled batch with a webhook URL would enqueue a
  // webhook.
  await repeatUntilZero(() => inTransaction(db, (trx) => closing.clearReferences(trx, accountId, stepMax)));
  await cancelAll(db, boss, accountId);
  await repeatUntilZero(() => inTransaction(db, (trx) => dropSomeDeliveries(trx, boss, accountId)));
  await repeatUntilZero(() =>
    inTransaction(db, (trx) => monitorPurge.removeMonitorRows(trx, accountId, stepMax)),
  );
  await inTransaction(db, (trx) => closing.deleteStoredResponses(trx, accountId));
}

async function dropSomeDeliveries(trx: Trx, boss: PgBoss, accountId: number): Promise<number> {
  const { deleted, jobIds } = await closing.deleteDeliveries(trx, accountId, stepMax);
  await deleteDeliveryJobs(boss, trx, jobIds);
  return deleted;
}

async function repeatUntilZero(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0);
}

async function cancelAll(db: Db, boss: PgBoss, accountId: number): Promise<void> {
  while (true) {
    const open = await listOpen(db, accountId, openMax);
    if (open.length === 0) return;
    for (const batch of open) {
      await inTransaction(db, (trx) => cancelBatch(trx, { boss, allowance: uncountedAllowance }, batch));
    }
  }
}
