import { expect } from 'chai';
import type { ProviderErrorKind } from '../../../../checks/search/serp.ts';
import { answered, apiPassword, dataForSeoAt, organicResult } from '../../../support/dataforseo.ts';
import { type Answer, expectFailure, useProvider } from '../../../support/provider.ts';

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
  ['an unknown path', 'bad_request', { status: 404, body: { status_code: 40400, tasks: null } }],
  ['a failure of theirs', 'upstream', { status: 500, body: { status_code: 50000, tasks: null } }],
  ['a failed gateway', 'upstream', { status: 502, body: '<html></html>' }],
  ['a task only created', 'upstream', failed(20100)],
  ['too many tasks', 'bad_request', failed(40006)],
  ['wrong credentials of a task', 'auth', failed(40100)],
  ['a search engine that failed', 'upstream', failed(40101)],
  ['a failed execution', 'upstream', failed(40103)],
  ['insufficient funds', 'quota', failed(40210)],
  ['too many in a minute', 'rate_limit', failed(40202)],
  ['the daily ceiling', 'quota', failed(40203)],
  ['a duplicate in the hour', 'rate_limit', failed(40205)],
  ['an address not on the list', 'auth', failed(40207)],
  ['too many at once', 'rate_limit', failed(40209)],
  ['an unknown task', 'bad_request', failed(40401)],
  ['an invalid field', 'bad_request', failed(40501)],
  ['a task handed over', 'upstream', failed(40601)],
  ['a task in the queue', 'upstream', failed(40602)],
  ['a third party', 'upstream', failed(50301)],
  ['a timeout of theirs', 'timeout', failed(50401)],
  ['a slow target', 'timeout', failed(50402)],
  ['another spelling answered', 'rewritten', spelled('showing_results_for')],
  ['another spelling mixed in', 'rewritten', spelled('including_results_for')],
  ['no result', 'unreadable', answered(null)],
  ['an empty list against the count', 'unreadable', answered({ ...organicResult, items: [] })],
  ['an object that is not an answer', 'unreadable', { body: {} }],
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

  for (const [title, answer] of [
    ['the code of the task', failed(40102)],
    ['the count', answered({ ...organicResult, items: null, se_results_count: 0 })],
    ['the spelling', spelled('no_results_found_for')],
  ] as const) {
    it(`reads "nothing found" from ${title}`, async () => {
      server.willAnswer(answer);
      expect(await search()).to.deep.equal({ results: [], featuredSnippetUrl: null });
    });
  }

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
