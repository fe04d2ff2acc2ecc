import { expect } from 'chai';
import { ProviderLine } from '../../../db/providers/provider-line.ts';
import { eventually } from '../../support/eventually.ts';

/** Aborted after each test: who still waits then would be asked for to the end of time. */
let over: AbortController;

/** Places as a provider has them, and a line for them. */
function startLine(places: number, { kept = 0, perAccount = Number.POSITIVE_INFINITY } = {}) {
  const held = new Set<number>();
  const line = new ProviderLine<number>({
    take: async (placeMax) => {
      for (let place = 1; place <= placeMax; place++) {
        if (!held.has(place)) return held.add(place) && place;
      }
      return null;
    },
    giveBack: (place) => held.delete(place),
    isWithin: (place, placeMax) => place <= placeMax,
    placeMax: places - kept,
    placeMaxForNewcomers: places,
    perAccount,
  });
  const order: number[] = [];
  const call = async (accountId: number) => {
    const place = await line.wait(accountId, over.signal);
    order.push(accountId);
    return () => {
      held.delete(place);
      line.leave(accountId, null);
      line.freed();
    };
  };
  return { line, held, order, call };
}

describe('the line at a provider', () => {
  beforeEach(() => {
    over = new AbortController();
  });

  afterEach(() => over.abort());

  for (const greedy of [1, 4, 20, 100]) {
    it(`goes in turn over accounts: beside ${greedy} a call goes out after one of each at most`, async () => {
      const { order, call } = startLine(1);
      const first = await call(1);
      const calls = [];
      for (let nth = 0; nth < 10; nth++) {
        for (let accountId = 1; accountId <= greedy; accountId++) calls.push(call(accountId));
      }
      calls.push(call(999));
      first();
      for (const done of calls) void done.then((leave) => leave());
      await Promise.all(calls);
      expect(order.indexOf(999)).to.be.at.most(greedy + 1);
    });
  }

  it('keeps places for accounts that have none out', async () => {
    const { call, order } = startLine(20, { kept: 2 });
    for (let nth = 0; nth < 30; nth++) call(1).catch(() => {});
    await eventually(async () => (order.length === 18 ? true : null));
    await call(2);
    await call(3);
    expect(order).to.have.lengthOf(20);
  });

  it('lets no more than so many of one account out', async () => {
    const { call, order } = startLine(20, { perAccount: 10 });
    for (let nth = 0; nth < 30; nth++) call(1).catch(() => {});
    for (let nth = 0; nth < 10; nth++) await call(2);
    expect(order.filter((accountId) => accountId === 1)).to.have.lengthOf(10);
  });

  it('hands a place on to who is next, once, and not one that is kept for newcomers to who is none', async () => {
    const { line, held } = startLine(4, { kept: 2 });
    const places: number[] = [];
    const wait = (accountId: number) => line.wait(accountId, over.signal).then((place) => places.push(place));
    for (const accountId of [1, 1, 2, 3]) await wait(accountId);
    for (const accountId of [1, 4]) void wait(accountId).catch(() => {});
    expect(places).to.deep.equal([1, 2, 3, 4]);
    // Who has the fewest out comes first: the newcomer.
    expect(line.leave(3, 4)).to.equal(true);
    expect(line.leave(2, 3)).to.equal(false);
    expect(line.leave(1, 1)).to.equal(true);
    await eventually(async () => (places.length === 6 ? true : null));
    expect(places).to.deep.equal([1, 2, 3, 4, 4, 1]);
    expect(held.size).to.equal(4);
  });

  it('lets nobody out who has given up, and gives his place to others', async () => {
    const { call, line, held, order } = startLine(1);
    const leave = await call(1);
    const gaveUp = new AbortController();
    const waiting = line.wait(2, gaveUp.signal).catch((reason) => reason);
    gaveUp.abort('enough');
    expect(await waiting).to.equal('enough');
    const other = call(3);
    leave();
    (await other)();
    expect(order).to.deep.equal([1, 3]);
    expect(held.size).to.equal(0);
  });
});
