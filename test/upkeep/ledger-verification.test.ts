import { expect } from 'chai';
import { sql } from 'kysely';
import * as singleChecks from '../../db/batches/single-checks.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import {
  type LedgerFault,
  startPosition,
  type VerificationPosition,
  verify,
  verifyStep,
} from '../../db/ledger/verification.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { claim, findResult } from '../../db/queue/chores.ts';
import {
  allAccountsChore,
  changedAccountsChore,
  findLedgerState,
  verifyAllAccounts,
  verifyChangedAccounts,
} from '../../upkeep/ledger-verification.ts';
import { insertHistory } from '../support/history.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { type Records, useRecords } from '../support/records.ts';

const tables = ['accounts', 'batches', 'chunks', 'items', 'ledger_entries'];

/**
 * Returns the rows of the ledger's tables that Postgres reads during `act`, by its own statistics. Needs records with
 * one connection, whose statistics are complete.
 */
async function rowsRead({ db }: Records, act: () => Promise<unknown>): Promise<number> {
  const before = await counted(db);
  await act();
  return (await counted(db)) - before;
}

async function counted(db: Records['db']): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ rows: number }>`
    select ((select sum(seq_tup_read) from pg_stat_user_tables where relname = any(${tables}::text[]))
      + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = any(${tables}::text[])))::bigint as rows
    `.execute(db);
  return rows[0]?.rows ?? 0;
}

describe('the verification of the ledger', () => {
  const records = useRecords({ connections: 1, isForEach: true });
  let accountId: number;
  const small = { rowsMax: 1, stepRowsMax: 50 };

  beforeEach(async () => {
    accountId = await records.account();
    for (const chore of [changedAccountsChore, allAccountsChore]) await claim(records.db, chore, 1);
  });

  const nameOf = ({ what, subject }: LedgerFault) => `${what} ${subject}`;
  const position = async () =>
    ((await findResult(records.db, allAccountsChore)) as { at: VerificationPosition | null } | null)?.at;

  /** Ends a round over all accounts. Returns its faults and the number of calls. */
  async function toTheEnd(options: Parameters<typeof verifyAllAccounts>[1] = {}) {
    const faults: LedgerFault[] = [];
    for (let calls = 1; ; calls++) {
      faults.push(...(await verifyAllAccounts(records.db, { everySeconds: 0, ...options })));
      if (!(await position())) return { faults, calls };
    }
  }

  /** Charges for a single check and ends it, with or without an answer. */
  async function check(requestId: number, { isAnswered = true } = {}): Promise<void> {
    const ref = { accountId, requestId };
    await inTransaction(records.db, (trx) =>
      singleChecks.begin(trx, { ...ref, type: 'http', input: { url: 'https://example.com/' } as never }),
    );
    await inTransaction(records.db, async (trx) => {
      await singleChecks.settle(trx, ref);
      if (!isAnswered) return;
      await sql`
        insert into items (account_id, request_id, type, state, input, outcome)
        values (${accountId}, ${requestId}, 'http', 'success', '{}', '{}')`.execute(trx);
    });
  }

  const asOwner = async (statement: ReturnType<typeof sql>) => {
    await sql`grant update, delete on ledger_entries to current_user`.execute(records.db);
    for (const table of ['ledger_entries', 'items', 'batches']) {
      await sql`alter table ${sql.ref(table)} disable trigger all`.execute(records.db);
    }
    await statement.execute(records.db);
  };

  it('reads everything once, a step at a time, and then pauses', async () => {
    await records.account(5);
    await insertHistory(records.db, accountId, 30);
    const whole = { accounts: 2, entries: 92, batches: 30, singleChecks: 30, faults: [] };
    expect(await verify(records.db)).to.deep.include({ ok: true, ...whole });
    const counts = { entries: 0, batches: 0, singleChecks: 0 };
    for (let at: VerificationPosition | null = startPosition(accountId); at; ) {
      const read = await verifyStep(records.db, at, 50);
      for (const table of ['entries', 'batches', 'singleChecks'] as const)
        counts[table] += read.counts[table];
      at = read.next;
    }
    expect(counts).to.deep.equal({ entries: 91, batches: 30, singleChecks: 30 });

    expect((await toTheEnd({ ...small })).calls).to.be.above(5);
    const rested = await findResult(records.db, allAccountsChore);
    await verifyAllAccounts(records.db, { everySeconds: 3600 });
    expect(await findResult(records.db, allAccountsChore)).to.deep.equal(rested);
  });

  itOnOneServer('reads no more rows per call when the history is ten times as long', async () => {
    const most = async (batches: number) => {
      await insertHistory(records.db, await records.account(), batches);
      await sql`analyze`.execute(records.db);
      const reads: number[] = [];
      do {
        const options = { rowsMax: 1, stepRowsMax: 240, everySeconds: 0 };
        reads.push(await rowsRead(records, () => verifyAllAccounts(records.db, options)));
      } while (await position());
      return { rows: Math.max(...reads), calls: reads.length };
    };
    const short = await most(100);
    const long = await most(1000);
    expect(long.calls).to.be.above(5 * short.calls);
    // A call reads a few hundred of the 19,000 rows. The limit is higher, as Postgres scans small tables completely.
    expect(long.rows).to.be.below(2000);
  });

  it('continues where another process stopped', async () => {
    await insertHistory(records.db, accountId, 100);
    await verifyAllAccounts(records.db, small);
    const before = await position();
    expect(before).to.include({ accountId, table: 'entries', after: '50' });
    await verifyAllAccounts(records.db, small);
    expect(await position()).to.include({ accountId, table: 'entries', after: '100' });
  });

  it('reads only accounts that were touched', async () => {
    await insertHistory(records.db, accountId, 10);
    const untouched = await records.account();
    await insertHistory(records.db, untouched, 10);
    await sql`update accounts set credits = credits + 1 where account_id = ${untouched}`.execute(records.db);
    await check(1);
    expect(await verifyChangedAccounts(records.db)).to.deep.equal([]);
    await sql`update accounts set credits = credits + 1 where account_id = ${accountId}`.execute(records.db);
    expect((await verifyChangedAccounts(records.db)).map((fault) => fault.accountId)).to.deep.equal([
      accountId,
    ]);
  });

  it('detects a paid check without an answer, and keeps the alarm until a later visit finds it corrected', async () => {
    await insertHistory(records.db, accountId, 10);
    await check(1, { isAnswered: false });
    const fault = { accountId, what: 'single_checks', subject: '1', expected: 0, found: 1, note: null };
    expect(await verifyChangedAccounts(records.db)).to.deep.equal([fault]);
    // Makes the last change of the account look old.
    await sql`update chunks set created_at = '2000-01-01' where chunk_id = 1`.execute(records.db);
    await asOwner(sql`update ledger_entries set created_at = '2000-01-01' where request_id = 1`);
    expect(await verifyChangedAccounts(records.db)).to.deep.equal([fault]);
    expect(await findLedgerState(records.db)).to.include({ ok: false });

    await inTransaction(records.db, (trx) => ledger.refund(trx, accountId, 1, 1));
    expect(await findLedgerState(records.db)).to.include({ ok: false });
    expect(await verifyChangedAccounts(records.db)).to.deep.equal([]);
    expect(await findLedgerState(records.db)).to.include({ ok: true });
  });

  it('keeps the alarm if only the first step of a visit finds a fault', async () => {
    await insertHistory(records.db, accountId, 30);
    await asOwner(sql`update ledger_entries set amount = amount - 1 where entry_no = 1`);
    await verifyChangedAccounts(records.db);
    expect((await toTheEnd(small)).faults.map(nameOf)).to.deep.equal(['running_sum 1']);
    expect(await findLedgerState(records.db)).to.include({ ok: false });
  });

  it('detects an excess refund of a batch that ended long ago', async () => {
    await insertHistory(records.db, accountId, 10);
    const { batchId } = await records.db
      .selectFrom('batches')
      .select('batchId')
      .limit(1)
      .executeTakeFirstOrThrow();
    await sql`select move_credits(${accountId}::bigint, 'refund', 3, ${batchId}::uuid, null, null)`.execute(
      records.db,
    );
    expect(await verifyChangedAccounts(records.db)).to.deep.equal([
      { accountId, what: 'batch_credits', subject: batchId, expected: 10, found: 7, note: null },
    ]);
  });

  const plants: Array<[what: string, fault: string, ReturnType<typeof sql>]> = [
    ['an item that is gone', 'batch_items', sql`delete from items where request_id = 20 * 17`],
    [
      'a counter that was moved',
      'batch_credits',
      sql`update batches set successful = 11, failed = 0, status = 'completed'
        where batch_id = (select batch_id from items where request_id = 20 * 17)`,
    ],
    ['an answer that is gone', 'single_checks', sql`delete from items where request_id = 20 * 17 + 11`],
    [
      'an entry that was altered',
      'running_sum',
      sql`update ledger_entries set amount = amount - 1 where request_id = 20 * 17 + 11`,
    ],
    ['an entry that is gone', 'running_sum', sql`delete from ledger_entries where request_id = 20 * 17 + 11`],
    [
      'an entry that is gone where a step ends',
      'running_sum',
      sql`delete from ledger_entries where entry_no = 50`,
    ],
    ['a last entry that is gone', 'balance', sql`delete from ledger_entries where entry_no = 91`],
    [
      'a charge for a batch that never existed',
      'batch_credits',
      sql`update ledger_entries set batch_id = '10000000-0000-4000-8000-000000000000' where entry_no = 50`,
    ],
    ['a wrong balance', 'balance', sql`update accounts set credits = credits + 1 where entries > 1`],
  ];
  for (const [what, fault, plant] of plants) {
    it(`detects an old fault: ${what}`, async () => {
      await records.account(5);
      await insertHistory(records.db, accountId, 30);
      await verifyChangedAccounts(records.db);
      await asOwner(plant);
      const atOnce = await verify(records.db);
      expect(atOnce.ok).to.equal(false);
      expect(atOnce.faults.map(({ what }) => what)).to.include(fault);
      expect(await verifyChangedAccounts(records.db)).to.deep.equal([]);
      expect(await findLedgerState(records.db)).to.include({ ok: true });
      const { faults } = await toTheEnd(small);
      expect(faults.map(nameOf)).to.have.members(atOnce.faults.map(nameOf));
      expect(await findLedgerState(records.db)).to.include({ ok: false });
      // An account with an alarm is verified again.
      expect((await verifyChangedAccounts(records.db)).map(nameOf)).to.have.members(
        atOnce.faults.map(nameOf),
      );
    });
  }
});
