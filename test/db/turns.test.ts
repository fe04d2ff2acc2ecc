import { expect } from 'chai';
import { inTransaction } from '../../db/connect.ts';
import * as turns from '../../db/turns.ts';
import { borrowRecords, type Records } from '../support/records.ts';

describe('turns', () => {
  let records: Records;

  before(async () => {
    records = await borrowRecords();
  });

  after(() => records.giveBack());

  const take = (accountId: number, queue: string, chunks: number) =>
    inTransaction(records.db, async (trx) =>
      turns.take(trx, { accountId, queue, chunks }, await turns.nowServing(trx, queue)),
    );

  it('put a batch behind itself and not before others', async () => {
    const [greedy, modest] = [await records.account(), await records.account()];
    expect(await take(greedy, 'q', 40)).to.equal(0);
    expect(await take(greedy, 'q', 40)).to.equal(40);
    expect(await take(modest, 'q', 1)).to.equal(0);
  });

  it('begin where the queue is serving, and never go back', async () => {
    const [early, late] = [await records.account(), await records.account()];
    await turns.serve(records.db, 'r', 17);
    await turns.serve(records.db, 'r', 5);
    expect(await take(early, 'r', 3)).to.equal(17);
    await turns.serve(records.db, 'r', 18);
    expect(await take(late, 'r', 1)).to.equal(18);
    expect(await take(early, 'r', 1)).to.equal(20);
  });

  it('are told as served at once, and while a process goes on four times a second', async () => {
    let nowMs = 0;
    const serving = new turns.Serving(records.db, () => nowMs);
    const served: number[] = [];
    for (const [ms, turn] of [
      [0, 3],
      [1, 4],
      [249, 5],
      [250, 6],
      [600, 2],
      [700, 7],
    ] as const) {
      nowMs = ms;
      await serving.note('u', turn);
      served.push(await turns.nowServing(records.db, 'u'));
    }
    expect(served).to.deep.equal([3, 3, 3, 6, 6, 7]);
  });

  it('are counted per queue', async () => {
    const accountId = await records.account();
    expect(await take(accountId, 's', 9)).to.equal(0);
    expect(await take(accountId, 't', 9)).to.equal(0);
  });
});
