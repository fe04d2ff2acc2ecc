/** The books of lately: what was written to them since a moment, at a cost that does not grow with what is older. */
import { sql } from 'kysely';
import type { Trx } from './connect.ts';
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

/**
 * What does not add up of stretches of ledgers, of the batches and single checks they are for, of batches that ended
 * since a moment, and of single checks begun since. A fault may come twice.
 */
export async function faultsSince(
  trx: Trx,
  stretches: checks.Stretch[],
  since: Date,
): Promise<checks.Fault[]> {
  const accountIds = stretches.map(({ accountId }) => accountId);
  const entries = checks.entriesOf(stretches);
  return [
    ...(await checks.alteredMarks(trx, accountIds)),
    ...(await checks.brokenChains(trx, stretches)),
    ...(await checks.wrongBalances(trx, accountIds)),
    ...(await checks.wrongBatches(
      trx,
      sql`select entry.account_id, batch_id from ${entries} where batch_id is not null
        union select account_id, batch_id from batches where purged_at is null and completed_at >= ${since}`,
    )),
    ...(await checks.wrongSingleChecks(
      trx,
      sql`select entry.account_id, request_id from ${entries} where request_id is not null
        union select account_id, chunk_id from chunks where batch_id is null and created_at >= ${since}`,
    )),
  ];
}
