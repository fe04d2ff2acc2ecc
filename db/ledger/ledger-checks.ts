/**
 * What must hold of the books, for whoever looks at them: those written lately, all of them piece by piece, or all
 * at once. Each proof reads the rows it is asked about, by their keys, and none of the history before them; each is
 * to run in a transaction whose snapshot does not change.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../postgres/connect.ts';
import { isInRangeOf } from '../postgres/id-range.ts';

/** One thing that does not add up. */
export interface LedgerFault {
  accountId: number;
  what: 'balance' | 'running_sum' | 'verified_balance' | 'batch_credits' | 'batch_items' | 'single_checks';
  /** The id of the batch or single check or the number of the entry; empty for the account as a whole. */
  subject: string;
  /** Credits, or items for `batch_items`. */
  expected: number;
  found: number;
  /** What two numbers cannot say; null where they do. */
  note: string | null;
}

/** A part of an account's ledger: the entries after one, which is looked at as the one they go on from. */
export interface LedgerStretch {
  accountId: number;
  fromNo: number;
  toNo: number;
}

/** A query of accounts with the ids of batches or of checks, in two columns, and the accounts: on a cluster one. */
export interface Candidates {
  accountIds: number[];
  query: RawBuilder<unknown>;
}

/** How many faults a proof answers at most: a look at fewer batches or checks finds all of them. */
export const faultsMax = 2000;

/** Stretches as a table with the columns account_id, from_no and to_no. */
export function stretchTable(stretches: LedgerStretch[]): RawBuilder<unknown> {
  const accountIds = stretches.map(({ accountId }) => accountId);
  const fromNos = stretches.map(({ fromNo }) => fromNo);
  const toNos = stretches.map(({ toNo }) => toNo);
  return sql`unnest(${accountIds}::bigint[], ${fromNos}::bigint[], ${toNos}::bigint[])
    as stretch (account_id, from_no, to_no)`;
}

/** The entries of stretches, as a table `entry`; to be followed by further joins and conditions. */
export function entriesOf(
  stretches: LedgerStretch[],
  accountIds = accountsOf(stretches),
): RawBuilder<unknown> {
  // Without the offset the planner joins with a scan of the whole ledger: it cannot know how short stretches are.
  return sql`${stretchTable(stretches)} cross join lateral (
    select * from ledger_entries as entry
    where entry.account_id = stretch.account_id and ${isOf('entry', accountIds)}
      and entry_no > from_no and entry_no <= to_no offset 0) as entry`;
}

/** One account is named for every table, so that a cluster sees that all of it is in one place. */
function isOf(table: string, [accountId, ...others]: number[]): RawBuilder<unknown> {
  if (accountId === undefined || others.length > 0) return sql`true`;
  return sql`${sql.ref(table)}.account_id = ${accountId}`;
}

function accountsOf(stretches: LedgerStretch[]): number[] {
  return [...new Set(stretches.map(({ accountId }) => accountId))];
}

/** Entries that do not go on from the one before, which by and by proves the sum. */
export async function brokenChains(trx: Trx, stretches: LedgerStretch[]): Promise<LedgerFault[]> {
  if (stretches.length === 0) return [];
  const { rows } = await sql<LedgerFault>`
    select account_id, 'running_sum' as what, entry_no::text as subject, expected, found,
      case when no_before <> entry_no - 1 then 'the entry before it is missing' end as note
    from ${stretchTable(stretches)} cross join lateral (
      select entry_no, balance_after as found,
        coalesce(lag(balance_after) over (order by entry_no), 0) + amount as expected,
        coalesce(lag(entry_no) over (order by entry_no), 0) as no_before
      from ledger_entries as entry
      where entry.account_id = stretch.account_id and ${isOf('entry', accountsOf(stretches))}
        and entry_no between from_no and to_no) as entries
    where entry_no > from_no and (found <> expected or no_before <> entry_no - 1)
    limit ${faultsMax}`.execute(trx);
  return rows;
}

/** Accounts whose credits or number of entries are not those of their last entry. */
export async function wrongBalances(trx: Trx, accountIds: number[]): Promise<LedgerFault[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await sql<LedgerFault>`
    select account_id, 'balance' as what, '' as subject, coalesce(balance_after, 0) as expected, credits as found,
      case when entry_no is distinct from nullif(entries, 0) then format('%s entries counted', entries) end as note
    from accounts left join lateral (
      select entry_no, balance_after from ledger_entries as entry
      where entry.account_id = accounts.account_id and ${isOf('entry', accountIds)}
      order by entry_no desc limit 1) as latest on true
    where accounts.account_id = any(${accountIds}::bigint[]) and ${isOf('accounts', accountIds)}
      and (credits <> coalesce(balance_after, 0) or entries <> coalesce(entry_no, 0))
    limit ${faultsMax}`.execute(trx);
  return rows;
}

/** Accounts whose last verified entry is not what it was then. */
export async function alteredMarks(trx: Trx, accountIds: number[]): Promise<LedgerFault[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await sql<LedgerFault>`
    select mark.account_id, 'verified_balance' as what, '' as subject, balance as expected,
      coalesce(balance_after, 0) as found, format('entry %s', mark.entry_no) as note
    from ledger_marks as mark left join lateral (
      select balance_after from ledger_entries as entry
      where entry.account_id = mark.account_id and ${isOf('entry', accountIds)}
        and entry.entry_no = mark.entry_no limit 1) as entries on true
    where mark.account_id = any(${accountIds}::bigint[]) and ${isOf('mark', accountIds)}
      and balance is distinct from balance_after
    limit ${faultsMax}`.execute(trx);
  return rows;
}

/**
 * Batches for which more or less was paid than was answered or is open, tests for which anything was, or batches which
 * keep other items than they counted. Charges and refunds are looked up by an index each.
 */
export async function wrongBatches(trx: Trx, { accountIds, query }: Candidates): Promise<LedgerFault[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await sql<LedgerFault>`
    with checked as materialized (
      select candidate.*, case when is_test then 0 else coalesce(total - failed, 0) end as owed, charged - refunded as paid,
        successful, failed, successes, failures, total is not null and purged_at is null as is_kept
      from (${query}) as candidate (account_id, batch_id)
      left join lateral (select * from batches where batches.account_id = candidate.account_id
        and ${isOf('batches', accountIds)} and batches.batch_id = candidate.batch_id limit 1) as batch on true
      cross join lateral (select coalesce(-sum(amount), 0)::bigint as charged from ledger_entries as entry
        where entry.account_id = candidate.account_id and ${isOf('entry', accountIds)}
          and entry.batch_id = candidate.batch_id
          and kind = 'charge') as charges
      cross join lateral (select coalesce(sum(amount), 0)::bigint as refunded from ledger_entries as entry
        where entry.account_id = candidate.account_id and ${isOf('entry', accountIds)}
          and entry.batch_id = candidate.batch_id
          and kind = 'refund') as refunds
      cross join lateral (
        select count(*) filter (where state = 'success') as successes,
          count(*) filter (where state = 'failed') as failures
        from items where items.account_id = candidate.account_id and ${isOf('items', accountIds)}
          and items.batch_id = candidate.batch_id and ${isInRangeOf('batch', 'items.request_id')}
          and total is not null and purged_at is null) as stored)
    select account_id, batch_id::text as subject, what, expected, found, note
    from checked cross join lateral (values
      ('batch_credits', owed::bigint, paid, null),
      ('batch_items', successful + failed, successes + failures,
        format('%s and %s counted, %s and %s stored', successful, failed, successes, failures))
    ) as compared (what, expected, found, note)
    where case what when 'batch_credits' then expected <> found
      else is_kept and (successful <> successes or failed <> failures) end
    limit ${faultsMax}`.execute(trx);
  return rows;
}

/**
 * Single checks that cost something else than one credit when answered or open and none when failed, or tests at all.
 */
export async function wrongSingleChecks(trx: Trx, { accountIds, query }: Candidates): Promise<LedgerFault[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await sql<LedgerFault>`
    select candidate.account_id, 'single_checks' as what, request_id::text as subject, owed as expected, paid as found,
      null as note
    from (${query}) as candidate (account_id, request_id)
    cross join lateral (select settled, is_test from chunks where chunks.account_id = candidate.account_id
      and ${isOf('chunks', accountIds)} and chunk_id = request_id and batch_id is null limit 1) as begun
    left join lateral (select state from items where items.account_id = candidate.account_id
      and ${isOf('items', accountIds)} and items.request_id = candidate.request_id limit 1) as item on true
    cross join lateral (select coalesce(-sum(amount), 0)::bigint as paid from ledger_entries as entry
      where entry.account_id = candidate.account_id and ${isOf('entry', accountIds)}
        and entry.request_id = candidate.request_id) as payment
    cross join lateral (select case
      when is_test then 0 when settled = 0 or state = 'success' then 1 else 0 end as owed) as due
    where owed <> paid
    limit ${faultsMax}`.execute(trx);
  return rows;
}
