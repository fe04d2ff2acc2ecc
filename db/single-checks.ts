import { sql } from 'kysely';
import { deadlines } from '../deadlines.ts';
import { type CheckType, checkTypeNames, type InputOf } from '../schemas/check-types.ts';
import type { Db, Trx } from './connect.ts';

export interface SingleRef {
  accountId: number;
  requestId: number;
}

export interface SingleCheck extends SingleRef {
  type: CheckType;
  input: InputOf;
}

/** What is older than this has lost its handler. */
const orphanedAfterSeconds = deadlines.singleCheckOrphanedMs / 1000;

/**
 * Notes a single check as begun: a chunk of one, without a batch. The charge follows in the same transaction.
 */
export async function open(trx: Trx, { accountId, requestId, type, input }: SingleCheck): Promise<void> {
  const inputs = [{ request_id: requestId, position: null, input }];
  await trx
    .insertInto('chunks')
    .values({ accountId, chunkId: requestId, type, size: 1, inputs: JSON.stringify(inputs) })
    .execute();
}

/** How many of an account's single checks are unsettled. Exact while the account row is locked. */
export async function countInFlight(db: Db | Trx, accountId: number): Promise<number> {
  const { checks } = await db
    .selectFrom('chunks')
    .select(sql<number>`count(*)`.as('checks'))
    .where('accountId', '=', accountId)
    .where('batchId', 'is', null)
    .whereRef('settled', '<', 'size')
    .executeTakeFirstOrThrow();
  return checks;
}

/** True while a check was begun and is not settled. */
export async function isInFlight(db: Db, { accountId, requestId }: SingleRef): Promise<boolean> {
  const row = await db
    .selectFrom('chunks')
    .select('chunkId')
    .where('accountId', '=', accountId)
    .where('chunkId', '=', requestId)
    .where('batchId', 'is', null)
    .whereRef('settled', '<', 'size')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Marks a single check as settled, once. False when it was before: then the caller's result does not count.
 */
export async function close(trx: Trx, { accountId, requestId }: SingleRef): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('chunks')
    .set({ settled: 1 })
    .where('accountId', '=', accountId)
    .where('chunkId', '=', requestId)
    .where('settled', '=', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Single checks whose process died or hung: begun 35 s ago and not settled. At most `limit`, oldest first.
 */
export async function findOrphans(db: Db, limit: number): Promise<SingleCheck[]> {
  const rows = await db
    .selectFrom('chunks')
    .select(['accountId', 'chunkId', 'type', 'inputs'])
    .where('batchId', 'is', null)
    // Those of other types are left to the processes that know them.
    .where('type', 'in', checkTypeNames)
    .whereRef('settled', '<', 'size')
    .where('createdAt', '<', sql<Date>`now() - ${orphanedAfterSeconds} * interval '1 second'`)
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  return rows.flatMap(({ accountId, chunkId: requestId, type, inputs: [only] }) =>
    only ? [{ accountId, requestId, type, input: only.input }] : [],
  );
}
