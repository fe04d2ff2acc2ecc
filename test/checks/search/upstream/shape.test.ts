import { expect } from 'chai';
import { isSameQuery } from '../../../../checks/search/upstream/shape.ts';

/** Becomes eighteen characters when it is normalised. */
const ligature = '\ufdfa';

describe('a query and its echo', () => {
  it('are equal in spite of another case, width or spacing', () => {
    expect(isSameQuery(' Red  shoes', 'ｒｅｄ\nSHOES ')).to.equal(true);
    expect(isSameQuery('red shoes', 'red shoe')).to.equal(false);
  });

  it('are compared up to the maximum length of a query, counted before normalisation', () => {
    const same = (length: number) =>
      isSameQuery(`${ligature.repeat(length)}x`, `${ligature.repeat(length)}y`);
    expect([same(8_191), same(8_192), same(1_200_000)]).to.deep.equal([false, true, true]);
  });
});
