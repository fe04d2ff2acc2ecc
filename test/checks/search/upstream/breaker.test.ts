import { expect } from 'chai';
import { Breaker } from '../../../../checks/search/upstream/breaker.ts';

describe('the circuit breaker of a provider', () => {
  const restMs = 15_000;
  let nowMs: number;
  let breaker: Breaker;

  beforeEach(() => {
    nowMs = 1_000_000;
    breaker = new Breaker(restMs, () => nowMs);
  });

  /** Makes a call as a search does, unless the breaker is open for the account. Returns whether it was made. */
  const ask = async (account: number, isWell: boolean): Promise<boolean> => {
    if (breaker.isOpen(account)) return false;
    const call = () => (isWell ? Promise.resolve() : Promise.reject(new Error('down')));
    await breaker.run(account, call, () => true).catch(() => {});
    return true;
  };
  const askOften = async (account: number, times: number, isWell = false) => {
    let calls = 0;
    for (let time = 0; time < times; time++) if (await ask(account, isWell)) calls += 1;
    return calls;
  };

  it('does not open for all if a second account has only one failure, or if any had an answer in between', async () => {
    await askOften(1, 4);
    await ask(2, false);
    expect(breaker.isOpen(3)).to.equal(false);
    await ask(3, true);
    await askOften(2, 2);
    expect(breaker.isOpen(3)).to.equal(false);
  });

  it('does not stay open for all because of one account that keeps failing', async () => {
    await askOften(1, 3);
    await askOften(2, 2);
    nowMs += restMs;
    await askOften(1, 50);
    expect(breaker.isOpen(3)).to.equal(false);
    await ask(2, false);
    expect(breaker.isOpen(3)).to.equal(true);
  });

  it('starts its pause with the first failure, despite open calls', async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const out = [1, 2, 1, 2, 1, 2, 1, 2].map((account) =>
      breaker
        .run(
          account,
          () => promise,
          () => true,
        )
        .catch(() => {}),
    );
    reject(new Error('down'));
    await Promise.all(out);
    expect(breaker.isOpen(3)).to.equal(true);
    nowMs += restMs;
    await ask(3, false);
    expect(breaker.isOpen(4)).to.equal(false);
  });

  it('ignores failures of some minutes ago', async () => {
    await askOften(1, 4);
    nowMs += 5 * 60_000;
    expect(await askOften(1, 4)).to.equal(4);
    await askOften(2, 2);
    nowMs += 5 * 60_000;
    expect(breaker.isOpen(3)).to.equal(false);
  });
});
