import { expect } from 'chai';
import { sql } from 'kysely';
import * as singleChecks from '../../db/batches/single-checks.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import type { KeptFault } from '../../db/ledger/ledger-faults.ts';
import { verify } from '../../db/ledger/ledger-verify.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { claim } from '../../db/queue/chores.ts';
import { ledgerChore, ledgerState, watchLedger } from '../../upkeep/ledger-watch.ts';
import { liveThrough } from '../support/history.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { borrowRecords, type Records } from '../support/records.ts';
import { rowsRead } from '../support/rows-read.ts';

describe('the watch over the ledger', () => {
  let records: Records;
  let accountId: number;

  beforeEach(async () => {
    records = await borrowRecords(1);
    accountId = await records.account();
    await claim(records.db, ledgerChore, 1);
  });

  afterEach(() => records.giveBack());

  /** As a single check does it; the answer is missing where one is to. */
  async function check(requestId: number, { isAnswered = true } = {}): Promise<void> {
    const ref = { accountId, requestId };
    await inTransaction(records.db, (trx) =>
      singleChecks.begin(trx, { ...ref, type: 'http', input: { url: 'https://example.com/' } as never }),
    );
    await inTransaction(records.db, async (trx) => {
      await singleChecks.close(trx, ref);
      if (!isAnswered) return;
      await sql`
        insert into items (account_id, request_id, type, state, input, outcome)
        values (${accountId}, ${requestId}, 'http', 'success', '{}', '{}')`.execute(trx);
    });
  }

  const named = (faults: KeptFault[]) => faults.map(({ foundAt: _, ...fault }) => fault);

  itOnOneServer('reads as much after ten times the history', async () => {
    const work = async (batches: number, requestId: number) => {
      accountId = await records.account();
      await liveThrough(records.db, accountId, batches);
      await liveThrough(records.db, await records.account(), 3, '10 seconds');
      await sql`analyze`.execute(records.db);
      await check(requestId);
      return rowsRead(records, () => watchLedger(records.db));
    };
    const short = await work(300, 1);
    const long = await work(3000, 2);
    expect(await verify(records.db)).to.deep.include({ ok: true, batches: 3306, singleChecks: 3308 });
    expect(short).to.be.within(40, 1000);
    // What came in the last minute is looked at twice.
    expect(long).to.be.below(3 * short);
  });

  it('goes on after the last verified entry', async () => {
    await liveThrough(records.db, accountId, 10);
    await check(1);
    expect(await watchLedger(records.db)).to.deep.include({ ok: true, accounts: 1, entries: 1 });
    await check(2);
    await check(3);
    expect(await watchLedger(records.db)).to.deep.include({ ok: true, accounts: 1, entries: 2 });
    expect(await watchLedger(records.db)).to.deep.include({ ok: true, accounts: 1, entries: 0 });
  });

  it('finds a check that was paid for and has no answer, until it has one', async () => {
    await liveThrough(records.db, accountId, 10);
    await check(1, { isAnswered: false });
    const { faults } = await watchLedger(records.db);
    const fault = { accountId, what: 'single_checks', subject: '1', expected: 0, found: 1, note: null };
    expect(named(faults)).to.deep.equal([fault]);
    await sql`update chunks set created_at = '2000-01-01' where chunk_id = 1`.execute(records.db);
    expect(named((await watchLedger(records.db)).faults)).to.deep.equal([fault]);
    expect(await ledgerState(records.db)).to.include({ ok: false });

    await inTransaction(records.db, (trx) => ledger.refund(trx, accountId, 1, { requestId: 1 }));
    expect(await watchLedger(records.db)).to.include({ ok: true });
    expect(await ledgerState(records.db)).to.include({ ok: true });
  });

  it('finds an entry that was altered after it was verified', async () => {
    await liveThrough(records.db, accountId, 10);
    await check(1);
    await watchLedger(records.db);
    const alter = async (by: number) => {
      await sql`alter table ledger_entries disable trigger all`.execute(records.db);
      await sql`
        update ledger_entries set amount = amount + ${by}, balance_after = balance_after + ${by}
        where request_id = 1`.execute(records.db);
      await sql`update accounts set credits = credits + ${by}`.execute(records.db);
      await sql`alter table ledger_entries enable trigger all`.execute(records.db);
    };
    await sql`grant update on ledger_entries to current_user`.execute(records.db);
    await alter(-5);
    expect((await verify(records.db)).faults.map(({ what }) => what)).to.include('verified_balance');
    await check(2);
    for (let round = 0; round < 2; round++) {
      const { faults } = await watchLedger(records.db);
      expect(faults.map(({ what }) => what)).to.include('verified_balance');
    }
    await alter(5);
  });

  it('finds a refund too many of a batch that ended long ago', async () => {
    await liveThrough(records.db, accountId, 10);
    const { batchId } = await records.db
      .selectFrom('batches')
      .select('batchId')
      .limit(1)
      .executeTakeFirstOrThrow();
    await inTransaction(records.db, (trx) => ledger.refund(trx, accountId, 3, { batchId }));
    const { faults } = await watchLedger(records.db);
    expect(named(faults)).to.deep.equal([
      { accountId, what: 'batch_credits', subject: batchId, expected: 10, found: 7, note: null },
    ]);
  });
});
