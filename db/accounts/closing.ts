import { sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';
import { disable, updateAccount } from './accounts.ts';

/** Disables an account permanently. Marks the account's personal data for erasure. */
export async function begin(trx: Trx, accountId: number): Promise<void> {
  await disable(trx, accountId);
  await updateAccount(trx, accountId).set({ closingSince: sql`now()` }).execute();
}

/** Returns at most `limit` closed accounts that may still have data to erase. Takes no lock. */
export async function findUnfinished(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('accountId')
    .where('disabledAt', 'is not', null)
    .where('closingSince', 'is not', null)
    .orderBy('accountId')
    .limit(limit)
    .execute();
  return rows.map(({ accountId }) => accountId);
}

/** Marks an account as completely erased. */
export async function end(db: Db, accountId: number): Promise<void> {
  await updateAccount(db, accountId).set({ closingSince: null }).execute();
}

/**
 * Clears references, names and webhook URLs of the batches of a closed account. Returns the number of changed batches,
 * at most `stepMax`. Call this until the number is 0.
 */
export async function clearReferences(trx: Trx, accountId: number, stepMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update batches set reference = null, webhook_url = null, name = null
    where account_id = ${accountId} and batch_id in (
      select batch_id from batches
      where account_id = ${accountId} and num_nonnulls(reference, webhook_url, name) > 0 limit ${stepMax})`.execute(
    trx,
  );
  return Number(numAffectedRows ?? 0);
}

/**
 * Deletes at most `stepMax` deliveries in any state, with their attempts. The caller must delete their jobs (`jobIds`).
 */
export async function deleteDeliveries(
  trx: Trx,
  accountId: number,
  stepMax: number,
): Promise<{ deleted: number; jobIds: string[] }> {
  const found = await trx
    .selectFrom('deliveries')
    .select(['eventId', 'jobId'])
    .where('accountId', '=', accountId)
    .limit(stepMax)
    .forUpdate()
    .execute();
  const eventIds = found.map(({ eventId }) => eventId);
  if (eventIds.length === 0) return { deleted: 0, jobIds: [] };
  for (const table of ['attempts', 'deliveries'] as const) {
    await trx.deleteFrom(table).where('accountId', '=', accountId).where('eventId', 'in', eventIds).execute();
  }
  return { deleted: eventIds.length, jobIds: found.flatMap(({ jobId }) => jobId ?? []) };
}

/** Drops pending mails about an account, because invitation mails name the invited person. */
export async function dropMails(trx: Trx, accountId: number): Promise<void> {
  const ended = { state: 'dropped', address: null, jobId: null, nextAttemptAt: null } as const;
  await trx
    .updateTable('mails')
    .set({ ...ended, endedAt: sql`now()` })
    .where('accountId', '=', accountId)
    .where('state', '=', 'pending')
    .execute();
}

/** Deletes stored responses, because they contain references and URLs. */
export async function deleteStoredResponses(trx: Trx, accountId: number): Promise<void> {
  await trx.deleteFrom('idempotencyKeys').where('accountId', '=', accountId).execute();
}
