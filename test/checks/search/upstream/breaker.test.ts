import { expect } from 'chai';
import { Breaker } from '../../../../checks/search/upstream/breaker.ts';

describe('the breaker of a provider', () => {
  const restMs = 15_000;
  let nowMs: number;
  let breaker: Breaker;

  beforeEach(() => {
    nowMs = 1_000_000;
    breaker = new Breaker(restMs, () => nowMs);
  });

  /** A call as a search makes it: none while the provider rests for the account. Whether it went out. */
  const ask = async (account: number, isWell: boolean): Promise<boolean> => {
    if (breaker.isResting(account)) return false;
    const call = () => (isWell ? Promise.resolve() : Promise.reject(new Error('down')));
    await breaker.through(account, call, () => true).catch(() => {});
    return true;
  };
  const askOften = async (account: number, times: number, isWell = false) => {
    let calls = 0;
    for (let time = 0; time < times; time++) if (await ask(account, isWell)) calls += 1;
    return calls;
  };

  it('lets one account alone burn five calls, and others go on', async () => {
    expect(await askOften(1, 50)).to.equal(5);
    expect(breaker.isResting(2)).to.equal(false);
    expect(await askOften(2, 20, true)).to.equal(20);
  });

  it('rests for all when two accounts met failures and nobody an answer', async () => {
    expect([await askOften(1, 3), await askOften(2, 50)]).to.deep.equal([3, 2]);
    expect([1, 2, 3].map((account) => breaker.isResting(account))).to.deep.equal([true, true, true]);
  });

  it('does not rest for all where one of them was answered between, or failed once only', async () => {
    await askOften(1, 4);
    await ask(2, false);
    expect(breaker.isResting(3)).to.equal(false);
    await ask(3, true);
    await askOften(2, 2);
    expect(breaker.isResting(3)).to.equal(false);
  });

  it('asks once after a rest, and goes on resting while that fails', async () => {
    await askOften(1, 5);
    for (let round = 0; round < 3; round++) {
      nowMs += restMs;
      expect(await askOften(1, 10)).to.equal(1);
    }
    nowMs += restMs;
    expect(await askOften(1, 10, true)).to.equal(10);
  });

  it('lets one call at a time show whether it is well again', async () => {
    await askOften(1, 3);
    await askOften(2, 2);
    nowMs += restMs;
    const { promise, resolve } = Promise.withResolvers<void>();
    const shows = breaker.through(
      3,
      () => promise,
      () => true,
    );
    expect(breaker.isResting(4)).to.equal(true);
    resolve();
    await shows;
    expect([1, 2, 4].map((account) => breaker.isResting(account))).to.deep.equal([false, false, false]);
  });

  it('is not kept at rest for all by one account that goes on failing', async () => {
    await askOften(1, 3);
    await askOften(2, 2);
    nowMs += restMs;
    await askOften(1, 50);
    expect(breaker.isResting(3)).to.equal(false);
    await ask(2, false);
    expect(breaker.isResting(3)).to.equal(true);
  });

  it('begins its rest with the first that saw it, whatever is still out then', async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const out = [1, 2, 1, 2, 1, 2, 1, 2].map((account) =>
      breaker
        .through(
          account,
          () => promise,
          () => true,
        )
        .catch(() => {}),
    );
    reject(new Error('down'));
    await Promise.all(out);
    expect(breaker.isResting(3)).to.equal(true);
    nowMs += restMs;
    await ask(3, false);
    expect(breaker.isResting(4)).to.equal(false);
  });

  it('forgets what failed minutes ago', async () => {
    await askOften(1, 4);
    nowMs += 5 * 60_000;
    expect(await askOften(1, 4)).to.equal(4);
    await askOften(2, 2);
    nowMs += 5 * 60_000;
    expect(breaker.isResting(3)).to.equal(false);
  });
});
