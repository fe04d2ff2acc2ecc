import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { SharedCalls } from '../../../checks/search/shared-calls.ts';

const never = new AbortController().signal;

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
