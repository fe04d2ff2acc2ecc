import { expect } from 'chai';
import { serpApi } from '../../../../checks/search/providers/serpapi.ts';
import type { ProviderErrorKind } from '../../../../checks/search/serp.ts';
import { type Answer, expectFailure, useProvider } from '../../../support/provider.ts';

const apiKey = 'serpapi-key-0123456789';
const fullPage = {
  search_metadata: { id: 'abc', status: 'Success' },
  search_parameters: { q: 'red shoes', device: 'desktop' },
  search_information: { organic_results_state: 'Results for exact spelling', query_displayed: 'red shoes' },
  organic_results: [
    {
      position: 1,
      title: 'One',
      link: 'https://one.example/',
      sitelinks: { inline: [{ link: 'https://box.example/' }] },
    },
    { position: 2, title: 'Two', link: 'https://two.example/' },
  ],
  related_questions: [{ link: 'https://box.example/' }],
};
const { organic_results: _, ...Empty } = fullPage;
const noResultsSentence = "Google hasn't returned any results for this query.";
const withState = (state: string, more = {}) => ({
  ...fullPage,
  search_information: { ...fullPage.search_information, organic_results_state: state, ...more },
});

const answers: [title: string, body: unknown, urls: string[]][] = [
  [
    'a page without a state',
    { ...fullPage, search_information: {} },
    ['https://one.example/', 'https://two.example/'],
  ],
  [
    'a spelling that was only suggested',
    withState('Showing results for exact spelling despite spelling suggestion'),
    ['https://one.example/', 'https://two.example/'],
  ],
  ['nothing found, from the error sentence', { ...Empty, error: noResultsSentence }, []],
  ['nothing found, from the state', { ...withState('Fully empty'), organic_results: [] }, []],
  [
    'nothing found for the exact words',
    withState('Empty showing fixed spelling results', { showing_results_for: 'shoe' }),
    [],
  ],
];

const failures: [title: string, kind: ProviderErrorKind, answer: Answer][] = [
  ['a wrong key', 'auth', { status: 401, body: { error: `Invalid API key: ${apiKey}.` } }],
  [
    'too many in an hour',
    'rate_limit',
    {
      status: 429,
      headers: { 'retry-after': '30' },
      body: { error: 'You are exceeding your hourly throughput.' },
    },
  ],
  ['no searches left', 'quota', { status: 429, body: { error: 'Your account has run out of searches.' } }],
  [
    'a failed search',
    'upstream',
    { status: 503, body: { search_metadata: { status: 'Error' }, error: 'We could not get results.' } },
  ],
  [
    'a failed search with status 200',
    'upstream',
    { body: { ...Empty, search_metadata: { status: 'Error' }, error: 'Timed out.' } },
  ],
  ['a search still running', 'upstream', { body: { search_metadata: { status: 'Processing' } } }],
  ['another spelling mixed in', 'rewritten', { body: withState('Including results for spelling fix') }],
  [
    'a query cut short',
    'rewritten',
    { body: withState('Results for exact spelling', { query_displayed: 'red' }) },
  ],
  [
    'the "no results" sentence with results',
    'unreadable',
    { body: { ...fullPage, error: noResultsSentence } },
  ],
  [
    'another engine',
    'unreadable',
    { body: { ...Empty, search_parameters: { q: 'red shoes', engine: 'bing' }, error: noResultsSentence } },
  ],
  [
    'the "no results" sentence with a next page',
    'unreadable',
    { body: { ...Empty, error: noResultsSentence, serpapi_pagination: { next: 'https://serpapi.com/2' } } },
  ],
  ['no list and no reason', 'unreadable', { body: Empty }],
];

describe('SerpApi', () => {
  const { server, search } = useProvider((baseUrl) =>
    serpApi.create({ SERPAPI_API_KEY: apiKey, SERPAPI_BASE_URL: `${baseUrl}/proxy` }, 30_000),
  );

  it('sends the fields of the request', async () => {
    server.willAnswer({ body: fullPage });
    await search({ country: 'GB', language: 'zh-CN', device: 'mobile', page: 2 });
    const { pathname, searchParams } = server.seen[0]!.url;
    expect(pathname).to.equal('/proxy/search.json');
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      engine: 'google',
      q: 'red shoes',
      gl: 'uk',
      hl: 'zh-cn',
      device: 'mobile',
      start: '10',
      filter: '0',
      safe: 'off',
      nfpr: '1',
      api_key: apiKey,
    });
  });

  for (const [title, body, urls] of answers) {
    it(`reads an answer: ${title}`, async () => {
      server.willAnswer({ body });
      const serp = await search();
      expect(serp.results.map((result) => result.url)).to.deep.equal(urls);
    });
  }

  /** A link to a page of the search, in the form used since September 2026 (serpapi/public-roadmap 4325, 4188). */
  const linkTo = (page: number) =>
    `https://serpapi.com/search.json?engine=google&q=red+shoes&start=${(page - 1) * 10}`;
  const emptyThird = (pagination: object) => ({
    body: { ...Empty, error: noResultsSentence, serpapi_pagination: pagination },
  });

  for (const [title, pagination] of [
    ['numbered 1, with the earlier pages', { current: 1, other_pages: { 1: linkTo(1), 2: linkTo(2) } }],
    ['numbered 1, with the second page for the next', { current: 1, next: linkTo(2), next_link: linkTo(2) }],
    ['numbered 2', { current: 2, other_pages: { 1: linkTo(1), 3: linkTo(3) } }],
    ['numbered 3, with an empty next page', { current: 3, next: '', next_link: null, other_pages: {} }],
    ['numbered 1, the first page linked with the wrong start', { current: 1, other_pages: { 1: linkTo(2) } }],
  ] as const) {
    it(`takes an empty third page ${title} as the end of the results`, async () => {
      server.willAnswer(emptyThird(pagination));
      expect((await search({ page: 3 })).results).to.deep.equal([]);
    });
  }

  for (const [title, pagination] of [
    ['a fourth page next, numbered 1', { current: 1, next: linkTo(4) }],
    ['a fourth page named, numbered 1', { current: 1, other_pages: { 4: 'https://serpapi.com/4' } }],
    ['a fourth page under another number', { current: 1, other_pages: { 2: linkTo(4) } }],
    ['a next page that does not say which', { current: 1, next: 'https://serpapi.com/next' }],
  ] as const) {
    it(`rejects an empty third page with ${title}`, async () => {
      server.willAnswer(emptyThird(pagination));
      await expectFailure('unreadable', () => search({ page: 3 }));
    });
  }

  it('reads a featured snippet separately', async () => {
    server.willAnswer({
      body: { ...fullPage, answer_box: { type: 'organic_result', link: 'https://snippet.example/' } },
    });
    const serp = await search();
    expect(serp.featuredSnippetUrl).to.equal('https://snippet.example/');
    expect(serp.results).to.have.length(2);
  });

  for (const [title, kind, answer] of failures) {
    it(`takes ${title} as ${kind}`, async () => {
      server.willAnswer(answer);
      const error = await expectFailure(kind, () => search());
      expect(JSON.stringify([error.message, String(error.cause)])).not.to.include(apiKey);
      if (kind === 'rate_limit') expect(error.retryAfterSeconds).to.equal(30);
    });
  }
});
