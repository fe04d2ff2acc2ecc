import { type RawBuilder, sql } from 'kysely';
import type { Trx } from './connect.ts';
import { type Fault, wrongBatches, wrongSingleChecks } from './ledger-checks.ts';
import * as faults from './ledger-faults.ts';

/** What a step of a purge looked at, and what of it is gone. */
export interface PurgeStep {
  looked: number;
  removed: number;
}

/**
 * Marks batches that ended `days` ago as purged and deletes what they kept; their rows with the counters
 * stay. One that does not add up is noted as such and left as it is, for what it kept is the evidence.
 */
export async function purgeBatches(trx: Trx, days: number, stepMax: number): Promise<PurgeStep> {
  const { rows } = await sql<{ accountId: number; subject: string }>`
    select account_id, batch_id::text as subject from batches
    where purged_at is null and completed_at < now() - ${days} * interval '1 day'
      and ${isUndoubted(sql`batches.account_id`, sql`batch_id`)}
    order by completed_at limit ${stepMax} for no key update skip locked`.execute(trx);
  const sound = await soundOnly(trx, rows, await wrongBatches(trx, subjectsOf(rows, 'uuid')));
  for (const { accountId, subject: batchId } of sound) {
    for (const table of ['attempts', 'deliveries', 'items', 'chunks'] as const) {
      await trx.deleteFrom(table).where('accountId', '=', accountId).where('batchId', '=', batchId).execute();
    }
    await trx
      .updateTable('batches')
      .set({ purgedAt: sql`now()` })
      .where('accountId', '=', accountId)
      .where('batchId', '=', batchId)
      .execute();
  }
  return { looked: rows.length, removed: sound.length };
}

/** Deletes single checks that were begun `days` ago, with their answers; doubtful ones stay, as above. */
export async function purgeSingleChecks(trx: Trx, days: number, stepMax: number): Promise<PurgeStep> {
  const { rows } = await sql<{ accountId: number; subject: string }>`
    select account_id, chunk_id::text as subject from chunks
    where batch_id is null and settled = size and created_at < now() - ${days} * interval '1 day'
      and ${isUndoubted(sql`chunks.account_id`, sql`chunk_id`)}
    order by created_at limit ${stepMax} for update skip locked`.execute(trx);
  const sound = await soundOnly(trx, rows, await wrongSingleChecks(trx, subjectsOf(rows, 'bigint')));
  for (const [table, id] of [
    ['chunks', 'chunk_id'],
    ['items', 'request_id'],
  ] as const) {
    await sql`
      delete from ${sql.ref(table)} using (${subjectsOf(sound, 'bigint')}) as gone (account_id, id)
      where ${sql.ref(table)}.account_id = gone.account_id and ${sql.ref(id)} = gone.id`.execute(trx);
  }
  return { looked: rows.length, removed: sound.length };
}

type Subject = { accountId: number; subject: string };

function isUndoubted(accountId: RawBuilder<unknown>, subject: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`not exists (select from ledger_faults as fault
    where fault.account_id = ${accountId} and fault.subject = ${subject}::text)`;
}

function subjectsOf(of: Subject[], type: 'uuid' | 'bigint'): RawBuilder<unknown> {
  const accountIds = of.map(({ accountId }) => accountId);
  const subjects = of.map(({ subject }) => subject);
  return sql`select * from unnest(${accountIds}::bigint[], ${subjects}::${sql.raw(type)}[])`;
}

/** Notes what does not add up, and answers the others. */
async function soundOnly(trx: Trx, of: Subject[], found: Fault[]): Promise<Subject[]> {
  await faults.keep(trx, found);
  const keyOf = ({ accountId, subject }: Subject) => `${accountId} ${subject}`;
  const doubtful = new Set(found.map(keyOf));
  return of.filter((one) => !doubtful.has(keyOf(one)));
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
