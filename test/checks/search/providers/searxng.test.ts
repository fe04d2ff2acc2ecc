import { expect } from 'chai';
import { searxng } from '../../../../checks/search/providers/searxng.ts';
import type { ProviderErrorKind } from '../../../../checks/search/serp.ts';
import { type Answer, expectFailure, useProvider } from '../../../support/provider.ts';

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
const unresponsive = (...engines: unknown[]): Answer => ({
  body: { ...fullPage, results: [], unresponsive_engines: engines },
});
const silent = (reason: string) => unresponsive(['google', reason]);

const failures: [title: string, kind: ProviderErrorKind, answer: Answer][] = [
  ['a captcha of Google', 'blocked', silent('CAPTCHA')],
  ['access denied by Google', 'blocked', silent('Suspended: access denied')],
  ['too many requests at Google', 'rate_limit', silent('Suspended: too many requests')],
  ['a timeout at Google', 'timeout', silent('timeout')],
  ['a broken engine', 'upstream', silent('parsing error')],
  ['a silent engine without a reason', 'upstream', unresponsive(['google'])],
  [
    'silence of Google with results of other engines',
    'blocked',
    { body: { ...fullPage, unresponsive_engines: [['google', 'CAPTCHA']] } },
  ],
  ['a silent Google in an object', 'blocked', unresponsive({ engine: 'google', error: 'CAPTCHA' })],
  ['a silent Google with a capital', 'blocked', unresponsive(['Google', 'CAPTCHA'])],
  ['a silent Google by name alone', 'upstream', unresponsive('google')],
  ['an empty list without unresponsive engines', 'unreadable', { body: { query: 'red shoes', results: [] } }],
  ['JSON switched off', 'bad_request', { status: 403, body: '<h1>Forbidden</h1>' }],
  ['the rate limit of the instance', 'rate_limit', { status: 429, body: 'Too Many Requests' }],
  [
    'an instance without Google',
    'unreadable',
    { body: { ...fullPage, results: [result('https://box.example/', [1], ['brave'])] } },
  ],
];

describe('SearXNG', () => {
  const { server, search } = useProvider((baseUrl) =>
    searxng.create({ SEARXNG_BASE_URL: `${baseUrl}/searxng` }, 30_000),
  );

  it('sends the fields of the request, under its base path', async () => {
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

  it('reads "nothing found" when Google answered', async () => {
    server.willAnswer({ body: { ...fullPage, results: [] } });
    expect((await search()).results).to.deep.equal([]);
  });

  for (const changes of [{ device: 'mobile' as const }, { country: 'DE' }, { language: 'de' }]) {
    it(`gets no query for ${Object.values(changes)}`, async () => {
      server.willAnswer({ body: fullPage });
      await expectFailure('unsupported', () => search(changes));
      expect(server.seen).to.deep.equal([]);
    });
  }

  for (const [title, kind, answer] of failures) {
    it(`takes ${title} as ${kind}`, async () => {
      server.willAnswer(answer);
      await expectFailure(kind, () => search());
    });
  }
});
