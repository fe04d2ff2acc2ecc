import { sql } from 'kysely';
import type { Trx } from '../db/connect.ts';
import * as checks from '../db/ledger-checks.ts';

type Fault = checks.Fault;

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
export function without(faults: Fault[], others: Fault[]): Fault[] {
  const keys = new Set(others.map(keyOf));
  return faults.filter((fault) => !keys.has(keyOf(fault)));
}

function keyOf({ accountId, what, subject }: Fault): string {
  return `${accountId} ${what} ${subject}`;
}

function accountsOf(faults: Fault[]): number[] {
  return faults.map(({ accountId }) => accountId);
}

function stretchOf({ accountId, subject }: Fault): checks.Stretch {
  return { accountId, fromNo: Number(subject) - 1, toNo: Number(subject) };
}

function candidates(faults: Fault[], type: 'uuid' | 'bigint'): checks.Candidates {
  const subjects = faults.map(({ subject }) => subject);
  const accountIds = [...new Set(accountsOf(faults))];
  const query = sql`select distinct * from unnest(${accountsOf(faults)}::bigint[], ${subjects}::${sql.raw(type)}[])`;
  return { accountIds, query };
}
