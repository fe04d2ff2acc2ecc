/**
 * Verification of the ledger. A step reads about 10,000 rows of an account: entries, batches and single checks. Each
 * step reads a snapshot and takes no lock. Each statement names the account for every table, so that a cluster sends it
 * to the account's data node.
 */
import { sql } from 'kysely';
import { updateAccount } from '../accounts/accounts.ts';
import { isInBatchRange } from '../batches/batches.ts';
import { now } from '../postgres/clock.ts';
import { type Db, inSnapshot, type Trx } from '../postgres/connect.ts';

/** A contradiction between ledger, balance, batches and items. */
export interface LedgerFault {
  accountId: number;
  what: 'balance' | 'running_sum' | 'batch_credits' | 'batch_items' | 'single_checks';
  /** Id of the batch or single check, or number of the entry; empty for the whole account. */
  subject: string;
  /** Credits, or items for `batch_items`. */
  expected: number;
  found: number;
  /** More details; null for none. */
  note: string | null;
}

interface Page {
  /** Number of records on this page. */
  count: number;
  /** Number of rows that were read for these records. */
  rows: number;
  /** Key after which the next page begins; null on the last page. */
  next: string | null;
  faults: LedgerFault[];
}

/** Reads a page of about `rowsMax` rows after a key. The first page is after the key ''. */
type ReadPage = (trx: Trx, accountId: number, after: string, rowsMax: number) => Promise<Page>;

const readers = {
  entries: readEntries,
  batches: readBatches,
  singleChecks: readSingleChecks,
} satisfies Record<string, ReadPage>;
type Table = keyof typeof readers;
const tables = Object.keys(readers) as Table[];

/** Cursor of a verification, which can be stored as JSON. */
export interface VerificationPosition {
  accountId: number;
  table: Table;
  after: string;
}

interface VerificationStep {
  counts: Record<Table, number>;
  rows: number;
  faults: LedgerFault[];
  /** Null after the last step of the account. */
  next: VerificationPosition | null;
}

export function startPosition(accountId: number): VerificationPosition {
  return { accountId, table: 'entries', after: '' };
}

/** Verifies an account, starting at a position. Stops when `rowsMax` rows are read or the account is complete. */
export function verifyStep(db: Db, from: VerificationPosition, rowsMax = 10_000): Promise<VerificationStep> {
  return inSnapshot(db, async (trx) => {
    const read: VerificationStep = {
      counts: { entries: 0, batches: 0, singleChecks: 0 },
      rows: 0,
      faults: [],
      next: from,
    };
    while (read.next && read.rows < rowsMax) {
      const { accountId, table, after } = read.next;
      const page = await readers[table](trx, accountId, after, rowsMax - read.rows);
      read.counts[table] += page.count;
      read.rows += page.rows;
      read.faults.push(...page.faults);
      const following = page.next === null ? tables[tables.indexOf(table) + 1] : table;
      read.next = following ? { accountId, table: following, after: page.next ?? '' } : null;
    }
    return read;
  });
}

interface Verification {
  ok: boolean;
  /** Start, by Postgres's clock. */
  verifiedAt: Date;
  accounts: number;
  entries: number;
  batches: number;
  singleChecks: number;
  /** The first hundred faults. */
  faults: LedgerFault[];
}

const faultsMax = 100;

/** Verifies the given accounts, or all accounts. Reads the whole ledger of each account. */
export async function verify(db: Db, accountIds: number[] | 'all' = 'all'): Promise<Verification> {
  const verifiedAt = await now(db);
  const sum = { accounts: 0, entries: 0, batches: 0, singleChecks: 0 };
  const faults: LedgerFault[] = [];
  let isOk = true;
  for await (const accountId of accountIds === 'all' ? allAccounts(db) : accountIds) {
    sum.accounts += 1;
    for (let at: VerificationPosition | null = startPosition(accountId); at; ) {
      const read: VerificationStep = await verifyStep(db, at);
      for (const table of tables) sum[table] += read.counts[table];
      isOk &&= read.faults.length === 0;
      faults.push(...read.faults.slice(0, faultsMax - faults.length));
      at = read.next;
    }
  }
  return { ok: isOk, verifiedAt, ...sum, faults };
}

async function* allAccounts(db: Db): AsyncGenerator<number> {
  for (let id = await nextAccount(db, 0); id !== null; id = await nextAccount(db, id)) yield id;
}

/** Returns the next account by id; null after the last account. */
export async function nextAccount(db: Db, accountId: number): Promise<number | null> {
  const row = await db
    .selectFrom('accounts')
    .select('accountId')
    .where('accountId', '>', accountId)
    .orderBy('accountId')
    .limit(1)
    .executeTakeFirst();
  return row?.accountId ?? null;
}

/**
 * Returns accounts with an alarm, and accounts with a new ledger entry, ended batch or single check since a time.
 * Ledger entries alone are not enough: the answer of a paid check changes counters, but no credits.
 */
export async function findChanged(db: Db, since: Date): Promise<number[]> {
  const { rows } = await sql<{ accountId: number }>`
    select account_id from ledger_entries where created_at >= ${since}
    union select account_id from batches where purged_at is null and completed_at >= ${since}
    union select account_id from chunks where batch_id is null and created_at >= ${since}
    union select account_id from accounts where ledger_fault_since is not null`.execute(db);
  return rows.map(({ accountId }) => accountId);
}

/** Returns the accounts whose last verification found a fault. */
export async function findFaulty(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('accountId')
    .where('ledgerFaultSince', 'is not', null)
    .execute();
  return rows.map(({ accountId }) => accountId);
}

export async function setAlarm(db: Db, accountId: number, isFaulty: boolean): Promise<void> {
  await updateAccount(db, accountId)
    .set({ ledgerFaultSince: isFaulty ? sql`now()` : null })
    .where('ledgerFaultSince', isFaulty ? 'is' : 'is not', null)
    .execute();
}

async function readEntries(trx: Trx, accountId: number, after: string, rowsMax: number): Promise<Page> {
  const { lastNo } = await trx
    .selectFrom('ledgerEntries')
    .select(sql<number>`coalesce(max(entry_no), 0)`.as('lastNo'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  const fromNo = Number(after);
  const toNo = Math.min(lastNo, fromNo + rowsMax);
  const isLast = toNo === lastNo;
  return {
    count: toNo - fromNo,
    rows: toNo - fromNo,
    next: isLast ? null : String(toNo),
    faults: [
      ...(await findBrokenSums(trx, accountId, fromNo, toNo)),
      ...(await findWrongBatches(trx, accountId, await findMissingBatches(trx, accountId, fromNo, toNo))),
      ...(isLast ? await findWrongBalance(trx, accountId) : []),
    ],
  };
}

/**
 * Finds entries whose balance is not the previous balance plus the amount. Also finds entries whose predecessor is
 * missing.
 */
async function findBrokenSums(
  trx: Trx,
  accountId: number,
  fromNo: number,
  toNo: number,
): Promise<LedgerFault[]> {
  const { rows } = await sql<LedgerFault>`
    select ${accountId}::bigint as account_id, 'running_sum' as what, entry_no::text as subject, expected, found,
      case when no_before <> entry_no - 1 then 'the previous entry is missing' end as note
    from (
      select entry_no, balance_after as found,
        coalesce(lag(balance_after) over (order by entry_no), 0) + amount as expected,
        coalesce(lag(entry_no) over (order by entry_no), 0) as no_before
      from ledger_entries
      where account_id = ${accountId} and entry_no between ${fromNo} and ${toNo}) as entries
    where entry_no > ${fromNo} and (found <> expected or no_before <> entry_no - 1)`.execute(trx);
  return rows;
}

/** Returns a fault if the account's credits or number of entries do not match the last entry. */
async function findWrongBalance(trx: Trx, accountId: number): Promise<LedgerFault[]> {
  const { rows } = await sql<LedgerFault>`
    select ${accountId}::bigint as account_id, 'balance' as what, '' as subject,
      coalesce(balance_after, 0) as expected, credits as found,
      case when entry_no is distinct from nullif(entries, 0) then format('%s entries counted', entries) end as note
    from accounts left join lateral (
      select entry_no, balance_after from ledger_entries where account_id = ${accountId}
      order by entry_no desc limit 1) as latest on true
    where accounts.account_id = ${accountId}
      and (credits <> coalesce(balance_after, 0) or entries <> coalesce(entry_no, 0))`.execute(trx);
  return rows;
}

/** Finds missing batches that entries refer to. `readBatches` verifies existing batches. */
async function findMissingBatches(
  trx: Trx,
  accountId: number,
  fromNo: number,
  toNo: number,
): Promise<string[]> {
  const { rows } = await sql<{ batchId: string }>`
    select distinct batch_id from ledger_entries as entry
    where entry.account_id = ${accountId} and entry_no > ${fromNo} and entry_no <= ${toNo} and batch_id is not null
      and not exists (
        select from batches where batches.account_id = ${accountId} and batches.batch_id = entry.batch_id)
    `.execute(trx);
  return rows.map(({ batchId }) => batchId);
}

const batchesMax = 200;
const uuidMin = '00000000-0000-0000-0000-000000000000';

async function readBatches(trx: Trx, accountId: number, after: string, rowsMax: number): Promise<Page> {
  const { rows: page } = await sql<{ batchId: string; rowsBefore: number; items: number }>`
    select batch_id, items, sum(items + 1) over (order by batch_id) - items - 1 as rows_before
    from (
      select batch_id, case when purged_at is null then successful + failed else 0 end as items from batches
      where account_id = ${accountId} and batch_id > ${after || uuidMin}::uuid
      order by batch_id limit ${batchesMax}) as page`.execute(trx);
  // The first batch is read even if it has more than `rowsMax` items.
  const found = page.filter(({ rowsBefore }) => rowsBefore === 0 || rowsBefore < rowsMax);
  const batchIds = found.map(({ batchId }) => batchId);
  return {
    count: found.length,
    rows: found.reduce((sum, { items }) => sum + items + 1, 0),
    next: found.length === page.length && page.length < batchesMax ? null : (batchIds.at(-1) ?? null),
    faults: await findWrongBatches(trx, accountId, batchIds),
  };
}

/**
 * Finds batches with a wrong cost or wrong counters. Charges minus refunds must equal the number of answered and
 * unfinished items, plus AI Overviews that are not refunded. For tests, charges minus refunds must be 0. Counters must
 * match the items. Charges and refunds are looked up separately, because each has its own index.
 */
async function findWrongBatches(trx: Trx, accountId: number, batchIds: string[]): Promise<LedgerFault[]> {
  if (batchIds.length === 0) return [];
  const { rows } = await sql<LedgerFault>`
    with checked as materialized (
      select candidate.batch_id, case when is_test then 0 else coalesce(total - failed + overviews - overviews_refunded, 0) end as price,
        charged - refunded as paid, successful, failed, successes, failures, completed_at,
        overviews - overviews_refunded as overviews, read_overviews,
        total is not null and purged_at is null as is_kept
      from unnest(${batchIds}::uuid[]) as candidate (batch_id)
      left join lateral (select * from batches
        where batches.account_id = ${accountId} and batches.batch_id = candidate.batch_id limit 1) as batch on true
      cross join lateral (select coalesce(-sum(amount), 0)::bigint as charged from ledger_entries as entry
        where entry.account_id = ${accountId} and entry.batch_id = candidate.batch_id and kind = 'charge') as charges
      cross join lateral (select coalesce(sum(amount), 0)::bigint as refunded from ledger_entries as entry
        where entry.account_id = ${accountId} and entry.batch_id = candidate.batch_id and kind = 'refund') as refunds
      cross join lateral (
        select count(*) filter (where state = 'success') as successes,
          count(*) filter (where state = 'failed') as failures,
          count(*) filter (where batch.overviews > 0 and outcome->'ai_overview'->>'state' = 'shown') as read_overviews
        from items where items.account_id = ${accountId} and items.batch_id = candidate.batch_id
          and ${isInBatchRange('batch', 'items.request_id')} and total is not null and purged_at is null) as stored)
    select ${accountId}::bigint as account_id, batch_id::text as subject, what, expected, found, note
    from checked cross join lateral (values
      ('batch_credits', price::bigint, paid, null),
      ('batch_items', successful + failed, successes + failures,
        format('%s and %s counted, %s and %s stored', successful, failed, successes, failures)),
      ('batch_items', overviews, read_overviews, 'AI Overviews')
    ) as compared (what, expected, found, note)
    where case
      when what = 'batch_credits' then expected <> found
      when note = 'AI Overviews' then is_kept and completed_at is not null and expected <> found
      else is_kept and (successful <> successes or failed <> failures) end`.execute(trx);
  return rows;
}

// A single check has a chunk, an item and a charge.
const rowsPerSingleCheck = 3;

async function readSingleChecks(trx: Trx, accountId: number, after: string, rowsMax: number): Promise<Page> {
  const limit = Math.max(1, Math.floor(rowsMax / rowsPerSingleCheck));
  const page = await trx
    .selectFrom('chunks')
    .select(['chunkId', 'batchId'])
    .where('accountId', '=', accountId)
    .where('chunkId', '>', Number(after))
    .orderBy('chunkId')
    .limit(limit)
    .execute();
  const requestIds = page.filter(({ batchId }) => batchId === null).map(({ chunkId }) => chunkId);
  const last = page.at(-1);
  return {
    count: requestIds.length,
    rows: page.length + (rowsPerSingleCheck - 1) * requestIds.length,
    next: last && page.length === limit ? String(last.chunkId) : null,
    faults: await findWrongSingleChecks(trx, accountId, requestIds),
  };
}

/**
 * Finds single checks with a wrong cost. The cost is 1 for an answered or unfinished check, and 0 for a failed check or
 * a test. An AI Overview that was read or may still be read costs 1 more.
 */
async function findWrongSingleChecks(
  trx: Trx,
  accountId: number,
  requestIds: number[],
): Promise<LedgerFault[]> {
  if (requestIds.length === 0) return [];
  const { rows } = await sql<LedgerFault>`
    select ${accountId}::bigint as account_id, 'single_checks' as what, request_id::text as subject,
      price as expected, paid as found, null as note
    from unnest(${requestIds}::bigint[]) as candidate (request_id)
    cross join lateral (select settled, is_test, inputs->0->'input'->'include' as include from chunks
      where chunks.account_id = ${accountId} and chunk_id = request_id and batch_id is null limit 1) as begun
    left join lateral (select state, outcome from items
      where items.account_id = ${accountId} and items.request_id = candidate.request_id limit 1) as item on true
    cross join lateral (select coalesce(-sum(amount), 0)::bigint as paid from ledger_entries as entry
      where entry.account_id = ${accountId} and entry.request_id = candidate.request_id) as payment
    cross join lateral (select case
      when is_test then 0
      when settled = 0 then 1 + coalesce(include::jsonb ? 'ai_overview', false)::int
      when state = 'success' then 1 + coalesce(outcome->'ai_overview'->>'state' = 'shown', false)::int
      else 0 end as price) as due
    where price <> paid`.execute(trx);
  return rows;
}
