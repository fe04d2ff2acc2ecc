import { expect } from 'chai';
import { searxng } from '../../../../checks/search/providers/searxng.ts';
import type { ProviderErrorKind, SerpProvider } from '../../../../checks/search/serp.ts';
import {
  type Answer,
  askOnePage,
  expectFailure,
  type ProviderServer,
  startProvider,
} from '../../../support/provider.ts';

const result = (url: string, positions: number[], engines = ['google']) => ({
  url,
  title: url,
  engines,
  positions,
});
const fullPage = {
  query: 'red shoes',
  results: [
    result('https://two.example/', [2]),
    result('https://one.example/', [1]),
    result('https://box.example/', [1], ['brave']),
  ],
  corrections: [],
  unresponsive_engines: [['brave', 'Suspended: too many requests']],
};
const silent = (reason: string): Answer => ({
  body: { ...fullPage, results: [], unresponsive_engines: [['google', reason]] },
});

const failures: [title: string, kind: ProviderErrorKind, answer: Answer][] = [
  ['a captcha of Google', 'blocked', silent('CAPTCHA')],
  ['a suspension for a captcha', 'blocked', silent('Suspended: CAPTCHA')],
  ['access denied by Google', 'blocked', silent('Suspended: access denied')],
  ['too many requests at Google', 'rate_limit', silent('Suspended: too many requests')],
  ['a timeout at Google', 'timeout', silent('timeout')],
  ['a broken engine', 'upstream', silent('parsing error')],
  [
    'an engine silent without a word',
    'upstream',
    { body: { ...fullPage, results: [], unresponsive_engines: [['google']] } },
  ],
  [
    'Google silent although others answered',
    'blocked',
    { body: { ...fullPage, unresponsive_engines: [['google', 'CAPTCHA']] } },
  ],
  [
    'Google silent, told by an object',
    'blocked',
    { body: { ...fullPage, results: [], unresponsive_engines: [{ engine: 'google', error: 'CAPTCHA' }] } },
  ],
  [
    'Google silent, with a capital',
    'blocked',
    { body: { ...fullPage, results: [], unresponsive_engines: [['Google', 'CAPTCHA']] } },
  ],
  [
    'Google silent, told by its name alone',
    'upstream',
    { body: { ...fullPage, results: [], unresponsive_engines: ['google'] } },
  ],
  [
    'an empty list without its list of the silent',
    'unreadable',
    { body: { query: 'red shoes', results: [] } },
  ],
  ['JSON switched off', 'bad_request', { status: 403, body: '<h1>Forbidden</h1>' }],
  ['a bad parameter', 'bad_request', { status: 400, body: '' }],
  ['the limiter of the instance', 'rate_limit', { status: 429, body: 'Too Many Requests' }],
  ['a failure', 'upstream', { status: 500, body: '' }],
  ['HTML in spite of the format', 'unreadable', { body: '<!DOCTYPE html><html></html>' }],
  ['corrections', 'rewritten', { body: { ...fullPage, corrections: ['red shoe'] } }],
  [
    'an instance without Google',
    'unreadable',
    { body: { ...fullPage, results: [result('https://box.example/', [1], ['brave'])] } },
  ],
  ['an object that is no page', 'unreadable', { body: {} }],
];

describe('SearXNG', () => {
  let server: ProviderServer;
  let provider: SerpProvider;
  const search = (changes = {}) => askOnePage(provider, changes);

  before(async () => {
    server = await startProvider();
    provider = searxng.make({ SEARXNG_BASE_URL: `${server.baseUrl}/searxng` }, 30_000);
  });
  after(() => server.close());

  it('asks for what the request says, below its own path', async () => {
    const query = 'site:shop.example/a+b';
    server.willAnswer({ body: { ...fullPage, query } });
    await search({ query, page: 2 });
    const { pathname, searchParams } = server.seen[0]!.url;
    expect(pathname).to.equal('/searxng/search');
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      q: query,
      format: 'json',
      engines: 'google',
      language: 'all',
      pageno: '2',
      safesearch: '0',
    });
  });

  it('reads a page in Google’s order', async () => {
    server.willAnswer({ body: fullPage });
    const serp = await search();
    expect(serp.results.map(({ url }) => url)).to.deep.equal([
      'https://one.example/',
      'https://two.example/',
    ]);
  });

  it('reads nothing found while Google answered', async () => {
    server.willAnswer({ body: { ...fullPage, results: [] } });
    expect(await search())
      .to.include({ featuredSnippetUrl: null })
      .property('results')
      .to.have.length(0);
  });

  for (const changes of [{ device: 'mobile' }, { country: 'DE' }, { language: 'de' }]) {
    it(`is never asked for ${Object.values(changes)}`, async () => {
      server.willAnswer({ body: fullPage });
      await expectFailure('unsupported', () => search(changes));
      expect(server.seen).to.deep.equal([]);
    });
  }

  for (const [title, kind, answer] of failures) {
    it(`takes ${title} for ${kind}`, async () => {
      server.willAnswer(answer);
      await expectFailure(kind, () => search());
    });
  }
});
