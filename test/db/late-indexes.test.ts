import { expect } from 'chai';
import { sql } from 'kysely';
import { makeLateIndexes } from '../../db/late-indexes.ts';
import { borrowRecords, type Records } from '../support/records.ts';

describe('indexes that are made while others write', () => {
  let records: Records;

  beforeEach(async () => {
    records = await borrowRecords();
  });

  afterEach(() => records.giveBack());

  async function isMade(): Promise<boolean | undefined> {
    const { rows } = await sql<{ valid: boolean }>`
      select indisvalid as valid from pg_index
      where indexrelid = to_regclass('ledger_refunds_by_batch')`.execute(records.db);
    return rows[0]?.valid;
  }

  it('come with the migrations', async () => {
    expect(await isMade()).to.equal(true);
  });

  it('are made once by two at the same time', async () => {
    await sql`drop index ledger_refunds_by_batch`.execute(records.db);
    await Promise.all([makeLateIndexes(records.db), makeLateIndexes(records.db)]);
    expect(await isMade()).to.equal(true);
  });

  it('are made anew when somebody died in the middle', async () => {
    await sql`
      update pg_index set indisvalid = false
      where indexrelid = 'ledger_refunds_by_batch'::regclass`.execute(records.db);
    await makeLateIndexes(records.db);
    expect(await isMade()).to.equal(true);
  });

  it('hold up nobody who writes to the table', async () => {
    await sql`drop index ledger_refunds_by_batch`.execute(records.db);
    const accountId = await records.account(10);
    const held = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    const holder = records.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('ledgerEntries')
        .values({ accountId, entryNo: 2, kind: 'grant', amount: 5, balanceAfter: 15 })
        .execute();
      holding.resolve();
      await held.promise;
    });
    await holding.promise;
    const made = makeLateIndexes(records.db);
    // An ordinary index would stand in line behind the holder, and these behind it.
    for (let writer = 0; writer < 20; writer++) await records.account(10);
    held.resolve();
    await Promise.all([holder, made]);
    expect(await isMade()).to.equal(true);
  });
});
