import { expect } from 'chai';
import { openserp } from '../../../../checks/search/providers/openserp.ts';
import type { ProviderErrorKind } from '../../../../checks/search/serp.ts';
import { type Answer, expectFailure, useProvider } from '../../../support/provider.ts';

const fullPage = {
  query: { text: 'red shoes', engines_requested: ['google'] },
  meta: { engines_failed: [], engine_errors: [] },
  results: [
    { rank: 0, type: 'ad', url: 'https://box.example/', title: 'Ad', engine: 'google' },
    { rank: 2, type: 'organic', url: 'https://two.example/', title: 'Two', engine: 'google' },
    { rank: 1, type: 'organic', url: 'https://one.example/', title: 'One', engine: 'google' },
  ],
  serp_features: [{ type: 'featured_snippet', url: 'https://snippet.example/' }],
};
const refused = (status: number, error: string, meta = {}): Answer => ({
  status,
  body: { error, code: status, message: '…', meta },
});

const failures: [title: string, kind: ProviderErrorKind, answer: Answer][] = [
  ['a block', 'blocked', refused(403, 'blocked')],
  ['a captcha', 'blocked', refused(429, 'captcha_detected')],
  ['a captcha, as the README has it', 'blocked', refused(503, 'captcha_detected')],
  ['a block by rate', 'blocked', refused(429, 'blocked', { upstream_status: 429 })],
  ['its own rate limit', 'rate_limit', { status: 429, headers: { 'retry-after': '7' }, body: 'slow down' }],
  ['a layout it cannot read', 'unreadable', refused(502, 'parser_failure')],
  ['a broken engine', 'upstream', refused(502, 'engine_internal')],
  ['a slow proxy', 'timeout', refused(503, 'proxy_timeout')],
  [
    'Google among the failed',
    'upstream',
    { body: { ...fullPage, results: [], meta: { engines_failed: ['google'] } } },
  ],
  [
    'an error of an engine',
    'upstream',
    { body: { ...fullPage, results: [], meta: { engine_errors: [{ engine: 'google', error: 'captcha' }] } } },
  ],
  [
    'results of another engine',
    'unreadable',
    { body: { ...fullPage, results: fullPage.results.map((one) => ({ ...one, engine: 'bing' })) } },
  ],
  [
    'nothing, and more to come',
    'unreadable',
    { body: { ...fullPage, results: [], pagination: { has_more: true } } },
  ],
  ['ads alone', 'unreadable', { body: { ...fullPage, results: fullPage.results.slice(0, 1) } }],
];

describe('openserp', () => {
  const { server, search } = useProvider((baseUrl) =>
    openserp.create({ OPENSERP_BASE_URL: `${baseUrl}/proxy` }, 30_000),
  );

  it('sends the fields of the request', async () => {
    server.willAnswer({ body: fullPage });
    await search({ country: 'DE', language: 'de', page: 2 });
    const { pathname, searchParams } = server.seen[0]!.url;
    expect(pathname).to.equal('/proxy/google/search');
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      text: 'red shoes',
      region: 'DE',
      lang: 'DE',
      limit: '10',
      start: '10',
      filter: 'false',
      format: 'json',
    });
    await search({ language: 'pt-BR' });
    expect(server.seen[1]?.url.searchParams.get('lang')).to.equal('pt-BR');
  });

  it('reads a page by rank, without ads', async () => {
    server.willAnswer({ body: fullPage });
    const serp = await search();
    expect(serp.results.map(({ url }) => url)).to.deep.equal([
      'https://one.example/',
      'https://two.example/',
    ]);
    expect(serp.featuredSnippetUrl).to.equal('https://snippet.example/');
  });

  it('gets no mobile query', () => expectFailure('unsupported', () => search({ device: 'mobile' })));

  for (const [title, kind, answer] of failures) {
    it(`takes ${title} as ${kind}`, async () => {
      server.willAnswer(answer);
      const error = await expectFailure(kind, () => search());
      if (kind === 'rate_limit') expect(error.retryAfterSeconds).to.equal(7);
    });
  }
});
