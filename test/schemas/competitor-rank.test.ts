import { expect } from 'chai';
import { getCompetitorRank } from '../../schemas/competitor-rank.ts';

describe('the rank of a competitor', () => {
  const range = { start_page: 1, end_page: 10 };
  const none = { rank: null };

  it('is known if it was found', () => {
    expect(getCompetitorRank({ rank: 7 }, { found: true, pages_searched: 1 }, range)).to.equal(7);
  });

  it('is not_searched if reading stopped at the target before the last page', () => {
    expect(getCompetitorRank(none, { found: true, pages_searched: 2 }, range)).to.equal('not_searched');
    const later = { start_page: 3, end_page: 5 };
    expect(getCompetitorRank(none, { found: true, pages_searched: 2 }, later)).to.equal('not_searched');
  });

  it('is not_ranked if all requested pages were read', () => {
    expect(getCompetitorRank(none, { found: false, pages_searched: 4 }, range)).to.equal('not_ranked');
    expect(getCompetitorRank(none, { found: true, pages_searched: 10 }, range)).to.equal('not_ranked');
    const full = { start_page: 1, end_page: 5, full: true as const };
    expect(getCompetitorRank(none, { found: true, pages_searched: 3 }, full)).to.equal('not_ranked');
  });
});
