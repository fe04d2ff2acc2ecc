import { type RawBuilder, sql } from 'kysely';
import { groupsOf } from '../accounts/account-groups.ts';
import { type Db, inSnapshot, type Trx } from '../postgres/connect.ts';
import * as checks from './ledger-checks.ts';

/** What a look at everything found. */
export interface Verification {
  /** True when nothing was found. */
  ok: boolean;
  /** When the snapshot was taken, by Postgres's clock. */
  verifiedAt: Date;
  /** How much was looked at: rows of each kind, of the accounts asked for. */
  accounts: number;
  entries: number;
  batches: number;
  singleChecks: number;
  /** The first hundred. */
  faults: checks.LedgerFault[];
}

const toldMax = 100;

/**
 * Proves the books, for the accounts given or for all, from one snapshot, by all that must hold (ledger-checks.ts).
 * Reads only, and takes no lock that stops anyone; it takes as long as the history is. Errors: the database's own.
 */
export function verify(db: Db, accountIds: number[] | 'all' = 'all'): Promise<Verification> {
  return inSnapshot(db, async (trx) => {
    const ids = accountIds === 'all' ? await everyAccount(trx) : accountIds;
    const found: checks.LedgerFault[] = [];
    for (const group of await groupsOf(trx, ids)) found.push(...(await faultsOf(trx, group)));
    return { ok: found.length === 0, ...(await countAll(trx, ids)), faults: found.slice(0, toldMax) };
  });
}

async function faultsOf(trx: Trx, ids: number[]): Promise<checks.LedgerFault[]> {
  return [
    ...(await checks.wrongBalances(trx, ids)),
    ...(await checks.alteredMarks(trx, ids)),
    ...(await checks.brokenChains(trx, ids.map(wholeLedger))),
    ...(await checks.wrongBatches(trx, { accountIds: ids, query: batchesOf(ids) })),
    ...(await checks.wrongSingleChecks(trx, { accountIds: ids, query: singleChecksOf(ids) })),
  ];
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

async function everyAccount(trx: Trx): Promise<number[]> {
  const rows = await trx.selectFrom('accounts').select('accountId').execute();
  return rows.map(({ accountId }) => accountId);
}

/** Also entries that the account does not count. */
function wholeLedger(accountId: number): checks.LedgerStretch {
  return { accountId, fromNo: 0, toNo: Number.MAX_SAFE_INTEGER };
}

/** Those that are there, and those that somebody paid for. */
function batchesOf(ids: number[]): RawBuilder<unknown> {
  return sql`select account_id, batch_id from batches where account_id = any(${ids}::bigint[])
    union select account_id, batch_id from ledger_entries
    where account_id = any(${ids}::bigint[]) and batch_id is not null`;
}

function singleChecksOf(ids: number[]): RawBuilder<unknown> {
  return sql`select account_id, chunk_id from chunks
    where account_id = any(${ids}::bigint[]) and batch_id is null`;
}

async function countAll(trx: Trx, ids: number[]) {
  const ours = sql`account_id = any(${ids}::bigint[])`;
  const { rows } = await sql<Omit<Verification, 'ok' | 'faults'>>`
    select now() as verified_at,
      (select count(*) from accounts where ${ours}) as accounts,
      (select count(*) from ledger_entries where ${ours}) as entries,
      (select count(*) from batches where ${ours}) as batches,
      (select count(*) from chunks where batch_id is null and ${ours}) as single_checks`.execute(trx);
  return rows[0] ?? { verifiedAt: new Date(), accounts: 0, entries: 0, batches: 0, singleChecks: 0 };
}
