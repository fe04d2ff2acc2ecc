import { sql } from 'kysely';
import type { Trx } from './connect.ts';

/**
 * Marks batches that ended `days` ago as purged and deletes what they kept; their rows with the counters
 * stay.
 */
export async function purgeBatches(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { rows } = await sql<{ accountId: number; batchId: string }>`
      update batches set purged_at = now()
      where (account_id, batch_id) in (
        select account_id, batch_id from batches
        where purged_at is null and completed_at < now() - ${days} * interval '1 day'
        order by completed_at limit ${stepMax} for no key update skip locked)
      returning account_id, batch_id`.execute(trx);
  for (const { accountId, batchId } of rows) {
    for (const table of ['attempts', 'deliveries', 'items', 'chunks'] as const) {
      await trx.deleteFrom(table).where('accountId', '=', accountId).where('batchId', '=', batchId).execute();
    }
  }
  return rows.length;
}

/** Deletes single checks that were begun `days` ago, with their answers. */
export async function purgeSingleChecks(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { rows } = await sql<{ accountId: number; chunkId: number }>`
      delete from chunks where (account_id, chunk_id) in (
        select account_id, chunk_id from chunks
        where batch_id is null and settled = size and created_at < now() - ${days} * interval '1 day'
        order by created_at limit ${stepMax} for update skip locked)
      returning account_id, chunk_id`.execute(trx);
  const accountIds = rows.map(({ accountId }) => accountId);
  const requestIds = rows.map(({ chunkId }) => chunkId);
  await sql`
      delete from items using unnest(${accountIds}::bigint[], ${requestIds}::bigint[]) as gone (account_id, request_id)
      where items.account_id = gone.account_id and items.request_id = gone.request_id`.execute(trx);
  return rows.length;
}

/** Deletes idempotency keys of more than a day ago. */
export async function purgeKeys(trx: Trx, stepMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where (account_id, key) in (
      select account_id, key from idempotency_keys
      where created_at < now() - interval '24 hours' limit ${stepMax} for update skip locked)`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes index verdicts and rank points of `days` ago. */
export async function purgeHistory(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from history where (account_id, request_id) in (
      select account_id, request_id from history where checked_at < now() - ${days} * interval '1 day'
      order by checked_at limit ${stepMax} for update skip locked)`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes windows that have ended. */
export async function purgeRateLimits(trx: Trx, stepMax: number): Promise<number> {
  // A minute late, since a window ends by the clock of the process that began it.
  const { numAffectedRows } = await sql`
    delete from rate_limits where key in (
      select key from rate_limits where expire < extract(epoch from now() - interval '1 minute') * 1000
      limit ${stepMax} for update skip locked)`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes results of searches of 30 days ago, and never keeps them longer than their items. */
export async function purgeResultPages(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from result_pages where (account_id, request_id) in (
      select account_id, request_id from result_pages where created_at < now() - ${Math.min(30, days)} * interval '1 day'
      order by created_at limit ${stepMax} for update skip locked)`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes tokens that were revoked `days` ago. */
export async function purgeTokens(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from api_tokens where token_id in (
      select token_id from api_tokens where revoked_at < now() - ${days} * interval '1 day'
      limit ${stepMax} for update skip locked)`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
