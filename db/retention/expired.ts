import { type RawBuilder, sql } from 'kysely';
import { type BatchSpan, rangeOf } from '../batches/batches.ts';
import { resultPagesDays } from '../batches/result-pages.ts';
import { findFaulty } from '../ledger/verification.ts';
import type { Trx } from '../postgres/connect.ts';
import { findDropBound } from './expired-partitions.ts';
import { daysKept, toBound } from './partitions.ts';

export interface PurgeStep {
  /** Number of rows read; 0 when the purge is complete. */
  examined: number;
  removed: number;
}

type ExpiredRow = { accountId: number; subject: string };

/** Deletes rows account by account, as a cluster requires. Returns the number of deleted rows. */
async function deleteByAccount(
  rows: ExpiredRow[],
  remove: (accountId: number, subjects: string[]) => Promise<number>,
): Promise<number> {
  let removed = 0;
  for (const [accountId, some] of Map.groupBy(rows, (one) => one.accountId)) {
    removed += await remove(
      accountId,
      some.map(({ subject }) => subject),
    );
  }
  return removed;
}

type OldBatch = ExpiredRow & BatchSpan & { isTest: boolean };

/**
 * Marks batches that ended over `days` ago as purged. Deletes the items, chunks and deliveries of these batches. The
 * batch rows with their counters stay. Items and chunks in partitions that will be dropped soon are not deleted here.
 * If an account's ledger has a fault, the account's batches are kept as evidence. Returns the number of purged batches.
 * With `isTest`, purges batches of test tokens, which are kept for a shorter time.
 */
export async function purgeBatches(
  trx: Trx,
  days: number,
  stepMax: number,
  { isTest }: { isTest: boolean },
): Promise<number> {
  const { rows } = await sql<OldBatch>`
    select account_id, batch_id::text as subject, first_request_id, total, is_test from batches
    where ${isTest ? sql`is_test` : sql`true`} and purged_at is null
      and completed_at < now() - ${daysKept(days, { isTest })} * interval '1 day'
      and account_id <> all(${await findFaulty(trx)}::bigint[])
    order by completed_at limit ${stepMax}`.execute(trx);
  return removeBatches(trx, rows, isTest ? 0 : await findDropBound(trx, 'items', days));
}

async function removeBatches(trx: Trx, batches: OldBatch[], leftUntil: number): Promise<number> {
  await deleteByAccount(batches, async (accountId, ids) => {
    const own = batches.filter((batch) => batch.accountId === accountId);
    const isOf = (id: 'batch_id' | 'event_id') =>
      sql<boolean>`account_id = ${accountId} and ${sql.ref(id)} = any(${ids}::uuid[])`;
    for (const table of ['attempts', 'deliveries'] as const)
      await trx.deleteFrom(table).where(isOf('event_id')).execute();
    // `purgeResultPages` deletes the result pages of other batches.
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

/** Deletes items and chunks of batches. The range of ids limits the statements to a few partitions. */
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

/** Deletes single checks that started over `days` ago. The exceptions are the same as in `purgeBatches`. */
export async function purgeSingleChecks(
  trx: Trx,
  days: number,
  stepMax: number,
  { isTest }: { isTest: boolean },
): Promise<number> {
  const isWanted = isTest ? sql`is_test` : sql`chunk_id >= ${await findDropBound(trx, 'items', days)}`;
  const { rows } = await sql<ExpiredRow>`
    select account_id, chunk_id::text as subject from chunks
    where ${isWanted} and batch_id is null and settled = size
      and created_at < now() - ${daysKept(days, { isTest })} * interval '1 day'
      and account_id <> all(${await findFaulty(trx)}::bigint[])
    order by created_at limit ${stepMax}`.execute(trx);
  // `purgeResultPages` deletes the result pages of other checks.
  const tables = [...keyOfTable, ...(isTest ? [['result_pages', 'request_id'] as const] : [])];
  return deleteByAccount(rows, async (accountId, ids) => {
    for (const [table, id] of tables)
      await sql`
        delete from ${sql.ref(table)}
        where account_id = ${accountId} and ${sql.ref(id)} = any(${ids}::bigint[])`.execute(trx);
    return ids.length;
  });
}

/** Deletes events that are older than `days`, and the deliveries of these events. */
export async function purgeEvents(trx: Trx, days: number, stepMax: number): Promise<number> {
  const { rows } = await sql<ExpiredRow>`
    select account_id, event_id::text as subject from events
    where created_at < now() - ${days} * interval '1 day' order by created_at limit ${stepMax}`.execute(trx);
  return deleteByAccount(rows, async (accountId, ids) => {
    const isOf = sql<boolean>`account_id = ${accountId} and event_id = any(${ids}::uuid[])`;
    for (const table of ['attempts', 'deliveries', 'events'] as const)
      await trx.deleteFrom(table).where(isOf).execute();
    return ids.length;
  });
}

export async function purgeKeys(trx: Trx, stepMax: number): Promise<number> {
  const keys = { table: 'idempotency_keys', id: 'key', type: 'text', time: 'created_at' };
  return purgeOld(trx, stepMax, keys, 1);
}

/** Deletes index verdicts and ranks that are older than `days`. Skips partitions that will be dropped soon. */
export async function purgeHistory(trx: Trx, days: number, stepMax: number): Promise<number> {
  const leftUntil = await findDropBound(trx, 'history', days);
  const points = { table: 'history', id: 'request_id', type: 'bigint', time: 'checked_at' };
  // The index is on this expression. An index on the plain time would also be used for pages of one account. Postgres
  // would then read the rows of all accounts.
  return purgeOld(trx, stepMax, points, days, {
    toIndexed: (time) => sql`(${time} at time zone 'UTC')`,
    // These conditions have plain times, so that Postgres skips other partitions.
    within: sql`checked_at >= ${toBound('history', leftUntil)} and checked_at < now() - ${days} * interval '1 day'`,
  });
}

export async function purgeResultPages(trx: Trx, days: number, stepMax: number): Promise<number> {
  const pages = { table: 'result_pages', id: 'request_id', type: 'bigint', time: 'created_at' };
  return purgeOld(trx, stepMax, pages, resultPagesDays(days));
}

/** Deletes rows that are older than `days`. Keeps rows that were renewed meanwhile. */
async function purgeOld(
  trx: Trx,
  stepMax: number,
  { table, id, type, time }: Record<'table' | 'id' | 'type' | 'time', string>,
  days: number,
  { toIndexed = (moment: RawBuilder<unknown>) => moment, within = sql`true` } = {},
): Promise<number> {
  const at = toIndexed(sql.ref(time));
  const isOld = sql`${at} < ${toIndexed(sql`now()`)} - ${days} * interval '1 day' and ${within}`;
  const { rows } = await sql<ExpiredRow>`
    select account_id, ${sql.ref(id)}::text as subject from ${sql.ref(table)}
    where ${isOld} order by ${at} limit ${stepMax}`.execute(trx);
  return deleteByAccount(rows, async (accountId, subjects) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.ref(table)}
      where account_id = ${accountId} and ${sql.ref(id)} = any(${subjects}::${sql.raw(type)}[]) and ${isOld}
      `.execute(trx);
    return Number(numAffectedRows ?? 0);
  });
}

/** Records on the coordinator, and when they have expired. */
const localRecords = {
  // A window ends by the clock of a process. The window is deleted a minute later, because clocks differ.
  rateLimits: {
    table: 'rate_limits',
    key: 'key',
    isExpired: sql`expire < extract(epoch from now() - interval '1 minute') * 1000`,
  },
  // For 90 days, the account can find out whether a revoked token is still in use.
  revokedTokens: {
    table: 'api_tokens',
    key: 'token_id',
    isExpired: sql`revoked_at < now() - interval '90 days'`,
  },
  // A year, and about a month to review that year.
  activity: {
    table: 'activity',
    key: 'account_id, activity_id',
    isExpired: sql`noted_at < now() - interval '400 days'`,
  },
  mails: {
    table: 'mails',
    key: 'mail_id',
    isExpired: sql`created_at < now() - interval '30 days' and state <> 'pending'`,
  },
  mailLinks: { table: 'mail_links', key: 'link_id', isExpired: sql`expires_at < now() - interval '1 day'` },
};

export async function purgeLocal(
  trx: Trx,
  records: keyof typeof localRecords,
  stepMax: number,
): Promise<number> {
  const { table, key, isExpired } = localRecords[records];
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where (${sql.raw(key)}) in (
      select ${sql.raw(key)} from ${sql.table(table)} where ${isExpired}
      limit ${stepMax} for update skip locked)`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
