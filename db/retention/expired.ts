import { type RawBuilder, sql } from 'kysely';
import type { BatchSpan } from '../batches/batches.ts';
import {
  type Candidates,
  type LedgerFault,
  wrongBatches,
  wrongSingleChecks,
} from '../ledger/ledger-checks.ts';
import * as faults from '../ledger/ledger-faults.ts';
import type { Trx } from '../postgres/connect.ts';
import { type IdRange, rangeOf } from '../postgres/id-range.ts';
import { leftToPartitions } from './expired-partitions.ts';
import { eachAccount, type PurgeStep, type Subject } from './purge-steps.ts';
import { daysKept } from './test-days.ts';

/**
 * Marks batches that ended `days` ago as purged and deletes what they kept; their rows with the counters
 * stay. One that does not add up is noted as such and left as it is, for what it kept is the evidence. Items and chunks
 * in partitions that go as a whole soon (`leftToPartitions`) are left to that.
 */
export async function purgeBatches(trx: Trx, days: number, stepMax: number): Promise<PurgeStep> {
  const leftUntil = await leftToPartitions(trx, 'items', days);
  const { rows } = await sql<Subject>`
    select account_id, batch_id::text as subject from batches
    where purged_at is null and completed_at < now() - ${days} * interval '1 day'
      and ${isUndoubted(sql`batches.account_id`, sql`batch_id`)}
    order by completed_at limit ${stepMax}`.execute(trx);
  return eachAccount(rows, (accountId, ids) => purgeBatchesOf(trx, accountId, ids, leftUntil));
}

/** The same for batches of test tokens, which are not kept as long; their results of searches go with them. */
export async function purgeTestBatches(trx: Trx, days: number, stepMax: number): Promise<PurgeStep> {
  const { rows } = await sql<Subject>`
    select account_id, batch_id::text as subject from batches
    where is_test and purged_at is null
      and completed_at < now() - ${daysKept(days, { isTest: true })} * interval '1 day'
      and ${isUndoubted(sql`batches.account_id`, sql`batch_id`)}
    order by completed_at limit ${stepMax}`.execute(trx);
  return eachAccount(rows, (accountId, ids) => purgeBatchesOf(trx, accountId, ids, 0));
}

async function purgeBatchesOf(
  trx: Trx,
  accountId: number,
  ids: string[],
  leftUntil: number,
): Promise<PurgeStep> {
  const { rows } = await sql<Subject & BatchSpan & { isTest: boolean }>`
    select account_id, batch_id::text as subject, first_request_id, total, is_test from batches
    where account_id = ${accountId} and batch_id = any(${ids}::uuid[]) and purged_at is null
    for no key update skip locked`.execute(trx);
  const wrong = await wrongBatches(trx, subjectsOf(accountId, rows, 'uuid'));
  const sound = await soundOnly(trx, rows, wrong);
  const isOf = (id: 'batch_id' | 'event_id') =>
    sql<boolean>`account_id = ${accountId} and ${sql.ref(id)} = any(${sound}::uuid[])`;
  for (const table of ['attempts', 'deliveries'] as const)
    await trx.deleteFrom(table).where(isOf('event_id')).execute();
  const kept = new Set(sound);
  const ranges = rows.filter(({ subject }) => kept.has(subject)).map(rangeOf);
  await deleteResultPages(
    trx,
    accountId,
    rows.filter(({ isTest, subject }) => isTest && kept.has(subject)),
  );
  await deleteRows(
    trx,
    accountId,
    sound,
    ranges.filter(({ to }) => to > leftUntil),
  );
  await trx.updateTable('batches').set({ purgedAt: sql`now()` }).where(isOf('batch_id')).execute();
  return { looked: rows.length, removed: sound.length };
}

/** Of live batches they go by their own age. */
async function deleteResultPages(trx: Trx, accountId: number, of: BatchSpan[]): Promise<void> {
  for (const { from, to } of of.map(rangeOf)) {
    await sql`
      delete from result_pages
      where account_id = ${accountId} and request_id >= ${from} and request_id < ${to}`.execute(trx);
  }
}

/** Deletes items and chunks of batches, if any have theirs in these ranges. */
async function deleteRows(trx: Trx, accountId: number, batchIds: string[], ranges: IdRange[]): Promise<void> {
  if (ranges.length === 0) return;
  const from = Math.min(...ranges.map((range) => range.from));
  const to = Math.max(...ranges.map((range) => range.to));
  for (const [table, id] of [
    ['items', 'request_id'],
    ['chunks', 'chunk_id'],
  ] as const) {
    await sql`
      delete from ${sql.table(table)}
      where account_id = ${accountId} and batch_id = any(${batchIds}::uuid[])
        and ${sql.ref(id)} >= ${from} and ${sql.ref(id)} < ${to}`.execute(trx);
  }
}

/**
 * Deletes single checks that were begun `days` ago, with their answers; doubtful ones stay, and those are left to their
 * partitions that go with them, as above.
 */
export async function purgeSingleChecks(trx: Trx, days: number, stepMax: number): Promise<PurgeStep> {
  const leftUntil = await leftToPartitions(trx, 'items', days);
  const { rows } = await sql<Subject>`
    select account_id, chunk_id::text as subject from chunks
    where batch_id is null and settled = size and created_at < now() - ${days} * interval '1 day'
      and chunk_id >= ${leftUntil}
      and ${isUndoubted(sql`chunks.account_id`, sql`chunk_id`)}
    order by created_at limit ${stepMax}`.execute(trx);
  return eachAccount(rows, (accountId, ids) => purgeSingleChecksOf(trx, accountId, ids));
}

/** The same for those of test tokens, which are not kept as long; their results of searches go with them. */
export async function purgeTestChecks(trx: Trx, days: number, stepMax: number): Promise<PurgeStep> {
  const { rows } = await sql<Subject>`
    select account_id, chunk_id::text as subject from chunks
    where is_test and batch_id is null and settled = size
      and created_at < now() - ${daysKept(days, { isTest: true })} * interval '1 day'
      and ${isUndoubted(sql`chunks.account_id`, sql`chunk_id`)}
    order by created_at limit ${stepMax}`.execute(trx);
  return eachAccount(rows, async (accountId, ids) => {
    const step = await purgeSingleChecksOf(trx, accountId, ids);
    await sql`
      delete from result_pages
      where account_id = ${accountId} and request_id = any(${ids}::bigint[])`.execute(trx);
    return step;
  });
}

async function purgeSingleChecksOf(trx: Trx, accountId: number, ids: string[]): Promise<PurgeStep> {
  const { rows } = await sql<Subject>`
    select account_id, chunk_id::text as subject from chunks
    where account_id = ${accountId} and chunk_id = any(${ids}::bigint[])
    for update skip locked`.execute(trx);
  const wrong = await wrongSingleChecks(trx, subjectsOf(accountId, rows, 'bigint'));
  const sound = await soundOnly(trx, rows, wrong);
  for (const [table, id] of [
    ['chunks', 'chunk_id'],
    ['items', 'request_id'],
  ] as const) {
    await sql`
      delete from ${sql.ref(table)}
      where account_id = ${accountId} and ${sql.ref(id)} = any(${sound}::bigint[])`.execute(trx);
  }
  return { looked: rows.length, removed: sound.length };
}

function isUndoubted(accountId: RawBuilder<unknown>, subject: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`not exists (select from ledger_faults as fault
    where fault.account_id = ${accountId} and fault.subject = ${subject}::text)`;
}

function subjectsOf(accountId: number, of: Subject[], type: 'uuid' | 'bigint'): Candidates {
  const subjects = of.map(({ subject }) => subject);
  const query = sql`select ${accountId}::bigint, unnest(${subjects}::${sql.raw(type)}[])`;
  return { accountIds: [accountId], query };
}

/** Notes what does not add up, and answers the others. */
async function soundOnly(trx: Trx, of: Subject[], found: LedgerFault[]): Promise<string[]> {
  await faults.keep(trx, found);
  const doubtful = new Set(found.map(({ subject }) => subject));
  return of.map(({ subject }) => subject).filter((subject) => !doubtful.has(subject));
}
