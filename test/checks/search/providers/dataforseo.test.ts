import { expect } from 'chai';
import { dataForSeo } from '../../../../checks/search/providers/dataforseo.ts';
import { checkRank } from '../../../../checks/search/rank-check.ts';
import type { PageRange, ProviderErrorKind, SerpProvider } from '../../../../checks/search/serp.ts';
import { parseRankTarget, type TargetMatch } from '../../../../checks/search/target.ts';
import { type Answer, expectFailure, serpRequest, useProvider } from '../../../support/provider.ts';
import { noDeadline, rankQuestion, searchWith } from '../../../support/serps.ts';

const apiPassword = 'dataforseo-password-0123';

/** One entry of a page. `rank` counts the entries of its type. */
const item = (type: string, url: string, rank: number) => ({
  type,
  rank_group: rank,
  rank_absolute: rank + 3,
  url,
  title: url,
});

/** A page with two organic results, a snippet and an ad. */
const organicResult = {
  keyword: 'red shoes',
  spell: null,
  se_results_count: 120,
  items: [
    item('featured_snippet', 'https://snippet.example/', 1),
    item('paid', 'https://box.example/', 1),
    item('organic', 'https://one.example/', 1),
    item('organic', 'https://two.example/', 2),
  ],
};

/** The answer to a successful task. */
const answered = (result: unknown): Answer => ({
  body: {
    status_code: 20000,
    cost: 0.002,
    tasks_error: 0,
    tasks: [{ status_code: 20000, result: result === null ? null : [result] }],
  },
});

/** DataForSEO with the base URL of a local server. */
function dataForSeoAt(baseUrl: string): SerpProvider {
  return dataForSeo.create(
    {
      DATAFORSEO_LOGIN: 'me',
      DATAFORSEO_PASSWORD: apiPassword,
      DATAFORSEO_BASE_URL: `${baseUrl}/proxy`,
    },
    2_000,
  );
}

/** A failed task as the help centre shows it: the envelope is successful and counts no error. */
const failed = (code: number): Answer => ({
  body: {
    status_code: 20000,
    tasks_error: 0,
    tasks: [{ status_code: code, status_message: '…', data: { keyword: 'red shoes' }, result: null }],
  },
});
const spelled = (type: string) => answered({ ...organicResult, spell: { keyword: 'red shoe', type } });

const failures: [title: string, kind: ProviderErrorKind, answer: Answer][] = [
  ['wrong credentials', 'auth', { status: 401, body: { status_code: 40100, tasks: null } }],
  ['no money', 'quota', { status: 402, body: { status_code: 40200, tasks: null } }],
  ['a failed gateway', 'upstream', { status: 502, body: '<html></html>' }],
  ['a task only created', 'upstream', failed(20100)],
  ['a search engine that failed', 'upstream', failed(40101)],
  ['too many in a minute', 'rate_limit', failed(40202)],
  ['the daily ceiling', 'quota', failed(40203)],
  ['an address not on the list', 'auth', failed(40207)],
  ['an invalid field', 'bad_request', failed(40501)],
  ['a third party', 'upstream', failed(50301)],
  ['a timeout of theirs', 'timeout', failed(50401)],
  ['another spelling mixed in', 'rewritten', spelled('including_results_for')],
  ['no result', 'unreadable', answered(null)],
];

describe('DataForSEO', () => {
  const { server, search } = useProvider(dataForSeoAt);

  it('sends the request as one task', async () => {
    server.willAnswer(answered(organicResult));
    await search({ country: 'GB', language: 'iw', device: 'mobile', page: 2 });
    const [seen] = server.seen;
    expect(seen?.url.pathname).to.equal('/proxy/v3/serp/google/organic/live/regular');
    expect(seen?.headers.authorization).to.equal(
      `Basic ${Buffer.from(`me:${apiPassword}`).toString('base64')}`,
    );
    expect(JSON.parse(seen?.body ?? '')).to.deep.equal([
      {
        keyword: 'red shoes',
        location_code: 2826,
        language_code: 'he',
        device: 'mobile',
        os: 'android',
        max_crawl_pages: 2,
        depth: 40,
        group_organic_results: false,
        search_param: 'filter=0&safe=off&pws=0&nfpr=1',
      },
    ]);
  });

  it('sends the language alone where it does not know the region', async () => {
    server.willAnswer(answered(organicResult));
    for (const language of ['en-GB', 'pt-BR']) await search({ language });
    const codes = server.seen.map(({ body }) => JSON.parse(body)[0].language_code);
    expect(codes).to.deep.equal(['en', 'pt-BR']);
  });

  it('escapes percent and plus signs', async () => {
    const query = 'shop.example/a%20b+c';
    server.willAnswer(answered({ ...organicResult, keyword: query }));
    await search({ query });
    expect(JSON.parse(server.seen[0]?.body ?? '')[0].keyword).to.equal('shop.example/a%2520b%2Bc');
  });

  it('gets no query that it would cut', async () => {
    server.willAnswer(answered(organicResult));
    await expectFailure('unsupported', () => search({ query: 'a'.repeat(701) }));
    expect(server.seen).to.deep.equal([]);
  });

  it('reads a page: the snippet separately, no ads', async () => {
    server.willAnswer(answered(organicResult));
    const serp = await search();
    expect(serp.results.map((result) => result.url)).to.deep.equal([
      'https://one.example/',
      'https://two.example/',
    ]);
    expect(serp.featuredSnippetUrl).to.equal('https://snippet.example/');
  });

  it('reads "nothing found" from the count', async () => {
    server.willAnswer(answered({ ...organicResult, items: null, se_results_count: 0 }));
    expect(await search()).to.deep.equal({ results: [], featuredSnippetUrl: null });
  });

  it('accepts results when another spelling was only suggested', async () => {
    server.willAnswer(spelled('did_you_mean'));
    expect((await search()).results).to.have.length(2);
  });

  for (const [title, kind, answer] of failures) {
    it(`takes ${title} as ${kind}`, async () => {
      server.willAnswer(answer);
      const error = await expectFailure(kind, () => search());
      expect(JSON.stringify([error.message, String(error.cause)])).not.to.include(apiPassword);
    });
  }
});

const target = 'wanted.example';

describe('a crawl of DataForSEO', () => {
  const { server, provider, search } = useProvider(dataForSeoAt);
  const task = () => JSON.parse(server.seen[0]?.body ?? '')[0];

  const crawl = async (range: PageRange) => {
    if (!('crawl' in provider)) throw new TypeError('it does not crawl');
    const { page: _, ...query } = serpRequest();
    return provider.crawl(query, range);
  };
  const whole = { from: 1, to: 10, stopAt: null };

  it('stops at a match when the target can be expressed, and only then', async () => {
    server.willAnswer(answered(organicResult));
    const stops = async (url: string, range: Partial<PageRange> = {}, match?: TargetMatch) => {
      server.seen.length = 0;
      await crawl({ ...whole, stopAt: parseRankTarget(url, match), ...range });
      const { stop_crawl_on_match: stop, find_targets_in: where } = task();
      return [
        stop?.map(({ match_value: value, match_type: type }: Record<string, string>) => `${type} ${value}`),
        where,
      ];
    };
    expect(await stops('shop.example')).to.deep.equal([['with_subdomains shop.example'], ['organic']]);
    expect(await stops('shop.example', {}, 'host')).to.deep.equal([
      ['domain shop.example', 'domain www.shop.example'],
      ['organic'],
    ]);
    const never = [undefined, undefined];
    expect(await stops('shop.example/red')).to.deep.equal(never);
    expect(await stops('shop.example/red', {}, 'prefix')).to.deep.equal(never);
    expect(await stops('shop.example:8080')).to.deep.equal(never);
    expect(await stops('shop.example', { from: 2 })).to.deep.equal(never);
    expect(await stops('shop.example', { stopAt: null })).to.deep.equal(never);
  });

  const items = (counts: number[], more: (page: number) => object = () => ({})) =>
    counts
      .flatMap((count, page) => Array.from({ length: count }, (_, at) => [page + 1, at] as const))
      .map(([page, at], index) => ({
        ...item('organic', `https://a.example/${page}/${at}`, index + 1),
        ...more(page),
      }));

  it('returns one list in the order of the ranks when results have no page number', async () => {
    server.willAnswer(answered({ ...organicResult, items: items([9, 12, 8]).reverse(), pages_count: 3 }));
    const { pages, pagesPaid } = await crawl(whole);
    expect(pages.map(({ page, pagesRead, results }) => [page, pagesRead, results.length])).to.deep.equal([
      [null, 3, 29],
    ]);
    expect(pages[0]?.results[9]?.url).to.equal('https://a.example/2/0');
    expect(pagesPaid).to.equal(3);
  });

  it('keeps repeated results, by which a repeated page is detected', async () => {
    const again = [...items([10]), ...items([10]).reverse()];
    server.willAnswer(answered({ ...organicResult, items: again, pages_count: 2 }));
    const failed = await checkRank(rankQuestion(target, { endPage: 2 }), searchWith([provider]), noDeadline);
    expect(failed).to.include({ state: 'failed', error: 'google_unreadable' });
  });

  it('keeps the order of the list when its ranks restart on each page', async () => {
    const ranks = { rank_group: 1, rank_absolute: 1 };
    server.willAnswer(
      answered({ ...organicResult, items: items([2, 2]).map((one) => ({ ...one, ...ranks })) }),
    );
    const { pages } = await crawl(whole);
    expect(pages[0]?.results.map(({ url }) => url)).to.deep.equal([
      'https://a.example/1/0',
      'https://a.example/1/1',
      'https://a.example/2/0',
      'https://a.example/2/1',
    ]);
  });

  it('splits the results into pages when each has a page number', async () => {
    server.willAnswer(
      answered({ ...organicResult, items: items([9, 12, 8], (page) => ({ page })), pages_count: 4 }),
    );
    const { pages, pagesPaid } = await crawl({ ...whole, from: 2 });
    expect(pages.map(({ page, pagesRead, results }) => [page, pagesRead, results.length])).to.deep.equal([
      [2, 1, 12],
      [3, 2, 8],
    ]);
    expect(pagesPaid).to.equal(4);
  });

  it('gives no answer when paid pages brought no result', async () => {
    const rank = async (counts: number[], paid: number, { isSaid = false, startPage = 1 } = {}) => {
      const more = isSaid ? (page: number) => ({ page }) : () => ({});
      server.willAnswer(answered({ ...organicResult, items: items(counts, more), pages_count: paid }));
      const question = rankQuestion(target, { startPage, endPage: 10 });
      const outcome = await checkRank(question, searchWith([provider]), noDeadline);
      return outcome.state === 'failed' ? outcome.error : outcome.answer.found;
    };
    for (const isSaid of [true, false]) {
      expect(await rank([9], 5, { isSaid })).to.equal('google_unreadable');
      expect(await rank([10, 9], 10, { isSaid })).to.equal('google_unreadable');
      expect(await rank([9], 5, { isSaid, startPage: 2 })).to.equal('google_unreadable');
      // The crawl may read one page after the end of the results.
      expect(await rank([9], 2, { isSaid })).to.equal(false);
      expect(await rank([9, 3], 3, { isSaid })).to.equal(false);
      expect(await rank([9], 2, { isSaid, startPage: 2 })).to.equal(false);
    }
  });

  it('gives no answer when the crawl ends after one page and Google counts many more results', async () => {
    const rank = async (
      counts: number[],
      results: number,
      { startPage = 1, endPage = 10, isFull = false, url = 'https://a.example/1/0' } = {},
    ) => {
      const pagesCount = counts.length;
      const found = items(counts).map((one, index) => (index === 0 ? { ...one, url } : one));
      server.willAnswer(
        answered({ ...organicResult, items: found, pages_count: pagesCount, se_results_count: results }),
      );
      const question = rankQuestion(target, { startPage, endPage, isFull });
      const outcome = await checkRank(question, searchWith([provider]), noDeadline);
      return outcome.state === 'failed' ? outcome.error : outcome.answer.found;
    };
    // every-app/open-seo#362: one of ten pages was read.
    expect(await rank([9], 1_200_000)).to.equal('google_unreadable');
    expect(await rank([9], 1_200_000, { startPage: 2 })).to.equal('google_unreadable');
    expect(await rank([9], 101, { endPage: 2 })).to.equal('google_unreadable');
    const url = 'https://wanted.example/';
    expect(await rank([9], 1_200_000, { url })).to.equal(true);
    // The ranks of competitors further down are unknown.
    expect(await rank([9], 1_200_000, { url, isFull: true })).to.equal('google_unreadable');
    // The results end here.
    expect(await rank([9], 9)).to.equal(false);
    expect(await rank([9], 100)).to.equal(false);
    expect(await rank([9], 1_200_000, { endPage: 1 })).to.equal(false);
    // Google often ends after two or three pages, whatever its count.
    expect(await rank([10, 9, 4], 1_200_000)).to.equal(false);
  });

  it('counts ten results for each page before the first requested one', async () => {
    server.willAnswer(answered({ ...organicResult, items: items([9, 12, 8]), pages_count: 3 }));
    const { pages } = await crawl({ ...whole, from: 2 });
    expect(pages[0]?.results[0]?.url).to.equal('https://a.example/2/1');
    expect((await search({ page: 4 })).results).to.deep.equal([]);
  });
});
