import { expect } from 'chai';
import { sql } from 'kysely';
import { lateIndexes, makeLateIndexes } from '../../db/late-indexes.ts';
import type { Log } from '../../log.ts';
import { eventually } from '../support/eventually.ts';
import { captureLog } from '../support/log.ts';
import { borrowRecords, type Records } from '../support/records.ts';

describe('indexes that are made while others write', () => {
  let records: Records;

  let log: Log;
  let lines: string[];
  const begun = 'Index ledger_refunds_by_batch is being made beside those who write';
  const made = 'Index ledger_refunds_by_batch is made';
  const said = () => lines.map((line) => JSON.parse(line).message);

  beforeEach(async () => {
    records = await borrowRecords();
    ({ log, lines } = captureLog());
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

  it('are what they are said to be, under names that nobody else has', async () => {
    const { rows } = await sql<{ name: string; definition: string }>`
      select indexname as name, indexdef as definition from pg_indexes where schemaname = 'public'`.execute(
      records.db,
    );
    const made = Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
    for (const [name, of] of Object.entries(lateIndexes)) {
      const [, table = '', columns = ''] = /^(\w+) \(([^)]*)\)/.exec(of) ?? [];
      expect(made[name]?.replace(' ON ONLY ', ' ON ').replaceAll('"', ''), name)
        .to.include(` ON public.${table} `)
        .and.include(`(${columns.replaceAll(' desc', ' DESC')})`);
    }
  });

  it('are not spoken of when they are there', async () => {
    await makeLateIndexes(records.db, log);
    expect(said()).to.deep.equal([]);
  });

  it('are made anew when somebody died in the middle', async () => {
    await sql`
      update pg_index set indisvalid = false
      where indexrelid = 'ledger_refunds_by_batch'::regclass`.execute(records.db);
    expect(await isMade()).to.equal(false);
    await makeLateIndexes(records.db, log);
    expect(await isMade()).to.equal(true);
    expect(said()).to.deep.equal([begun, made]);
  });

  it('hold up nobody who writes to the table, are made once, and say what they wait for', async () => {
    await sql`drop index ledger_refunds_by_batch`.execute(records.db);
    const accountId = await records.account(10);
    const held = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    let holderPid = 0;
    const holder = records.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('ledgerEntries')
        .values({ accountId, entryNo: 2, kind: 'grant', amount: 5, balanceAfter: 15 })
        .execute();
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      holderPid = rows[0]?.pid ?? 0;
      holding.resolve();
      await held.promise;
    });
    await holding.promise;
    const one = makeLateIndexes(records.db, log, { tellEveryMs: 20 });
    await eventually(async () => said().find((line) => line.includes('waiting for writers')) ?? null);
    const other = makeLateIndexes(records.db, log, { tellEveryMs: 20 });
    await eventually(async () => said().find((line) => line.includes('another process')) ?? null);
    // An ordinary index would stand in line behind the holder, and these behind it.
    for (let writer = 0; writer < 20; writer++) await records.account(10);
    expect(await isMade()).to.equal(false);
    held.resolve();
    await Promise.all([holder, one, other]);
    expect(await isMade()).to.equal(true);
    expect(said().filter((line) => line === begun)).to.have.lengthOf(1);
    expect(said().at(-1)).to.equal(made);
    const waiting = lines.map((line) => JSON.parse(line)).find(({ phase }) => /writers/.test(phase));
    expect(waiting).to.include({ holders: '0 of 1', rows: null }).and.have.property('waitsForPid');
    expect(waiting.waitsForPid).to.equal(holderPid);
  });
});
