import { expect } from 'chai';
import { inTransaction } from '../../../db/postgres/connect.ts';
import * as turns from '../../../db/queue/turns.ts';
import { eventually } from '../../support/eventually.ts';
import { borrowRecords, type Records, refusal } from '../../support/records.ts';

describe('turns', () => {
  let records: Records;

  before(async () => {
    records = await borrowRecords();
  });

  after(() => records.giveBack());

  const take = (accountId: number, queue: string, chunks: number) =>
    inTransaction(records.db, (trx) => turns.take(trx, { accountId, queue, positions: chunks }));

  const nowServing = async (queue: string) =>
    (await records.db.selectFrom('queues').select('nowServing').where('queue', '=', queue).executeTakeFirst())
      ?.nowServing;

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

  it('are told as served at once, and while a process goes on the last of them a little later', async () => {
    const serving = new turns.Serving((queue, turn) => turns.serve(records.db, queue, turn));
    await serving.note('u', 3);
    expect(await nowServing('u')).to.equal(3);
    for (const turn of [4, 6, 5]) await serving.note('u', turn);
    await eventually(async () => (await nowServing('u')) === 6 || null);
    await serving.note('u', 2);
    await serving.close();
    expect(await nowServing('u')).to.equal(6);
  });

  it('are told at the end of a process, and again what could not be told', async () => {
    const told: number[] = [];
    let isAway = true;
    const serving = new turns.Serving(async (_queue, turn) => {
      if (isAway) throw new Error('no database');
      told.push(turn);
    });
    expect(await refusal(serving.note('v', 3))).to.equal('no database');
    isAway = false;
    await eventually(async () => told.includes(3) || null);
    await serving.note('v', 4);
    await serving.close();
    expect(told).to.deep.equal([3, 4]);
  });

  it('are counted per queue', async () => {
    const accountId = await records.account();
    expect(await take(accountId, 's', 9)).to.equal(0);
    expect(await take(accountId, 't', 9)).to.equal(0);
  });
});
