import { expect } from 'chai';
import { brightData } from '../../../../checks/search/providers/brightdata.ts';
import type { ProviderErrorKind, SerpProvider } from '../../../../checks/search/serp.ts';
import { layouts, nothingMatchesPage, organicResults } from '../../../support/google-pages.ts';
import {
  type Answer,
  askOnePage,
  expectFailure,
  type ProviderServer,
  startProvider,
} from '../../../support/provider.ts';

const apiToken = 'bd-token-0123456789';
const fullAnswer = {
  general: { search_engine: 'google', query: 'red shoes', results_cnt: 120, mobile: false },
  organic: [
    { rank: 1, global_rank: 2, title: 'One', link: 'https://one.example/', display_link: 'one › red' },
    {
      rank: 2,
      global_rank: 9,
      title: 'Two',
      link: 'https://two.example/',
      extensions: [{ link: 'https://box.example/', rank: 1 }],
    },
  ],
  top_ads: [{ link: 'https://box.example/' }],
};
const light = {
  general: { query: 'red shoes', detected_query: 'Red  shoes' },
  organic: [{ global_rank: 3, title: 'One', link: 'https://one.example/' }],
};
const inEnvelope = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  body: { status_code: status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
});

const answers: [title: string, answer: Answer, urls: string[]][] = [
  ['parsed in full', inEnvelope(200, fullAnswer), ['https://one.example/', 'https://two.example/']],
  [
    'parsed in full, without the envelope',
    { body: fullAnswer },
    ['https://one.example/', 'https://two.example/'],
  ],
  ['parsed lightly, without ranks', inEnvelope(200, light), ['https://one.example/']],
  ['not parsed: Google’s page', inEnvelope(200, layouts[4]!.html), organicResults],
  ['not parsed, without the envelope', { body: layouts[7]!.html }, organicResults],
  ['nothing matches', inEnvelope(200, { general: { query: 'red shoes', results_cnt: 0 }, organic: [] }), []],
  [
    'nothing matches, on a phone, where no count is told',
    inEnvelope(200, { general: { query: 'red shoes', mobile: true }, organic: [] }),
    [],
  ],
  [
    'nothing matches, counted and not listed',
    inEnvelope(200, { general: { query: 'red shoes', results_cnt: 0 } }),
    [],
  ],
  ['nothing matches, parsed lightly', inEnvelope(200, { general: { query: 'Red  shoes' }, organic: [] }), []],
  [
    'nothing matches the words as asked',
    inEnvelope(200, { ...light, spelling: { original_empty: true } }),
    [],
  ],
  [
    'nothing matches, not parsed',
    { body: nothingMatchesPage(['Your search -', '- did not match any documents.'], 'en') },
    [],
  ],
];

const code = (name: string) => ({ 'x-brd-error-code': name });
const failures: [title: string, kind: ProviderErrorKind, answer: Answer, retryAfterSeconds?: number][] = [
  ['an unknown zone', 'bad_request', { status: 400, body: 'zone "serp9" not found' }],
  ['a wrong token', 'auth', { status: 401, body: 'Invalid token' }],
  ['wrong proxy credentials', 'auth', { status: 407, body: '' }],
  ['an address Google forbids', 'blocked', { status: 403, body: '' }],
  ['a throttled target', 'rate_limit', { status: 429, headers: code('sr_rate_limit'), body: '' }],
  [
    'a throttled zone',
    'rate_limit',
    {
      status: 429,
      headers: { ...code('bucket_rate_limit'), 'x-brd-rate-limit-period-ms': '60000' },
      body: '',
    },
    60,
  ],
  [
    'a query banned for having failed',
    'rate_limit',
    { status: 429, headers: code('failed_query_rejected'), body: '' },
    15,
  ],
  ['a query sent too often', 'rate_limit', inEnvelope(429, '', code('repeat_query_rejected')), 15],
  [
    'an unverified account, other header family',
    'rate_limit',
    { status: 429, headers: { 'x-brd-err-code': 'client_10110' }, body: '' },
  ],
  ['another query answered', 'rewritten', { status: 502, headers: code('unexpected_q'), body: '' }],
  [
    'another query answered, inside a 200',
    'rewritten',
    inEnvelope(502, '', { 'X-Brd-Error-Code': 'unexpected_q' }),
  ],
  ['a verification page', 'blocked', inEnvelope(502, '', code('verifying')), 15],
  [
    'a verification page, standard header',
    'blocked',
    {
      status: 502,
      headers: { 'proxy-status': 'brd; error=http_request_error; details="verifying"' },
      body: '',
    },
  ],
  ['a code without a status', 'blocked', inEnvelope(200, '', code('verifying'))],
  ['a failed browser check', 'blocked', { status: 503, body: '' }],
  ['Google refusing, inside a 200', 'blocked', inEnvelope(429, '<p>unusual traffic</p>')],
  ['a failure inside a 200', 'upstream', inEnvelope(500, 'oops')],
  ['a failed gateway', 'upstream', { status: 502, body: '<html>Bad gateway</html>' }],
  ['a captcha inside a 200', 'blocked', inEnvelope(200, '<form id="captcha-form"></form>')],
  [
    'another query detected',
    'rewritten',
    inEnvelope(200, { ...light, general: { query: 'red shues', detected_query: 'red shoes' } }),
  ],
  ['an empty list against the count', 'unreadable', inEnvelope(200, { ...fullAnswer, organic: [] })],
  [
    'an empty list against a count in words',
    'unreadable',
    inEnvelope(200, { general: { query: 'red shoes', results_cnt: '1,200' }, organic: [] }),
  ],
  [
    'no list, and no count either',
    'unreadable',
    inEnvelope(200, { general: { query: 'red shoes', mobile: true } }),
  ],
  [
    'an error beside the query it names',
    'upstream',
    inEnvelope(200, { general: { query: 'red shoes', error: 'parser failed' }, organic: [] }),
  ],
  [
    'an envelope that tells of an error',
    'upstream',
    { body: { ...(inEnvelope(200, { ...light, organic: [] }).body as object), error: 'timeout' } },
  ],
  [
    'an error code among the headers of a 200',
    'blocked',
    { headers: { 'x-brd-err-code': 'verifying' }, body: { general: { query: 'red shoes' }, organic: [] } },
  ],
  ['an error in place of a page', 'upstream', { body: { error: 'unexpected' } }],
  ['an object that is no page', 'unreadable', { body: { general: {} } }],
  [
    'an envelope in the envelope',
    'unreadable',
    inEnvelope(200, { status_code: 200, body: JSON.stringify(fullAnswer) }),
  ],
  [
    'another engine',
    'unreadable',
    inEnvelope(200, { general: { query: 'red shoes', search_engine: 'bing' }, organic: [] }),
  ],
  [
    'a redirect to a captcha',
    'blocked',
    inEnvelope(302, '', { Location: 'https://www.google.com/sorry/index?q=x' }),
  ],
  ['another redirect', 'upstream', inEnvelope(302, '', { Location: 'https://www.google.com/' })],
  ['half an object', 'unreadable', { body: '{"organic":[{"link":"https://one' }],
  ['an empty body', 'unreadable', { body: '' }],
];

describe('Bright Data', () => {
  let server: ProviderServer;
  let provider: SerpProvider;
  const search = (changes = {}) => askOnePage(provider, changes);

  before(async () => {
    server = await startProvider();
    provider = brightData.make(
      {
        BRIGHTDATA_API_TOKEN: apiToken,
        BRIGHTDATA_ZONE: 'serp1',
        BRIGHTDATA_BASE_URL: `${server.baseUrl}/proxy`,
      },
      2_000,
    );
  });
  after(() => server.close());

  it('sends Google’s address, the query first', async () => {
    server.willAnswer(inEnvelope(200, fullAnswer));
    const query = 'site:shop.example/red shoes?a=1&b=2';
    server.willAnswer(inEnvelope(200, { ...fullAnswer, general: { query } }));
    await search({
      query,
      country: 'GB',
      language: 'zh-CN',
      device: 'mobile',
      page: 3,
    });
    const [seen] = server.seen;
    expect(seen).to.include({ method: 'POST' });
    expect(seen?.url.pathname).to.equal('/proxy/request');
    expect(seen?.headers.authorization).to.equal(`Bearer ${apiToken}`);
    const { zone, url } = JSON.parse(seen?.body ?? '');
    expect(zone).to.equal('serp1');
    expect(url).to.match(/^https:\/\/www\.google\.com\/search\?q=site%3Ashop\.example%2Fred\+shoes/);
    expect(Object.fromEntries(new URL(url).searchParams)).to.deep.equal({
      q: 'site:shop.example/red shoes?a=1&b=2',
      gl: 'gb',
      hl: 'zh-CN',
      start: '20',
      filter: '0',
      safe: 'off',
      pws: '0',
      nfpr: '1',
      brd_mobile: '1',
      brd_json: '1',
    });
  });

  it('leaves Google’s filters alone unless told otherwise', async () => {
    server.willAnswer(inEnvelope(200, fullAnswer));
    await search({ isUnfiltered: false });
    const parameters = [...new URL(JSON.parse(server.seen[0]?.body ?? '').url).searchParams.keys()];
    expect(parameters).to.deep.equal(['q', 'gl', 'hl', 'brd_json']);
  });

  for (const [title, answer, urls] of answers) {
    it(`reads ${title}`, async () => {
      server.willAnswer(answer);
      const serp = await search();
      expect(serp.results.map((result) => result.url)).to.deep.equal(urls);
    });
  }

  it('takes an empty later page for the end', async () => {
    server.willAnswer(inEnvelope(200, { general: { query: 'red shoes' }, organic: [] }));
    expect((await search({ page: 4 })).results).to.deep.equal([]);
  });

  for (const [title, kind, answer, retryAfterSeconds] of failures) {
    it(`takes ${title} for ${kind}`, async () => {
      server.willAnswer(answer);
      const error = await expectFailure(kind, () => search());
      if (retryAfterSeconds !== undefined) expect(error.retryAfterSeconds).to.equal(retryAfterSeconds);
      expect(JSON.stringify([error.message, String(error.cause)])).not.to.include(apiToken);
    });
  }
});
