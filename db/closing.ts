import { sql } from 'kysely';
import type { Trx } from './connect.ts';

/**
 * Clears what a closed account's batches say of a person: their references and names, and where their webhooks go.
 * Answers how many batches that were, at most `stepMax`; call it again while there are any.
 */
export async function forgetReferences(trx: Trx, accountId: number, stepMax: number): Promise<number> {
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
 * Deletes deliveries with their attempts, whatever their state, and answers the jobs that were to make
 * further ones.
 */
export async function deleteDeliveries(
  trx: Trx,
  accountId: number,
  stepMax: number,
): Promise<{ deleted: number; jobIds: string[] }> {
  const found = await trx
    .selectFrom('deliveries')
    .select(['batchId', 'jobId'])
    .where('accountId', '=', accountId)
    .limit(stepMax)
    .forUpdate()
    .execute();
  const batchIds = found.map(({ batchId }) => batchId);
  if (batchIds.length === 0) return { deleted: 0, jobIds: [] };
  for (const table of ['attempts', 'deliveries'] as const) {
    await trx.deleteFrom(table).where('accountId', '=', accountId).where('batchId', 'in', batchIds).execute();
  }
  return { deleted: batchIds.length, jobIds: found.flatMap(({ jobId }) => jobId ?? []) };
}

/** Deletes kept answers, which repeat references and addresses. */
export async function forgetKeptAnswers(trx: Trx, accountId: number): Promise<void> {
  await trx.deleteFrom('idempotencyKeys').where('accountId', '=', accountId).execute();
}
