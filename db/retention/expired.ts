import { sql } from 'kysely';
import type { BatchSpan } from '../batches/batches.ts';
import { findFaulty } from '../ledger/proofs.ts';
import type { Trx } from '../postgres/connect.ts';
import { rangeOf } from '../postgres/id-range.ts';
import { leftToPartitions } from './expired-partitions.ts';
import { eachAccount, type Subject } from './purge-steps.ts';
import { daysKept } from './test-days.ts';

type OldBatch = Subject & BatchSpan & { isTest: boolean };

/**
 * Marks batches that ended `days` ago as purged and deletes what they kept. Their rows with the counters stay. Items
 * and chunks in partitions that go as a whole soon (`leftToPartitions`) are left to that. An account whose ledger has a
 * fault keeps everything, because it is the evidence. Returns how many batches were purged.
 */
export async function purgeBatches(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { rows } = await sql<OldBatch>`
    select account_id, batch_id::text as subject, first_request_id, total, is_test from batches
    where purged_at is null and completed_at < now() - ${days} * interval '1 day'
      and account_id <> all(${await findFaulty(trx)}::bigint[])
    order by completed_at limit ${stepMax}`.execute(trx);
  return removeBatches(trx, rows, await leftToPartitions(trx, 'items', days));
}

/** The same for batches of test tokens, which are not kept as long. Their results of searches go with them. */
export async function purgeTestBatches(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { rows } = await sql<OldBatch>`
    select account_id, batch_id::text as subject, first_request_id, total, is_test from batches
    where is_test and purged_at is null
      and completed_at < now() - ${daysKept(days, { isTest: true })} * interval '1 day'
      and account_id <> all(${await findFaulty(trx)}::bigint[])
    order by completed_at limit ${stepMax}`.execute(trx);
  return removeBatches(trx, rows, 0);
}

async function removeBatches(trx: Trx, batches: OldBatch[], leftUntil: number): Promise<number> {
  await eachAccount(batches, async (accountId, ids) => {
    const own = batches.filter((batch) => batch.accountId === accountId);
    const isOf = (id: 'batch_id' | 'event_id') =>
      sql<boolean>`account_id = ${accountId} and ${sql.ref(id)} = any(${ids}::uuid[])`;
    for (const table of ['attempts', 'deliveries'] as const)
      await trx.deleteFrom(table).where(isOf('event_id')).execute();
    // Those of live batches go by their own age.
    for (const { from, to } of own.filter(({ isTest }) => isTest).map(rangeOf))
      await sql`
        delete from result_pages
        where account_id = ${accountId} and request_id >= ${from} and request_id < ${to}`.execute(trx);
    await deleteRows(trx, accountId, ids, own.map(rangeOf), leftUntil);
    await trx.updateTable('batches').set({ purgedAt: sql`now()` }).where(isOf('batch_id')).execute();
    return ids.length;
  });
  return batches.length;
}

/** Deletes items and chunks of batches. The range of their ids keeps the statements to a few partitions. */
async function deleteRows(
  trx: Trx,
  accountId: number,
  batchIds: string[],
  ranges: Array<{ from: number; to: number }>,
  leftUntil: number,
): Promise<void> {
  const own = ranges.filter(({ to }) => to > leftUntil);
  if (own.length === 0) return;
  const from = Math.min(...own.map((range) => range.from));
  const to = Math.max(...own.map((range) => range.to));
  for (const [table, id] of keyOfTable)
    await sql`
      delete from ${sql.table(table)}
      where account_id = ${accountId} and batch_id = any(${batchIds}::uuid[])
        and ${sql.ref(id)} >= ${from} and ${sql.ref(id)} < ${to}`.execute(trx);
}

const keyOfTable = [
  ['items', 'request_id'],
  ['chunks', 'chunk_id'],
] as const;

/** Deletes single checks that were begun `days` ago, with their answers, except as `purgeBatches` does. */
export async function purgeSingleChecks(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { rows } = await sql<Subject>`
    select account_id, chunk_id::text as subject from chunks
    where batch_id is null and settled = size and created_at < now() - ${days} * interval '1 day'
      and chunk_id >= ${await leftToPartitions(trx, 'items', days)}
      and account_id <> all(${await findFaulty(trx)}::bigint[])
    order by created_at limit ${stepMax}`.execute(trx);
  return eachAccount(rows, (accountId, ids) => removeSingleChecks(trx, accountId, ids));
}

/** The same for those of test tokens, which are not kept as long. Their results of searches go with them. */
export async function purgeTestChecks(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { rows } = await sql<Subject>`
    select account_id, chunk_id::text as subject from chunks
    where is_test and batch_id is null and settled = size
      and created_at < now() - ${daysKept(days, { isTest: true })} * interval '1 day'
      and account_id <> all(${await findFaulty(trx)}::bigint[])
    order by created_at limit ${stepMax}`.execute(trx);
  return eachAccount(rows, async (accountId, ids) => {
    await sql`
      delete from result_pages
      where account_id = ${accountId} and request_id = any(${ids}::bigint[])`.execute(trx);
    return removeSingleChecks(trx, accountId, ids);
  });
}

async function removeSingleChecks(trx: Trx, accountId: number, ids: string[]): Promise<number> {
  for (const [table, id] of keyOfTable)
    await sql`
      delete from ${sql.ref(table)}
      where account_id = ${accountId} and ${sql.ref(id)} = any(${ids}::bigint[])`.execute(trx);
  return ids.length;
}
