import { expect } from 'chai';
import { sql } from 'kysely';
import { countCall, mayCall } from '../../../db/providers/provider-day.ts';
import { usage } from '../../../db/providers/provider-usage.ts';
import { borrowRecords, type Records } from '../../support/records.ts';

describe('the calls of a day', () => {
  let records: Records;
  let dayPassed: number;

  beforeEach(async () => {
    dayPassed = 0;
    records = await borrowRecords();
    await records.db
      .insertInto('accounts')
      .values([1, 2].map((accountId) => ({ accountId, webhookSecret: Buffer.from('secret') })))
      .execute();
  });

  afterEach(() => records.giveBack());

  const dailyLimit = 200;
  const of = (accountId: number | null) => ({ provider: 'p', accountId, dailyLimit, dayPassed });
  const callOf = (accountId: number | null) => countCall(records.db, of(accountId));
  const callsToday = async () => (await usage(records.db, new Date(Date.now() - 1000)))[0]?.calls;

  /** Each in turn until nobody may go on: how many each has had. */
  const askInTurn = async (accountIds: number[]): Promise<Map<number, number>> => {
    const had = new Map<number, number>();
    for (let waiting = accountIds; waiting.length > 0; ) {
      const goOn: number[] = [];
      for (const accountId of waiting) {
        const isFree = await mayCall(records.db, of(accountId));
        expect(await callOf(accountId)).to.equal(isFree);
        if (!isFree) continue;
        had.set(accountId, (had.get(accountId) ?? 0) + 1);
        goOn.push(accountId);
      }
      waiting = goOn;
    }
    return had;
  };

  for (const greedy of [1, 4, 20, 100]) {
    const others = Array.from({ length: greedy }, (_, index) => index + 10);

    it(`are shared beside ${greedy} that ask for all they can`, async () => {
      const had = await askInTurn([...others, 1]);
      expect(had.get(1)).to.be.at.least(Math.floor((0.9 * dailyLimit) / (greedy + 2)));
    });

    it(`are left by ${greedy} in part to who comes when they are done`, async () => {
      await askInTurn(others);
      const had = await askInTurn([1]);
      expect(had.get(1)).to.be.at.least(Math.max(1, Math.floor((0.45 * dailyLimit) / (greedy + 1))));
    });
  }

  it('are given up to who wants them as the day passes', async () => {
    expect((await askInTurn([1])).get(1)).to.equal(90);
    dayPassed = 0.75;
    expect((await askInTurn([1])).get(1)).to.equal(57);
    dayPassed = 1;
    expect((await askInTurn([1])).get(1)).to.equal(53);
    expect(await callsToday()).to.equal(dailyLimit);
  });

  it('are one account’s alone where there is no other', async () => {
    await records.db
      .updateTable('accounts')
      .set({ disabledAt: new Date() })
      .where('accountId', '=', 2)
      .execute();
    expect((await askInTurn([1])).get(1)).to.equal(dailyLimit);
    expect(await callOf(null)).to.equal(false);
  });

  it('are counted once where many are asked for at once', async () => {
    const answers = await Promise.all(Array.from({ length: 120 }, () => callOf(1)));
    expect(answers.filter(Boolean)).to.have.lengthOf(90);
    expect(await callsToday()).to.equal(90);
  });

  it('are no more than there are when many accounts ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, (_, index) => callOf(10 + index)));
    expect(answers.filter(Boolean)).to.have.lengthOf(dailyLimit);
    expect(await callsToday()).to.equal(dailyLimit);
  });

  it('are counted for one account while another cannot be', async () => {
    for (const accountId of [1, 2]) await callOf(accountId);
    const isHeld = Promise.withResolvers<void>();
    const isOver = Promise.withResolvers<void>();
    const holding = records.db.transaction().execute(async (trx) => {
      await sql`select from provider_shares where account_id = 1 for update`.execute(trx);
      isHeld.resolve();
      await isOver.promise;
    });
    await isHeld.promise;
    const order: number[] = [];
    const held = callOf(1).then(() => order.push(1));
    await areWaiting(1);
    await callOf(2).then(() => order.push(2));
    isOver.resolve();
    await Promise.all([holding, held]);
    expect(order).to.deep.equal([2, 1]);
  });

  /** Until so many statements wait for a lock. */
  const areWaiting = async (count: number) => {
    for (let waiting = 0; waiting < count; ) {
      const { rows } = await sql<{ waiting: number }>`
        select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(records.db);
      waiting = rows[0]?.waiting ?? 0;
    }
  };

  it('are counted anew the next day', async () => {
    await askInTurn([1]);
    await records.db
      .updateTable('providerShares')
      .set({ day: new Date('2026-01-01') })
      .execute();
    expect(await callOf(1)).to.equal(true);
  });
});
