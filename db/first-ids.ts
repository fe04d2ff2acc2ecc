import { type RawBuilder, sql } from 'kysely';
import { type Db, inTransaction, type Trx } from './connect.ts';

const stepMax = 500;

/**
 * Writes to batches that processes of before accepted, which do not, their first request id, as their chunks and items
 * have it. One of which nothing is stored stays without. Each step is a transaction of its own.
 */
export async function writeFirstIds(db: Db): Promise<void> {
  while ((await inTransaction(db, writeSome)) > 0);
}

async function writeSome(trx: Trx): Promise<number> {
  const { rows } = await sql<{ accountId: number; batchId: string; first: number }>`
    select account_id, batch_id, coalesce(
      (${one('chunks', sql`(inputs->0->>'request_id')::bigint - (inputs->0->>'position')::bigint`)}),
      (${one('items', sql`request_id - position`)})) as first
    from batches
    where purged_at is null and first_request_id = 0 and (
      exists (${one('chunks', sql`true`)}) or exists (${one('items', sql`true`)}))
    limit ${stepMax}`.execute(trx);
  for (const [accountId, some] of Map.groupBy(rows, (row) => row.accountId)) {
    await sql`
      update batches set first_request_id = known.first
      from unnest(${some.map(({ batchId }) => batchId)}::uuid[], ${some.map(({ first }) => first)}::bigint[])
        as known (batch_id, first)
      where account_id = ${accountId} and batches.batch_id = known.batch_id`.execute(trx);
  }
  return rows.length;
}

function one(table: 'chunks' | 'items', what: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${what} from ${sql.table(table)} as stored
    where stored.account_id = batches.account_id and stored.batch_id = batches.batch_id limit 1`;
}
