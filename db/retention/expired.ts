import { type RawBuilder, sql } from 'kysely';
import type { BatchSpan } from '../batches/batches.ts';
import { resultPagesDays } from '../batches/result-pages.ts';
import { findFaulty } from '../ledger/proofs.ts';
import type { Trx } from '../postgres/connect.ts';
import { rangeOf } from '../postgres/id-range.ts';
import { leftToPartitions } from './expired-partitions.ts';
import { daysKept } from './kept.ts';
import { boundAt } from './partitions.ts';

/** What a step of a purge looked at, and what of it is gone. */
export interface PurgeStep {
  looked: number;
  removed: number;
}

type Subject = { accountId: number; subject: string };

/** Removes rows of one account after the other, as a cluster requires. Returns how many are gone. */
async function eachAccount(
  of: Subject[],
  remove: (accountId: number, subjects: string[]) => Promise<number>,
): Promise<number> {
  let removed = 0;
  for (const [accountId, some] of Map.groupBy(of, (one) => one.accountId)) {
    removed += await remove(
      accountId,
      some.map(({ subject }) => subject),
    );
  }
  return removed;
}

type OldBatch = Subject & BatchSpan & { isTest: boolean };

/**
 * Marks batches that ended `days` ago as purged and deletes what they kept. Their rows with the counters stay. Items
 * and chunks in partitions that go as a whole soon (`leftToPartitions`) are left to that. An account whose ledger has a
 * fault keeps its batches, because they are the evidence. Returns how many batches were purged.
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

/** What goes by its own age alone, row by row. */

/** Deletes what was told besides the ends of batches `days` ago, with the deliveries of that. */
export async function purgeEvents(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { rows } = await sql<Subject>`
    select account_id, event_id::text as subject from events
    where created_at < now() - ${days} * interval '1 day' order by created_at limit ${stepMax}`.execute(trx);
  return eachAccount(rows, async (accountId, ids) => {
    const isOf = sql<boolean>`account_id = ${accountId} and event_id = any(${ids}::uuid[])`;
    for (const table of ['attempts', 'deliveries'] as const)
      await trx.deleteFrom(table).where(isOf).execute();
    const { numAffectedRows } = await sql`
      delete from events where account_id = ${accountId} and event_id = any(${ids}::uuid[])`.execute(trx);
    return Number(numAffectedRows ?? 0);
  });
}

/** Deletes idempotency keys of more than a day ago. */
export async function purgeKeys(trx: Trx, stepMax: number): Promise<number> {
  return purgeOld(
    trx,
    stepMax,
    { table: 'idempotency_keys', id: 'key', type: 'text', time: 'created_at' },
    1,
  );
}

/** Deletes index verdicts and rank points of `days` ago, but for those that go with their partition soon. */
export async function purgeHistory(trx: Trx, days: number, stepMax: number): Promise<number> {
  const leftUntil = await leftToPartitions(trx, 'history', days);
  const points = { table: 'history', id: 'request_id', type: 'bigint', time: 'checked_at' };
  // As its index has it, which is for this alone: one of the bare time would be taken for an account's page, too, and
  // read through those of all others.
  return purgeOld(trx, stepMax, points, days, {
    indexed: (time) => sql`(${time} at time zone 'UTC')`,
    // Which partitions are looked into, only bare moments say.
    within: sql`checked_at >= ${boundAt('history', leftUntil)} and checked_at < now() - ${days} * interval '1 day'`,
  });
}

/** Deletes results of searches that were kept as long as they are to be. */
export async function purgeResultPages(trx: Trx, days: number, stepMax: number): Promise<number> {
  const pages = { table: 'result_pages', id: 'request_id', type: 'bigint', time: 'created_at' };
  return purgeOld(trx, stepMax, pages, resultPagesDays(days));
}

/** Deletes what is of `days` ago in a table of accounts' rows; a row that was renewed meanwhile stays. */
async function purgeOld(
  trx: Trx,
  stepMax: number,
  { table, id, type, time }: Record<'table' | 'id' | 'type' | 'time', string>,
  days: number,
  { indexed = (moment: RawBuilder<unknown>) => moment, within = sql`true` } = {},
): Promise<number> {
  const at = indexed(sql.ref(time));
  const isOld = sql`${at} < ${indexed(sql`now()`)} - ${days} * interval '1 day' and ${within}`;
  const { rows } = await sql<Subject>`
    select account_id, ${sql.ref(id)}::text as subject from ${sql.ref(table)}
    where ${isOld} order by ${at} limit ${stepMax}`.execute(trx);
  return eachAccount(rows, async (accountId, subjects) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.ref(table)}
      where account_id = ${accountId} and ${sql.ref(id)} = any(${subjects}::${sql.raw(type)}[]) and ${isOld}
      `.execute(trx);
    return Number(numAffectedRows ?? 0);
  });
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

/** Deletes tokens that were revoked `days` ago. */
export async function purgeTokens(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from api_tokens where token_id in (
      select token_id from api_tokens where revoked_at < now() - ${days} * interval '1 day'
      limit ${stepMax} for update skip locked)`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes what is noted of acts of `days` ago. */
export async function purgeActivity(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from activity where (account_id, activity_id) in (
      select account_id, activity_id from activity where noted_at < now() - ${days} * interval '1 day'
      order by noted_at limit ${stepMax} for update skip locked)`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
