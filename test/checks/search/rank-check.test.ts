import { expect } from 'chai';
import { checkRank, type RankQuestion } from '../../../checks/search/rank-check.ts';
import type { SearchContext } from '../../../checks/search/search.ts';
import type { SerpRequest } from '../../../checks/search/serp.ts';
import { parseRankTarget, type RankTarget } from '../../../checks/search/target.ts';
import {
  deadlineIn,
  noDeadline,
  rankQuestion,
  type ScriptedPage,
  scriptProvider,
  searchWith,
} from '../../support/serps.ts';

const standard = rankQuestion('example.com', { keyword: 'shoes', endPage: 10 });
/** Returns ten addresses of other sites. */
const others = (page: number) =>
  Array.from({ length: 10 }, (_, index) => `https://site-${page}-${index}.example/`);

describe('a rank check', () => {
  async function climb(
    answer: (request: SerpRequest) => ScriptedPage | Promise<ScriptedPage>,
    changes: Partial<RankQuestion> = {},
    asking: SearchContext = noDeadline,
  ) {
    const provider = scriptProvider('one', answer);
    const outcome = await checkRank({ ...standard, ...changes }, searchWith([provider]), asking);
    return { outcome, pages: provider.asked.map(({ page }) => page), asked: provider.asked };
  }
  const getAnswer = async (...args: Parameters<typeof climb>) => {
    const { outcome } = await climb(...args);
    if (outcome.state === 'failed') throw new Error(outcome.error);
    return { ...outcome.answer, tally: outcome.tally };
  };

  it('counts different addresses from the top of page 1, and stops at the match', async () => {
    const page2 = ['https://site-1-0.example/#again', 'https://new.example/', 'https://shop.example.com/x'];
    const { outcome, pages } = await climb(({ page }) => (page === 1 ? others(1) : page2));
    expect(outcome).to.have.property('answer').that.includes({
      found: true,
      rank: 12,
      ranked_url: 'https://shop.example.com/x',
      page: 2,
      position_on_page: 3,
      pages_searched: 2,
    });
    expect(pages).to.deep.equal([1, 2]);
  });

  it('counts several results of one site, but not a repeated one', async () => {
    const page = [
      'https://a.example/1',
      'https://a.example/2',
      'https://a.example/1',
      'https://example.com/',
    ];
    expect(await getAnswer(() => page)).to.include({ rank: 3, position_on_page: 4 });
  });

  it('is an error if an earlier page is unreadable', async () => {
    const broken = ({ page }: SerpRequest): ScriptedPage =>
      page === 2 ? 'unreadable' : page === 3 ? ['https://example.com/'] : others(page);
    expect((await climb(broken)).outcome.state).to.equal('failed');
    expect((await climb(broken, {}, deadlineIn(5000))).outcome.state).to.equal('failed');
  });

  it('ignores an unreadable page after the match', async () => {
    const answer = await getAnswer(
      ({ page }) => (page === 2 ? ['https://example.com/'] : page > 2 ? 'blocked' : others(1)),
      {},
      deadlineIn(5000),
    );
    expect(answer).to.include({ rank: 11 });
  });

  describe('with more details requested', () => {
    const rivals = ['https://rival.example/a', 'https://www.rival.example/b'];
    const pages = (page: number) =>
      page === 1
        ? [...others(1).slice(0, 8), 'https://example.com/x', rivals[1] as string]
        : [rivals[0] as string, ...others(page)];
    const competitors = ['rival.example', 'https://rival.example/a', 'site-3-1.example'].map((url) => ({
      url,
      target: parseRankTarget(url) as RankTarget,
    }));

    it('reports the positions of competitors on the pages read', async () => {
      const { outcome, pages: asked } = await climb(({ page }) => pages(page), { competitors });
      expect(asked).to.deep.equal([1]);
      expect(outcome).to.have.nested.property('answer.rank', 9);
      expect(outcome)
        .to.have.nested.property('answer.competitors')
        .that.deep.equals([
          { url: 'rival.example', rank: 10, ranked_url: rivals[1] },
          { url: 'https://rival.example/a', rank: null, ranked_url: null },
          { url: 'site-3-1.example', rank: null, ranked_url: null },
        ]);
      expect((await climb(({ page }) => pages(page))).outcome).to.not.have.nested.property(
        'answer.competitors',
      );
    });

    it('reads all pages after the match if all results are requested', async () => {
      const { outcome, pages: asked } = await climb(({ page }) => pages(page), {
        competitors,
        isFull: true,
        endPage: 3,
      });
      expect(asked).to.deep.equal([1, 2, 3]);
      expect(outcome)
        .to.have.property('answer')
        .that.includes({ rank: 9, page: 1, position_on_page: 9, pages_searched: 3 });
      expect(outcome).to.have.nested.property('answer.competitors[1].rank', 11);
      expect(outcome).to.have.nested.property('answer.competitors[2].rank', 23);
      expect(outcome).to.have.property('cost').that.deep.equals({ pages: 3 });
    });

    it('returns the queries and at most 100 results', async () => {
      const { outcome } = await climb(({ page }) => others(page).flatMap((url) => [url, `${url}more`]), {
        endPage: 6,
      });
      expect(outcome)
        .to.have.property('asked')
        .that.deep.equals([{ query: 'shoes', provider: 'one', results: 120 }]);
      expect(outcome).to.have.property('results').with.lengthOf(100);
      expect(outcome).to.have.nested.property('results[20]').that.deep.equals({
        position: 21,
        url: 'https://site-2-0.example/',
        title: 'https://site-2-0.example/',
        page: 2,
      });
    });
  });

  it('returns the counters for the summary', async () => {
    const at = (rank: number) => () => [
      ...Array.from({ length: rank - 1 }, (_, index) => `https://s${index}.example/`),
      'https://example.com/',
    ];
    expect((await getAnswer(at(1))).tally).to.deep.equal(['ranked', 'top_3', 'top_10', 'top_20', 'top_100']);
    expect((await getAnswer(at(11))).tally).to.deep.equal(['ranked', 'top_20', 'top_100']);
    expect((await getAnswer(() => [])).tally).to.deep.equal(['not_ranked']);
  });

  it('uses the device, country and language of the query', async () => {
    const { asked } = await climb(() => [], { device: 'mobile', country: 'DE', language: 'de' });
    expect(asked[0]).to.include({
      query: 'shoes',
      device: 'mobile',
      country: 'DE',
      language: 'de',
      isUnfiltered: false,
    });
  });
});
