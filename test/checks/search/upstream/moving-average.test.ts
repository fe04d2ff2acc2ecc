import { expect } from 'chai';
import { MovingAverage } from '../../../../checks/search/upstream/upstream.ts';

describe('a moving average', () => {
  it('is kept by account, and weighs the last value as configured', () => {
    const average = new MovingAverage({ weightOfLast: 0.5 });
    expect(average.get(1)).to.equal(null);
    average.add(1, 1000);
    expect(average.get(1)).to.equal(1000);
    average.add(1, 2000);
    expect(average.get(1)).to.equal(1500);
    const slowly = new MovingAverage({ weightOfLast: 0.2, first: 0 });
    slowly.add(1, 1000);
    expect(slowly.get(1)).to.equal(200);
  });

  for (const slow of [1, 4, 20, 49]) {
    it(`changes for no other account by ${slow} of a hundred slow ones`, () => {
      const average = new MovingAverage({ weightOfLast: 0.5 });
      for (let account = 1; account <= 100; account++) {
        for (let call = 0; call < 10; call++) average.add(account, account <= slow ? 120_000 : 1000);
      }
      expect(average.get(100)).to.equal(1000);
      expect(average.get(2000)).to.equal(1000);
      expect(average.get(1)).to.equal(120_000);
    });
  }

  it('is dropped for the least recently used account', () => {
    const average = new MovingAverage({ weightOfLast: 0.5 });
    average.add(0, 7000);
    for (let account = 1; account <= 100; account++) average.add(account, 1000);
    expect(average.get(0)).to.equal(1000);
  });
});
