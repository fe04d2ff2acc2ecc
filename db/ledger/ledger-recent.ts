/** The books of lately: what was written to them since a moment, at a cost that does not grow with what is older. */
import { sql } from 'kysely';
import type { Trx } from '../postgres/connect.ts';
import * as checks from './ledger-checks.ts';

// Rows carry the moment their transaction began; ours end within half of this.
const overlap = sql`interval '60 seconds'`;
// After a longer time without anybody who watched, the full pass finds what is older.
const lookBack = sql`interval '1 hour'`;

/** From where a look goes back, for one that comes after another at `last` (null: the first), and its own moment. */
export async function moments(trx: Trx, last: Date | null): Promise<{ now: Date; since: Date }> {
  const { rows } = await sql<{ now: Date; since: Date }>`
    select now() as now, greatest(${last}::timestamptz - ${overlap}, now() - ${lookBack}) as since`.execute(
    trx,
  );
  const { now = new Date(), since = new Date() } = rows[0] ?? {};
  return { now, since };
}

/** A batch or a single check that was written to; the one or the other is null. */
export interface Touched {
  accountId: number;
  batchId: string | null;
  requestId: number | null;
}

/** Batches that ended since a moment, and single checks begun: an answer moves counters, but no credits. */
export async function touchedSince(trx: Trx, since: Date): Promise<Touched[]> {
  const { rows } = await sql<Touched>`
    select account_id, batch_id, null::bigint as request_id from batches
      where purged_at is null and completed_at >= ${since}
    union all
    select account_id, null::uuid, chunk_id from chunks where batch_id is null and created_at >= ${since}
    `.execute(trx);
  return rows;
}

/**
 * What does not add up of stretches of ledgers, of the batches and single checks they are for, and of those that were
 * touched; all of these accounts, on a cluster one. A fault may come twice.
 */
export async function faultsOf(
  trx: Trx,
  accountIds: number[],
  stretches: checks.LedgerStretch[],
  touched: Touched[],
): Promise<checks.LedgerFault[]> {
  const batches = touched.filter(({ batchId }) => batchId !== null);
  const singles = touched.filter(({ requestId }) => requestId !== null);
  const entries = checks.entriesOf(stretches, accountIds);
  return [
    ...(await checks.alteredMarks(trx, accountIds)),
    ...(await checks.brokenChains(trx, stretches)),
    ...(await checks.wrongBalances(trx, accountIds)),
    ...(await checks.wrongBatches(trx, {
      accountIds,
      query: sql`select entry.account_id, batch_id from ${entries} where batch_id is not null
        union select * from unnest(${accountsOf(batches)}::bigint[], ${batches.map((one) => one.batchId)}::uuid[])`,
    })),
    ...(await checks.wrongSingleChecks(trx, {
      accountIds,
      query: sql`select entry.account_id, request_id from ${entries} where request_id is not null
        union select * from unnest(${accountsOf(singles)}::bigint[], ${singles.map((one) => one.requestId)}::bigint[])`,
    })),
  ];
}

function accountsOf(all: { accountId: number }[]): number[] {
  return all.map(({ accountId }) => accountId);
}
