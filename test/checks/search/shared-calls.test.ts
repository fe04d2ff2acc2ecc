import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { SharedCalls } from '../../../checks/search/shared-calls.ts';

const never = new AbortController().signal;
const of = (id: number) => ({ id, cost: { pages: 0 } });

describe('shared calls', () => {
  const keeping = (reuseMs: number, weightMax = 100) => {
    const calls = new SharedCalls<string>({ reuseMs, weigh: (text) => text.length, weightMax });
    let made = 0;
    const get = (key: string, text: string) =>
      calls.get(key, never, async () => {
        made += 1;
        return text;
      });
    return { calls, get, made: () => made };
  };

  it('keep results up to a weight, the newest', async () => {
    const { calls, get, made } = keeping(60_000, 10);
    for (const key of ['a', 'b', 'c']) await get(key, '1234');
    expect(calls.weight).to.equal(8);
    await get('c', '');
    await get('b', '');
    expect(made()).to.equal(3);
    await get('a', '1234');
    expect(made()).to.equal(4);
    await get('d', 'more than all there is room for');
    expect(calls.weight).to.equal(0);
  });

  it('let go of what has expired, also when nobody asks again', async () => {
    const { calls, get } = keeping(20);
    await get('a', '1234');
    expect(calls.weight).to.equal(4);
    while (calls.weight > 0) await pause(5);
    await get('b', '12');
    expect(calls.weight).to.equal(2);
  });

  it('come as slowly to who did not ask before, when they are kept, in flight or a failure', async () => {
    let nowMs = 0;
    const pauses: number[] = [];
    const clock = {
      now: () => nowMs,
      pause: async (ms: number) => {
        pauses.push(ms);
        nowMs += ms;
      },
    };
    const calls = new SharedCalls<string>(
      { reuseMs: 60_000, weigh: () => 1, weightMax: 10, keepsFailure: () => true },
      clock,
    );
    const page = Promise.withResolvers<string>();
    const get = (asker: number) => calls.get('a', never, () => page.promise, of(asker));
    const first = get(1);
    nowMs += 300;
    const joined = get(2);
    nowMs += 700;
    page.resolve('');
    await Promise.all([first, joined]);
    expect(pauses).to.deep.equal([300]);
    for (const asker of [1, 2, 3, 3]) await get(asker);
    expect(pauses).to.deep.equal([300, 1_000]);

    const failing = (asker: number) =>
      calls
        .get('b', never, () => Promise.reject(new Error('rewritten')), of(asker))
        .catch(() => (nowMs += 50));
    await failing(1);
    await failing(2);
    expect(pauses).to.have.lengthOf(2);
  });

  it('end for who waits out and gives up', async () => {
    const clock = { now: () => performance.now(), pause: () => new Promise(() => {}) };
    const calls = new SharedCalls<string>({ reuseMs: 60_000, weigh: () => 1, weightMax: 10 }, clock);
    const make = () => pause(5).then(() => 'page');
    await calls.get('a', never, make, of(1));
    const gaveUp = new AbortController();
    const waiting = calls.get('a', gaveUp.signal, make, of(2)).catch(() => 'gone');
    gaveUp.abort();
    expect(await waiting).to.equal('gone');
  });

  it('keep nothing when nothing is to be reused, and everything when it is for ever', async () => {
    const none = keeping(0);
    await none.get('a', '1234');
    expect(none.calls.weight).to.equal(0);
    const ever = keeping(Number.POSITIVE_INFINITY);
    await ever.get('a', '1234');
    await ever.get('a', '1234');
    expect([ever.made(), ever.calls.weight]).to.deep.equal([1, 4]);
  });
});
