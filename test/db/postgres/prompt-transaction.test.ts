import { expect } from 'chai';
import { sql } from 'kysely';
import type { Trx } from '../../../db/postgres/connect.ts';
import { inOneTrip, inPromptTransaction } from '../../../db/postgres/prompt-transaction.ts';
import { borrowRecords, type Records, refusal } from '../../support/records.ts';
import { type CountedWay, countedWay } from '../../support/round-trips.ts';

describe('a prompt transaction', () => {
  let records: Records;
  let way: CountedWay;

  beforeEach(async () => {
    way = countedWay();
    records = await borrowRecords(1, way.to);
    await sql`create table notes (note int primary key)`.execute(records.db);
  });

  afterEach(async () => {
    await records.giveBack();
    await way.close();
  });

  const write = (db: Trx, note: number) => sql`insert into notes values (${note})`.execute(db);

  const notes = async () => {
    const { rows } = await sql<{ note: number }>`select note from notes order by note`.execute(records.db);
    return rows.map(({ note }) => note);
  };

  const trips = async (act: () => Promise<unknown>) => {
    const before = way.trips();
    await act();
    return way.trips() - before;
  };

  it('sends its begin and what is asked side by side at once, in order', async () => {
    const asked = await trips(() =>
      inPromptTransaction(records.db, async (trx) => {
        const [, , seen] = await Promise.all([
          write(trx, 1),
          write(trx, 2),
          sql<{ notes: number }>`select count(*) as notes from notes`.execute(trx),
        ]);
        expect(seen.rows).to.deep.equal([{ notes: 2 }]);
      }),
    );
    expect(asked).to.equal(2);
    expect(await notes()).to.deep.equal([1, 2]);
  });

  it('leaves nothing behind when one of them fails, or its act does', async () => {
    const act = async (trx: Trx) => {
      await Promise.all([write(trx, 1), write(trx, 1), write(trx, 2)]);
    };
    expect(await refusal(inPromptTransaction(records.db, act))).to.match(/duplicate key/);
    const fails = async (trx: Trx) => {
      await write(trx, 3);
      throw new Error('thought better of it');
    };
    expect(await refusal(inPromptTransaction(records.db, fails))).to.equal('thought better of it');
    expect(await refusal(inPromptTransaction(records.db, (trx) => act(trx).catch(() => {})))).to.match(
      /rolled back/,
    );
    expect(await notes()).to.deep.equal([]);
  });

  it('of one statement takes one trip, and leaves nothing behind when that fails', async () => {
    expect(await trips(() => inOneTrip(records.db, (trx) => write(trx, 1)))).to.equal(1);
    expect(await refusal(inOneTrip(records.db, (trx) => write(trx, 1)))).to.match(/duplicate key/);
    expect(await notes()).to.deep.equal([1]);
  });

  it('has the time-outs of every other one', async () => {
    const timeouts = await inPromptTransaction(records.db, async (trx) => {
      const { rows } = await sql<{ lock: string; statement: string; idle: string }>`
        select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement,
          current_setting('idle_in_transaction_session_timeout') as idle`.execute(trx);
      return rows[0];
    });
    expect(timeouts).to.deep.equal({ lock: '5s', statement: '30s', idle: '10s' });
  });
});
