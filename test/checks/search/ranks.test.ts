import { expect } from 'chai';
import { checkRank, type RankQuestion } from '../../../checks/search/rank-check.ts';
import { useProvider } from '../../support/provider.ts';
import { makeProvider, providerFormats } from '../../support/replies.ts';
import { deadlineIn, rankQuestion, searchWith } from '../../support/serps.ts';
import { answering, createPages, type Pages, rankIn } from '../../support/simulated-google.ts';

const query = 'red shoes';
const sizes = [9, 10, 8, 12, 6, 11, 9, 7, 10, 8];
const whole = createPages(sizes, 1);
const ended = createPages(sizes.slice(0, 4), 2);

for (const format of providerFormats) {
  const { name } = format.source;
  const isCrawl = name === 'dataforseo';

  describe(`ranks through ${name}`, () => {
    const { server, provider } = useProvider((baseUrl) => makeProvider(format, baseUrl));

    const check = async (pages: Pages, url: string, changes: Partial<RankQuestion> = {}) => {
      server.willAnswer(answering(format, query, pages));
      const question = rankQuestion(url, { endPage: 10, ...changes });
      const outcome = await checkRank(question, searchWith([provider]), deadlineIn(60_000));
      const { answer = null, results = [] } = outcome.state === 'success' ? outcome : {};
      const [cost, calls] = [outcome.cost?.pages ?? 0, server.seen.length];
      return { answer, results, rank: answer?.rank, cost, calls };
    };
    /** The first and the last new result of each page. Another test covers the results in between. */
    const edges = (pages: Pages) =>
      pages.flatMap((urls, index) => {
        const fresh = urls.filter((url) => firstPage(pages, url) === index);
        return [...new Set([fresh.at(0), fresh.at(-1)])].map((url = '') => ({ url, page: index + 1 }));
      });

    it('are right at both ends of every page, and no page after the match is requested', async () => {
      for (const { url, page } of edges(whole)) {
        const { rank, cost, calls, answer } = await check(whole, new URL(url).hostname);
        expect(rank, url).to.equal(rankIn(whole, url));
        expect([cost, answer?.pages_searched], url).to.deep.equal([page, page]);
        expect(calls, url).to.equal(isCrawl ? 1 : page);
        expect(answer?.page, url).to.equal(isCrawl ? null : page);
      }
    });

    it('cost ten pages if the target is missing, or at most one page after the last results', async () => {
      const { answer, cost } = await check(whole, 'nowhere.example');
      expect(answer).to.include({ found: false, rank: null, pages_searched: 10 });
      expect(cost).to.equal(10);
      const end = await check(ended, 'nowhere.example');
      expect(end.answer).to.include({ found: false });
      expect(end.cost).to.be.within(4, 5);
      expect(end.answer?.pages_searched).to.equal(end.cost);
    });

    it('of a page are right at both ends of every result page, also if the results end early', async () => {
      for (const { url, page } of edges(ended)) {
        const { rank, cost } = await check(ended, url);
        expect(rank, url).to.equal(rankIn(ended, url));
        expect(cost, url).to.equal(isCrawl ? 4 : page);
      }
    });

    it('count ten results for each page before the start page, except in crawls', async () => {
      const { rank, cost } = await check(whole, 's38.example', { startPage: 3 });
      // Google counts ten results per page. A crawl knows the real number.
      const onPage3 = [...(whole[2] ?? []), ...(whole[3] ?? []), ...(whole[4] ?? [])];
      const counted = 20 + [...new Set(onPage3)].indexOf('https://s38.example/page') + 1;
      expect(rank).to.equal(isCrawl ? 38 : counted);
      expect(cost).to.equal(isCrawl ? 10 : firstPage(whole, 'https://s38.example/page') - 1);
    });

    it('come from the same pages as all the results, when these are requested', async () => {
      const { rank, cost, results } = await check(whole, 's12.example', { isFull: true });
      expect([rank, cost]).to.deep.equal([12, 10]);
      expect(results?.map(({ url }) => url)).to.deep.equal([...new Set(whole.flat())]);
      expect(results?.map(({ position }) => position)).to.deep.equal(results?.map((_, index) => index + 1));
    });

    if (!isCrawl) {
      it('are not reported when a page repeats an earlier one', async () => {
        const stuck = whole.map((urls, index) => (index < 3 ? urls : (whole[2] as string[]).toReversed()));
        const { answer, cost } = await check(stuck, 'nowhere.example');
        expect(answer).to.equal(null);
        expect(cost).to.equal(4);
        expect((await check(stuck, 's3.example')).rank).to.equal(3);
      });

      it('end at a page without new results', async () => {
        const early = [whole[0], whole[1], whole[0]?.slice(0, 4).toReversed(), whole[3]] as Pages;
        const { answer, cost } = await check(early, 's38.example');
        expect(answer).to.include({ found: false, pages_searched: 3 });
        expect(cost).to.equal(3);
      });
    }
  });
}

/** The index of the first page that lists the URL. */
function firstPage(pages: Pages, url: string): number {
  return pages.findIndex((urls) => urls.includes(url));
}
