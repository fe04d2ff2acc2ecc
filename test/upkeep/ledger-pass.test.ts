import { expect } from 'chai';
import { sql } from 'kysely';
import type { LedgerFault } from '../../db/ledger/ledger-checks.ts';
import { verify } from '../../db/ledger/ledger-verify.ts';
import { connect } from '../../db/postgres/connect.ts';
import { claim } from '../../db/queue/chores.ts';
import { goOn, type Pass, type PassOptions, passChore, passState } from '../../upkeep/ledger-pass.ts';
import { ledgerChore, ledgerState, watchLedger } from '../../upkeep/ledger-watch.ts';
import { liveThrough } from '../support/history.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { borrowRecords, type Records } from '../support/records.ts';
import { rowsRead } from '../support/rows-read.ts';

describe('the pass over the whole ledger', () => {
  let records: Records;
  let accountId: number;
  const small = { rowsMax: 1, stepRowsMax: 50 };

  beforeEach(async () => {
    records = await borrowRecords(1);
    await records.account(5);
    accountId = await records.account();
    for (const chore of [passChore, ledgerChore]) await claim(records.db, chore, 1);
  });

  afterEach(() => records.giveBack());

  /** Goes on until a pass has ended, and answers it with the number of calls. */
  async function toTheEnd(options: PassOptions): Promise<{ pass: Pass; calls: number }> {
    for (let calls = 1; ; calls++) {
      const pass = await goOn(records.db, options);
      if (pass) return { pass, calls };
    }
  }

  // Entries of both accounts, batches with their items, single checks with their items and charges.
  const rowsOf = (batches: number) => 1 + (1 + 3 * batches) + (1 + 11) * batches + 3 * batches;

  it('sees everything once, a piece at a time, and then rests', async () => {
    await liveThrough(records.db, accountId, 30);
    const { pass, calls } = await toTheEnd({ ...small, everySeconds: 3600 });
    expect(calls).to.be.above(5);
    expect(pass).to.include({ accounts: 2, accountsDone: 2, rows: rowsOf(30), faults: 0 });
    expect(await goOn(records.db, { everySeconds: 3600 })).to.equal(null);
    expect(await passState(records.db)).to.deep.equal(pass);
    const again = await goOn(records.db, { everySeconds: 0 });
    expect(again).to.include({ rows: rowsOf(30), previousEndedAt: pass.endedAt });
  });

  itOnOneServer('reads no more at a time after ten times the history', async () => {
    const most = async (batches: number) => {
      await liveThrough(records.db, await records.account(), batches);
      await sql`analyze`.execute(records.db);
      const reads: number[] = [];
      let pass: Pass | null = null;
      const options = { rowsMax: 1, stepRowsMax: 240, everySeconds: 0 };
      while (!pass) reads.push(await rowsRead(records, async () => (pass = await goOn(records.db, options))));
      return { rows: Math.max(...reads), calls: reads.length };
    };
    const short = await most(100);
    const long = await most(1000);
    expect(long.calls).to.be.above(5 * short.calls);
    // Small tables are rather scanned as a whole; of the long history a call reads a few hundred rows of 19,000.
    expect(long.rows).to.be.below(2000);
  });

  it('goes on where another process left off, and two at once do nothing twice', async () => {
    await liveThrough(records.db, accountId, 100);
    const others = [1, 2].map(() => connect(records.url, 1, () => {}));
    await goOn(records.db, small);
    const ends = await Promise.all(
      others.map(async ({ db, close }) => {
        const ended: Array<Pass | null> = [];
        while ((await passState(db))?.endedAt === null)
          ended.push(await goOn(db, { ...small, rowsMax: 200 }));
        await close();
        return ended.filter((pass) => pass !== null);
      }),
    );
    expect(ends.flat()).to.have.lengthOf(1);
    expect(await passState(records.db)).to.include({ rows: rowsOf(100), accountsDone: 2 });
  });

  const asOwner = async (statement: ReturnType<typeof sql>) => {
    await sql`grant update, delete on ledger_entries to current_user`.execute(records.db);
    for (const table of ['ledger_entries', 'items', 'batches']) {
      await sql`alter table ${sql.ref(table)} disable trigger all`.execute(records.db);
    }
    await statement.execute(records.db);
  };

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
      'a charge for a batch that never was',
      'batch_credits',
      sql`update ledger_entries set batch_id = '10000000-0000-4000-8000-000000000000' where entry_no = 50`,
    ],
    ['a wrong balance', 'balance', sql`update accounts set credits = credits + 1 where entries > 1`],
  ];
  for (const [what, fault, plant] of plants) {
    it(`finds what is old: ${what}`, async () => {
      await liveThrough(records.db, accountId, 30);
      await watchLedger(records.db);
      await asOwner(plant);
      const atOnce = (await verify(records.db)).faults;
      expect(await watchLedger(records.db)).to.include({ ok: true });
      const { pass } = await toTheEnd({ ...small, everySeconds: 3600 });
      expect(pass.faults).to.be.above(0);
      expect(await ledgerState(records.db)).to.include({ ok: false });
      const { faults } = await watchLedger(records.db);
      expect(faults.map(({ what }) => what)).to.include(fault);
      const nameOf = ({ what, subject }: LedgerFault) => `${what} ${subject}`;
      expect(faults.map(nameOf)).to.have.members(atOnce.map(nameOf));
    });
  }

  it('leaves it to the watch to forget what was mended', async () => {
    await liveThrough(records.db, accountId, 30);
    await watchLedger(records.db);
    await sql`update accounts set credits = credits + 1 where account_id = ${accountId}`.execute(records.db);
    await toTheEnd({ everySeconds: 3600 });
    await sql`update accounts set credits = credits - 1 where account_id = ${accountId}`.execute(records.db);
    expect(await ledgerState(records.db)).to.include({ ok: false });
    expect(await watchLedger(records.db)).to.include({ ok: true });
    expect(await ledgerState(records.db)).to.include({ ok: true });
  });
});
