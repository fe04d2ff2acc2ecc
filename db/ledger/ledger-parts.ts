/**
 * The books of an account piece by piece, for whoever reads all of them. Each piece is bounded in rows and is to be
 * read in a transaction that sees one moment.
 */
import { sql } from 'kysely';
import type { Db, Trx } from '../postgres/connect.ts';
import * as checks from './ledger-checks.ts';

export interface Piece {
  /** How many rows were looked at. */
  rows: number;
  /** Where the next piece begins; null when this was the last one. */
  next: string | null;
  faults: checks.LedgerFault[];
}

/** Reads the piece after a place, which is '' at the beginning, of about so many rows. */
type Read = (trx: Trx, accountId: number, after: string, rowsMax: number) => Promise<Piece>;

/** All that there is to read of an account, in order. */
export const parts: readonly Read[] = [readEntries, readBatches, readSingleChecks];

/** The account that comes after one; null when that was the last. Begins after 0. */
export async function accountAfter(trx: Trx, accountId: number): Promise<number | null> {
  const row = await trx
    .selectFrom('accounts')
    .select('accountId')
    .where('accountId', '>', accountId)
    .orderBy('accountId')
    .limit(1)
    .executeTakeFirst();
  return row?.accountId ?? null;
}

/** How many accounts there are. */
export async function countAccounts(db: Db | Trx): Promise<number> {
  const { accounts } = await db
    .selectFrom('accounts')
    .select(sql<number>`count(*)`.as('accounts'))
    .executeTakeFirstOrThrow();
  return accounts;
}

async function readEntries(trx: Trx, accountId: number, after: string, rowsMax: number): Promise<Piece> {
  const { entries } = await trx
    .selectFrom('accounts')
    .select('entries')
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  const fromNo = Number(after);
  const toNo = Math.min(entries, fromNo + rowsMax);
  const stretches = [{ accountId, fromNo, toNo }];
  const isLast = toNo >= entries;
  return {
    rows: toNo - fromNo,
    next: isLast ? null : String(toNo),
    faults: [
      ...(await checks.brokenChains(trx, stretches)),
      // Those of batches that are there are looked at with them.
      ...(await checks.wrongBatches(trx, {
        accountIds: [accountId],
        query: sql`select distinct entry.account_id, batch_id from ${checks.entriesOf(stretches)}
          left join lateral (select true as is_there from batches where batches.account_id = ${accountId}
            and batches.batch_id = entry.batch_id limit 1) as batch on true
          where batch_id is not null and is_there is null`,
      })),
      ...(isLast ? await checks.wrongBalances(trx, [accountId]) : []),
      ...(isLast ? await checks.alteredMarks(trx, [accountId]) : []),
    ],
  };
}

const batchesMax = 200;

async function readBatches(trx: Trx, accountId: number, after: string, rowsMax: number): Promise<Piece> {
  const { rows: page } = await sql<{ batchId: string; rowsBefore: number; items: number }>`
    select batch_id, items, sum(items + 1) over (order by batch_id) - items - 1 as rows_before
    from (
      select batch_id, case when purged_at is null then successful + failed else 0 end as items from batches
      where account_id = ${accountId} and batch_id > ${after || noUuid}::uuid
      order by batch_id limit ${batchesMax}) as page`.execute(trx);
  // One at least, however many items it has.
  const found = page.filter(({ rowsBefore }) => rowsBefore === 0 || rowsBefore < rowsMax);
  const batchIds = found.map(({ batchId }) => batchId);
  return {
    rows: found.reduce((sum, { items }) => sum + items + 1, 0),
    next: found.length === page.length && page.length < batchesMax ? null : (batchIds.at(-1) ?? null),
    faults: await checks.wrongBatches(trx, {
      accountIds: [accountId],
      query: sql`select ${accountId}::bigint, unnest(${batchIds}::uuid[])`,
    }),
  };
}

const noUuid = '00000000-0000-0000-0000-000000000000';
// Its chunk, its item, its charge.
const singleCheckRows = 3;

async function readSingleChecks(trx: Trx, accountId: number, after: string, rowsMax: number): Promise<Piece> {
  const page = Math.max(1, Math.floor(rowsMax / singleCheckRows));
  const found = await trx
    .selectFrom('chunks')
    .select(['chunkId', 'batchId'])
    .where('accountId', '=', accountId)
    .where('chunkId', '>', Number(after))
    .orderBy('chunkId')
    .limit(page)
    .execute();
  const single = found.filter(({ batchId }) => batchId === null).map(({ chunkId }) => chunkId);
  const last = found.at(-1);
  return {
    rows: found.length + (singleCheckRows - 1) * single.length,
    next: last && found.length === page ? String(last.chunkId) : null,
    faults: await checks.wrongSingleChecks(trx, {
      accountIds: [accountId],
      query: sql`select ${accountId}::bigint, unnest(${single}::bigint[])`,
    }),
  };
}
