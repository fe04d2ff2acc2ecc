import { expect } from 'chai';
import { normaliseQuery, queryCharsMax, withoutQuotes } from '../../../../checks/search/google/query.ts';

describe('the normal form of a query', () => {
  it('ignores case, white space and quotation marks', () => {
    for (const query of ['"Red  Shoes"', '“red shoes”', '«red\u00a0shoes» ', '「ｒｅｄ\nSHOES」']) {
      expect(normaliseQuery(query)).to.equal('"red shoes"');
    }
    expect(withoutQuotes('site:a.example "red shoes" "b"')).to.equal('site:a.example red shoes b');
  });

  it('is cut before normalisation makes it longer', () => {
    const longest = '\ufdfa'.normalize('NFKC').length;
    expect(normaliseQuery('\ufdfa'.repeat(1_200_000))).to.have.length.at.most(queryCharsMax * longest);
  });
});
