/** What goes by its own age alone, row by row. */
import { type RawBuilder, sql } from 'kysely';
import { resultPagesDays } from '../batches/result-pages.ts';
import type { Trx } from '../postgres/connect.ts';
import { leftToPartitions } from './expired-partitions.ts';
import { boundAt } from './partition-bounds.ts';
import { eachAccount, type Subject } from './purge-steps.ts';

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
