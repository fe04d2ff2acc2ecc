import { expect } from 'chai';
import { createReader, type SearchTiming } from '../../../checks/search/reader.ts';
import type { CrawlProvider, ProviderError } from '../../../checks/search/serp.ts';
import { parseRankTarget } from '../../../checks/search/target.ts';
import { serpRequest } from '../../support/provider.ts';
import { scriptProvider, toTestSerp } from '../../support/serps.ts';

describe('the pages of a provider', () => {
  const provider = scriptProvider('one', () => []);
  const { page: _page, ...query } = serpRequest();
  const range = { from: 1, to: 6, stopAt: null };

  const unhurried: SearchTiming = { deadlineMs: null, timeMs: () => null, msPerPage: null };

  describe('of a crawl', () => {
    const crawling: CrawlProvider = {
      name: 'crawler',
      supports: provider.supports,
      crawl: () => Promise.reject(new Error('asked through the reader')),
    };
    const crawl = async (pace: Partial<SearchTiming>, ends = 10) => {
      let depth = 0;
      const reader = createReader(crawling, { ...unhurried, ...pace }, async (_query, { to }) => {
        depth = to;
        return [{ ...toTestSerp(['https://a.example/']), page: null, pagesRead: Math.min(ends, to) }];
      });
      const read = async () => {
        for await (const _ of reader.pages(query, { from: 1, to: 10, stopAt: null }));
        return 'all read';
      };
      return { end: await read().catch((error: ProviderError) => error.kind), depth };
    };

    it('are requested again from its last page if it stopped for a match that we do not find', async () => {
      const stops: unknown[] = [];
      const reader = createReader(crawling, unhurried, async (_query, { stopAt }) => {
        stops.push(stopAt);
        const deeper = stopAt === null ? ['https://example.com/'] : [];
        return [
          { ...toTestSerp(['https://example.com:8443/', ...deeper]), page: null, pagesRead: stopAt ? 1 : 3 },
        ];
      });
      const stopAt = parseRankTarget('example.com');
      const urls: string[] = [];
      for await (const { results } of reader.pages(query, { from: 1, to: 10, stopAt })) {
        urls.push(...results.map(({ url }) => url));
      }
      expect(urls).to.include('https://example.com/');
      expect(stops).to.deep.equal([stopAt, null]);
    });

    it('are unreadable if a page is repeated or missing', async () => {
      const endOfCrawl = async (...pages: [page: number | null, urls: string[]][]) => {
        const reader = createReader(crawling, unhurried, async () =>
          pages.map(([page, urls]) => ({ ...toTestSerp(urls), page, pagesRead: 1 })),
        );
        const read = async () => {
          for await (const _ of reader.pages(query, { from: 1, to: pages.length, stopAt: null }));
          return 'all read';
        };
        return read().catch((error: ProviderError) => error.kind);
      };
      expect(await endOfCrawl([1, ten()], [2, ten(10)], [3, ten(20)])).to.equal('all read');
      expect(await endOfCrawl([1, ten()], [2, ten().reverse()])).to.equal('unreadable');
      expect(await endOfCrawl([1, ten()], [3, ten(20)])).to.equal('unreadable');
      expect(await endOfCrawl([2, ten()], [3, ten(20)])).to.equal('unreadable');
      expect(await endOfCrawl([null, [...ten(), ...ten(8)]])).to.equal('all read');
      expect(await endOfCrawl([null, [...ten(), ...ten().reverse()]])).to.equal('unreadable');
    });

    it('are not requested again if it read all of them', async () => {
      const stops: unknown[] = [];
      const reader = createReader(crawling, unhurried, async (_query, { stopAt }) => {
        stops.push(stopAt);
        return [{ ...toTestSerp(['https://example.com:8443/']), page: null, pagesRead: 10 }];
      });
      const stopAt = parseRankTarget('example.com');
      for await (const _ of reader.pages(query, { from: 1, to: 10, stopAt }));
      expect(stops).to.deep.equal([stopAt]);
    });

    it('are an error if it was cut short and its depth is unknown', async () => {
      const reader = createReader(
        crawling,
        { ...unhurried, timeMs: () => 20_000, msPerPage: 4_000 },
        async () => [
          { ...toTestSerp(['https://a.example/']), page: null, pagesRead: 1, isDepthGuessed: true },
        ],
      );
      const read = async () => {
        for await (const _ of reader.pages(query, { from: 1, to: 10, stopAt: null }));
        return 'all read';
      };
      expect(await read().catch((error: ProviderError) => error.kind)).to.equal('timeout');
    });

    it('are as many as fit the time, and deeper ones are an error', async () => {
      expect(await crawl({ msPerPage: 2_000 })).to.deep.equal({ end: 'all read', depth: 10 });
      expect(await crawl({ timeMs: () => 24_000 })).to.deep.equal({ end: 'all read', depth: 10 });
      expect(await crawl({ timeMs: () => 24_000, msPerPage: 1_500 })).to.deep.equal({
        end: 'all read',
        depth: 10,
      });
      expect(await crawl({ timeMs: () => 20_000, msPerPage: 4_000 })).to.deep.equal({
        end: 'timeout',
        depth: 4,
      });
      expect(await crawl({ timeMs: () => 20_000, msPerPage: 99_000 })).to.deep.equal({
        end: 'timeout',
        depth: 1,
      });
    });

    it('are all read if the results end before the time does', async () => {
      expect(await crawl({ timeMs: () => 20_000, msPerPage: 4_000 }, 3)).to.deep.equal({
        end: 'all read',
        depth: 4,
      });
    });
  });

  const read = async (urls: (page: number) => string[]) => {
    const reader = createReader(provider, unhurried, async (_query, { from }) => [
      { ...toTestSerp(urls(from)), page: from, pagesRead: 1 },
    ]);
    let pages = 0;
    for await (const _ of reader.pages(query, range)) pages += 1;
    return pages;
  };
  const ten = (from = 0) => Array.from({ length: 10 }, (_, index) => `https://a.example/${from + index}`);
  const turned = (urls: string[], by: number) => [...urls.slice(by), ...urls.slice(0, by)];
  const findEnd = (urls: (page: number) => string[]) => read(urls).catch((error) => error.kind);

  it('are unreadable if one repeats an earlier one, in any order', async () => {
    expect(await findEnd((page) => turned(ten(), page))).to.equal('unreadable');
    expect(await findEnd((page) => ten().map((url) => `${url}#${page}`))).to.equal('unreadable');
    expect(await findEnd((page) => ten((page % 2) * 10))).to.equal('unreadable');
    // Each page replaces one of ten results, as if the first page were requested again.
    expect(await findEnd((page) => [...ten().slice(1), `https://new.example/${page}`])).to.equal(
      'unreadable',
    );
  });

  it('are unreadable if one has nothing new and is full, with any parameters in its links', async () => {
    expect(await findEnd((page) => (page === 1 ? ten() : ten().slice(0, 7).reverse()))).to.equal(
      'unreadable',
    );
    expect(await findEnd((page) => (page === 1 ? ten() : ten().slice(5)))).to.equal('unreadable');
    expect(await findEnd((page) => ten().map((url) => `${url}?utm_content=${page}`))).to.equal('unreadable');
    expect(
      await findEnd((page) => ten().map((url) => (page === 1 ? url : url.replace('https', 'http')))),
    ).to.equal('unreadable');
  });

  it('continue if some results are repeated', async () => {
    expect(await findEnd((page) => ten(page * 5))).to.equal(6);
    // The last page may be short, with only repeated results.
    expect(await findEnd((page) => (page < 6 ? ten(page * 10) : ten(50).slice(0, 2)))).to.equal(6);
  });

  it('are unreadable if one repeats the one before, but not if both are empty', async () => {
    expect(await read((page) => [`https://a.example/${page}`])).to.equal(6);
    expect(await read(() => [])).to.equal(6);
    const again = await read(() => ['https://a.example/']).catch((error) => error);
    expect(again).to.include({ kind: 'unreadable', provider: 'one' });
  });
});
