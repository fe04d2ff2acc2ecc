import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createPace, nextTurn } from '../../../server/http/loop-turns.ts';

describe('turns of the event loop', () => {
  it('are had by one of all who wait, account by account', async () => {
    const served: string[] = [];
    const work = async (accountId: number, name: string) => {
      await nextTurn(accountId);
      served.push(name);
      await nextTurn(accountId);
      served.push(name);
    };
    const done = Promise.all([work(1, 'a'), work(1, 'b'), work(1, 'c'), work(2, 'x')]);
    const perTurn: number[] = [];
    while (served.length < 8) {
      const before = served.length;
      await setImmediate();
      perTurn.push(served.length - before);
    }
    await done;
    expect(served.join('')).to.equal('axbxcabc');
    expect(Math.max(...perTurn)).to.equal(1);
  });

  it('pass when a piece of work is full, and not before', async () => {
    const pace = createPace(1, 10);
    let turns = 0;
    const count = async () => {
      while (turns < 100) {
        await setImmediate();
        turns += 1;
      }
    };
    const counting = count();
    for (let n = 0; n < 9; n++) expect(pace.did(1)).to.equal(null);
    expect(turns).to.equal(0);
    await pace.did(1);
    expect(turns).to.be.within(1, 2);
    turns = 100;
    await counting;
  });
});
