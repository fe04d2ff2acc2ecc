import { expect } from 'chai';
import { createUsual } from '../../../../checks/search/upstream/upstream.ts';

describe('what is usual', () => {
  it("is an account's own, of which the last weighs as much as was said", () => {
    const usual = createUsual({ weightOfLast: 0.5, fromMs: null });
    expect(usual.of(1)).to.equal(null);
    usual.note(1, 1000);
    expect(usual.of(1)).to.equal(1000);
    usual.note(1, 2000);
    expect(usual.of(1)).to.equal(1500);
    const slowly = createUsual({ weightOfLast: 0.2, fromMs: 0 });
    slowly.note(null, 1000);
    expect(slowly.of(null)).to.equal(200);
  });

  for (const slow of [1, 4, 20, 49]) {
    it(`is moved for nobody else by ${slow} of a hundred who are slow`, () => {
      const usual = createUsual({ weightOfLast: 0.5, fromMs: null });
      for (let account = 1; account <= 100; account++) {
        for (let call = 0; call < 10; call++) usual.note(account, account <= slow ? 120_000 : 1000);
      }
      expect(usual.of(100)).to.equal(1000);
      expect(usual.of(2000)).to.equal(1000);
      expect(usual.of(1)).to.equal(120_000);
    });
  }

  it('is forgotten of whoever has not asked for the longest time', () => {
    const usual = createUsual({ weightOfLast: 0.5, fromMs: null });
    usual.note(0, 7000);
    for (let account = 1; account <= 100; account++) usual.note(account, 1000);
    expect(usual.of(0)).to.equal(1000);
  });
});
