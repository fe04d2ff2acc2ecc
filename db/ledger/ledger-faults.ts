import { sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';
import * as checks from './ledger-checks.ts';

type Fault = checks.LedgerFault;

/** A fault that is on record until a look finds it mended. */
export interface KeptFault extends Fault {
  /** When the first look found it, by Postgres's clock. */
  foundAt: Date;
}

/** Faults that are not known to be mended, those found first in front; at most `limit`. */
export async function list(db: Db | Trx, limit: number): Promise<KeptFault[]> {
  const rows = await db
    .selectFrom('ledgerFaults')
    .select(['accountId', 'what', 'subject', 'expected', 'found', 'note', 'foundAt'])
    .orderBy('foundAt')
    .orderBy('accountId')
    .orderBy('what')
    .orderBy('subject')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, what: row.what as Fault['what'] }));
}

/** Whether there is any. */
export async function areThere(db: Db): Promise<boolean> {
  return (await list(db, 1)).length > 0;
}

/** Keeps what was found, however much; of what is known already the numbers of today. */
export async function keep(trx: Trx, faults: Fault[]): Promise<void> {
  if (faults.length === 0) return;
  // One parameter: a statement takes 65,535 at most.
  await sql`
    insert into ledger_faults (account_id, what, subject, expected, found, note)
    select "accountId", what, subject, expected, found, note from json_to_recordset(${JSON.stringify(faults)}::json)
      as fault ("accountId" bigint, what text, subject text, expected bigint, found bigint, note text)
    on conflict (account_id, what, subject) do update
    set expected = excluded.expected, found = excluded.found, note = excluded.note`.execute(trx);
}

/** Forgets what has been mended. */
export async function forget(trx: Trx, mended: Fault[]): Promise<void> {
  if (mended.length === 0) return;
  await sql`
    delete from ledger_faults using unnest(${accountsOf(mended)}::bigint[],
      ${mended.map(({ what }) => what)}::text[], ${mended.map(({ subject }) => subject)}::text[])
      as mended (account_id, what, subject)
    -- So that a cluster asks those that have them.
    where ledger_faults.account_id = any(${accountsOf(mended)}::bigint[])
      and ledger_faults.account_id = mended.account_id and ledger_faults.what = mended.what
      and ledger_faults.subject = mended.subject`.execute(trx);
}

/** Looks again at what faults are about, on a cluster of one account, and answers those that are still there. */
export async function stillThere(trx: Trx, known: Fault[]): Promise<Fault[]> {
  const of = (...whats: Fault['what'][]) => known.filter(({ what }) => whats.includes(what));
  const found = [
    ...(await checks.wrongBalances(trx, accountsOf(of('balance')))),
    ...(await checks.alteredMarks(trx, accountsOf(of('verified_balance')))),
    ...(await checks.brokenChains(trx, of('running_sum').map(stretchOf))),
    ...(await checks.wrongBatches(trx, candidates(of('batch_credits', 'batch_items'), 'uuid'))),
    ...(await checks.wrongSingleChecks(trx, candidates(of('single_checks'), 'bigint'))),
  ];
  const keys = new Set(known.map(keyOf));
  return found.filter((fault) => keys.has(keyOf(fault)));
}

/** Each fault once, in the order of the first. */
export function distinct(faults: Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [keyOf(fault), fault])).values()];
}

/** Those of one list that are not in another. */
export function without<F extends Fault>(faults: F[], others: Fault[]): F[] {
  const keys = new Set(others.map(keyOf));
  return faults.filter((fault) => !keys.has(keyOf(fault)));
}

function keyOf({ accountId, what, subject }: Fault): string {
  return `${accountId} ${what} ${subject}`;
}

function accountsOf(faults: Fault[]): number[] {
  return faults.map(({ accountId }) => accountId);
}

function stretchOf({ accountId, subject }: Fault): checks.LedgerStretch {
  return { accountId, fromNo: Number(subject) - 1, toNo: Number(subject) };
}

function candidates(faults: Fault[], type: 'uuid' | 'bigint'): checks.Candidates {
  const subjects = faults.map(({ subject }) => subject);
  const accountIds = [...new Set(accountsOf(faults))];
  const query = sql`select distinct * from unnest(${accountsOf(faults)}::bigint[], ${subjects}::${sql.raw(type)}[])`;
  return { accountIds, query };
}
