import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createPace, nextTurn } from '../../../server/http/loop-turns.ts';

describe('turns of the event loop', () => {
  it('are had by one of all who wait, in the order they came', async () => {
    const served: string[] = [];
    const work = async (name: string) => {
      await nextTurn();
      served.push(name);
      await nextTurn();
      served.push(name);
    };
    const done = Promise.all(['a', 'b', 'c'].map(work));
    const perTurn: number[] = [];
    while (served.length < 6) {
      const before = served.length;
      await setImmediate();
      perTurn.push(served.length - before);
    }
    await done;
    expect(served.join('')).to.equal('abcabc');
    expect(Math.max(...perTurn)).to.equal(1);
  });

  it('pass when a piece of work is full, and not before', async () => {
    const pace = createPace(10);
    let turns = 0;
    const count = async () => {
      while (turns < 100) {
        await setImmediate();
        turns += 1;
      }
    };
    const counting = count();
    for (let n = 0; n < 9; n++) await pace.did(1);
    expect(turns).to.equal(0);
    await pace.did(1);
    expect(turns).to.be.within(1, 2);
    turns = 100;
    await counting;
  });
});
