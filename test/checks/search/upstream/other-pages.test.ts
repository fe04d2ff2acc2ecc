import { expect } from 'chai';
import { linksToOtherSearch } from '../../../../checks/search/upstream/other-pages.ts';

/** A link to the next page of a search for "red shoes", with the space escaped so many times. */
const linkEscaped = (times: number) =>
  `https://www.google.com/search?q=red%${'25'.repeat(times - 1)}20shoes&start=10`;
const isOther = (link: string) => linksToOtherSearch('red shoes', { next_page: link });

describe('a link to another page of a search', () => {
  it('belongs to the same search if it is escaped a few times more', () => {
    expect([1, 2, 3, 4].map((times) => isOther(linkEscaped(times)))).to.deep.equal([
      false,
      false,
      false,
      false,
    ]);
    expect(isOther('https://www.google.com/search?q=blue+shoes')).to.equal(true);
  });

  it('is unescaped at most three times', () => {
    expect([5, 50, 1_000_000].map((times) => isOther(linkEscaped(times)))).to.deep.equal([true, true, true]);
  });
});
