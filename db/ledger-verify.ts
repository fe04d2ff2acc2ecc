import { sql } from 'kysely';
import { type Db, inSnapshot, type Trx } from './connect.ts';

/** One thing that does not add up. */
export interface Discrepancy {
  accountId: number;
  what: 'balance' | 'running_sum' | 'verified_balance' | 'batch_credits' | 'batch_items' | 'single_checks';
  batchId?: string;
  expected: number;
  found: number;
  /** What two numbers cannot say. */
  note?: string;
}

export interface Verification {
  ok: boolean;
  /** When the snapshot was taken, by Postgres's clock. */
  verifiedAt: Date;
  accounts: number;
  entries: number;
  batches: number;
  singleChecks: number;
  discrepancies: Discrepancy[];
}

const discrepanciesMax = 100;

/**
 * Proves the books, for the accounts given or for all, from one snapshot: credits are the sum of the entries,
 * every balance is the running sum, and for batches and single checks charges less refunds equal what was
 * answered or is still open. Reads only, and takes no lock that stops anyone.
 */
export function verify(db: Db, accountIds: number[] | 'all' = 'all'): Promise<Verification> {
  const ids = accountIds === 'all' ? null : accountIds;
  return inSnapshot(db, async (trx) => {
    const counts = await countAll(trx, ids);
    const found = [
      ...(await balances(trx, ids)),
      ...(await runningSums(trx, ids)),
      ...(await batchCredits(trx, ids)),
      ...(await batchItems(trx, ids)),
      ...(await singleChecks(trx, ids)),
    ];
    const discrepancies = found.slice(0, discrepanciesMax);
    return { ok: found.length === 0, ...counts, discrepancies };
  });
}

/**
 * Accounts with a ledger entry since a moment, or a batch that was running: an answer moves counters, but no
 * credits.
 */
export async function touchedSince(db: Db, since: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('ledgerEntries')
    .select('accountId')
    .where('createdAt', '>=', since)
    .union(
      db
        .selectFrom('batches')
        .select('accountId')
        .where('purgedAt', 'is', null)
        .where((eb) => eb.or([eb('completedAt', 'is', null), eb('completedAt', '>=', since)])),
    )
    .execute();
  return rows.map(({ accountId }) => accountId);
}

type Ids = number[] | null;

const within = (column: string, ids: Ids) =>
  ids === null ? sql`true` : sql`${sql.ref(column)} = any(${ids}::bigint[])`;

async function countAll(trx: Trx, ids: Ids) {
  const { rows } = await sql<Omit<Verification, 'ok' | 'discrepancies'>>`
    select now() as verified_at,
      (select count(*) from accounts where ${within('account_id', ids)}) as accounts,
      (select count(*) from ledger_entries where ${within('account_id', ids)}) as entries,
      (select count(*) from batches where ${within('account_id', ids)}) as batches,
      (select count(*) from chunks where batch_id is null and ${within('account_id', ids)}) as single_checks
    `.execute(trx);
  return rows[0] ?? { verifiedAt: new Date(), accounts: 0, entries: 0, batches: 0, singleChecks: 0 };
}

async function balances(trx: Trx, ids: Ids): Promise<Discrepancy[]> {
  const { rows } = await sql<Discrepancy>`
    select account_id, 'balance' as what, coalesce(entries.sum, 0) as expected, credits as found
    from accounts
    left join (select account_id, sum(amount)::bigint as sum, count(*) as count from ledger_entries
      where ${within('account_id', ids)} group by account_id) as entries using (account_id)
    where ${within('account_id', ids)}
      and (credits <> coalesce(entries.sum, 0) or accounts.entries <> coalesce(entries.count, 0))`.execute(
    trx,
  );
  return rows;
}

async function runningSums(trx: Trx, ids: Ids): Promise<Discrepancy[]> {
  const { rows } = await sql<Discrepancy>`
    select account_id, 'running_sum' as what, expected, balance_after as found
    from (
      select account_id, balance_after,
        (sum(amount) over (partition by account_id order by entry_no))::bigint as expected
      from ledger_entries where ${within('account_id', ids)}) as entries
    where balance_after <> expected limit ${discrepanciesMax}`.execute(trx);
  return rows;
}

async function batchCredits(trx: Trx, ids: Ids): Promise<Discrepancy[]> {
  const { rows } = await sql<Discrepancy>`
    select account_id, batch_id, 'batch_credits' as what, total - failed as expected, coalesce(paid.credits, 0) as found
    from batches
    full join (
      select account_id, batch_id, -sum(amount)::bigint as credits from ledger_entries
      where batch_id is not null and ${within('account_id', ids)}
      group by account_id, batch_id) as paid using (account_id, batch_id)
    where ${within('account_id', ids)} and total - failed is distinct from coalesce(paid.credits, 0)
    limit ${discrepanciesMax}`.execute(trx);
  return rows.map((row) => ({ ...row, expected: row.expected ?? 0 }));
}

async function batchItems(trx: Trx, ids: Ids): Promise<Discrepancy[]> {
  const { rows } = await sql<Discrepancy>`
    select batches.account_id, batches.batch_id, 'batch_items' as what,
      successful + failed as expected, coalesce(stored.successes + stored.failures, 0) as found,
      format('%s and %s counted, %s and %s stored', successful, failed, coalesce(stored.successes, 0),
        coalesce(stored.failures, 0)) as note
    from batches
    left join (
      select account_id, batch_id, count(*) filter (where state = 'success') as successes,
        count(*) filter (where state = 'failed') as failures
      from items where batch_id is not null and ${within('account_id', ids)}
      group by account_id, batch_id) as stored using (account_id, batch_id)
    where purged_at is null and ${within('batches.account_id', ids)}
      and (successful <> coalesce(stored.successes, 0) or failed <> coalesce(stored.failures, 0))
    limit ${discrepanciesMax}`.execute(trx);
  return rows;
}

/**
 * Charges less refunds over an account's single checks are those answered, whether kept or purged, or still
 * open.
 */
async function singleChecks(trx: Trx, ids: Ids): Promise<Discrepancy[]> {
  const { rows } = await sql<Discrepancy>`
    select account_id, 'single_checks' as what, coalesce(kept.checks, 0) as expected, coalesce(paid.checks, 0) as found
    from (
      select chunks.account_id, count(*)
      from chunks
      left join items on items.account_id = chunks.account_id and items.request_id = chunks.chunk_id
      where chunks.batch_id is null and ${within('chunks.account_id', ids)}
        and (settled = 0 or items.state = 'success')
      group by chunks.account_id) as kept (account_id, checks)
    full join (
      select account_id, -sum(amount)::bigint as checks
      from ledger_entries
      where request_id is not null and ${within('account_id', ids)}
        and exists (select from chunks where chunks.account_id = ledger_entries.account_id
          and chunk_id = request_id)
      group by account_id) as paid using (account_id)
    where coalesce(kept.checks, 0) <> coalesce(paid.checks, 0)
    limit ${discrepanciesMax}`.execute(trx);
  return rows;
}
