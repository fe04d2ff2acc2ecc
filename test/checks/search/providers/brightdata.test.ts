import { expect } from 'chai';
import { brightData } from '../../../../checks/search/providers/brightdata.ts';
import type { ProviderErrorKind, SerpProvider } from '../../../../checks/search/serp.ts';
import { layouts, organicResults } from '../../../support/google-pages.ts';
import { type Answer, expectFailure, useProvider } from '../../../support/provider.ts';

const apiToken = 'bd-token-0123456789';

/** A page from the full parser. */
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

/** A page from the light parser. */
const light = {
  general: { query: 'red shoes', detected_query: 'Red  shoes' },
  organic: [{ global_rank: 3, title: 'One', link: 'https://one.example/' }],
};

/** Google’s answer in Bright Data's JSON envelope. */
const inEnvelope = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  body: { status_code: status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
});

/** Bright Data with the base URL of a local server. */
function brightDataAt(baseUrl: string): SerpProvider {
  return brightData.create(
    {
      BRIGHTDATA_API_TOKEN: apiToken,
      BRIGHTDATA_ZONE: 'serp1',
      BRIGHTDATA_BASE_URL: `${baseUrl}/proxy`,
    },
    2_000,
  );
}

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
  [
    'nothing matches, counted and not listed',
    inEnvelope(200, { general: { query: 'red shoes', results_cnt: 0 } }),
    [],
  ],
  [
    'nothing after the last page, with links to earlier pages',
    inEnvelope(200, {
      general: { query: 'red shoes' },
      organic: [],
      pagination: { current_page: 3, pages: [{ page: 1 }, { page: 2 }] },
    }),
    [],
  ],
];

describe('Bright Data', () => {
  const { server, search } = useProvider(brightDataAt);

  it('takes the requested page for the page number when the answer has none', async () => {
    const listed = {
      general: { query: 'red shoes' },
      organic: [],
      pagination: { pages: [{ page: 1 }, { page: 2 }] },
    };
    server.willAnswer(inEnvelope(200, listed));
    expect((await search({ page: 3 })).results).to.deep.equal([]);
    const failure = await search({ page: 1 }).catch((error) => error);
    expect(failure).to.include({ kind: 'unreadable' });
  });

  it('ignores a page number in the answer that is below the requested page', async () => {
    const numbered = (current_page: number, page: number) =>
      inEnvelope(200, {
        general: { query: 'red shoes' },
        organic: [],
        pagination: { current_page, pages: [{ page: 1 }, { page }] },
      });
    server.willAnswer(numbered(1, 2));
    expect((await search({ page: 3 })).results).to.deep.equal([]);
    server.willAnswer(numbered(1, 4));
    await expectFailure('unreadable', () => search({ page: 3 }));
  });

  it('sends Google’s address, the query first', async () => {
    const query = 'site:shop.example/red shoes?a=1&b=2';
    server.willAnswer(inEnvelope(200, { ...fullAnswer, general: { query } }));
    await search({ query, country: 'GB', language: 'zh-CN', device: 'mobile', page: 3 });
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

  it('keeps Google’s filters when the request asks for them', async () => {
    server.willAnswer(inEnvelope(200, fullAnswer));
    await search({ isUnfiltered: false });
    const parameters = [...new URL(JSON.parse(server.seen[0]?.body ?? '').url).searchParams.keys()];
    expect(parameters).to.deep.equal(['q', 'gl', 'hl', 'brd_json']);
  });

  for (const [title, answer, urls] of answers) {
    it(`reads an answer: ${title}`, async () => {
      server.willAnswer(answer);
      const serp = await search();
      expect(serp.results.map((result) => result.url)).to.deep.equal(urls);
    });
  }
});

const code = (name: string) => ({ 'x-brd-error-code': name });
const failures: [title: string, kind: ProviderErrorKind, answer: Answer, retryAfterSeconds?: number][] = [
  ['a wrong token', 'auth', { status: 401, body: 'Invalid token' }],
  ['an address Google forbids', 'blocked', { status: 403, body: '' }],
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
  [
    'no list and a count of nothing, but a next page',
    'unreadable',
    inEnvelope(200, { general: { query: 'red shoes', results_cnt: 0 }, pagination: { next_page: 2 } }),
  ],
  [
    'an empty list, but pages behind it',
    'unreadable',
    inEnvelope(200, {
      general: { query: 'red shoes' },
      organic: [],
      pagination: { current_page: 1, pages: [{ page: 2, start: 10, link: 'https://www.google.com/search' }] },
    }),
  ],
  [
    'an empty list, but pages that cannot be read',
    'unreadable',
    inEnvelope(200, { general: { query: 'red shoes' }, organic: [], pagination: { pages: { 2: 'x' } } }),
  ],
  [
    'no list, and no count either',
    'unreadable',
    inEnvelope(200, { general: { query: 'red shoes', mobile: true } }),
  ],
  [
    'an error in the envelope',
    'upstream',
    { body: { ...(inEnvelope(200, { ...light, organic: [] }).body as object), error: 'timeout' } },
  ],
  [
    'an error code among the headers of a 200',
    'blocked',
    { headers: { 'x-brd-err-code': 'verifying' }, body: { general: { query: 'red shoes' }, organic: [] } },
  ],
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
];

describe('a failure of Bright Data', () => {
  const { server, search } = useProvider(brightDataAt);

  it('concerns one query if that query was rejected, and all queries if the zone is throttled', async () => {
    for (const name of ['failed_query_rejected', 'repeat_query_rejected', 'bucket_rate_limit']) {
      server.willAnswer({ status: 429, headers: code(name), body: '' });
      const { isOfQueryOnly } = await expectFailure('rate_limit', () => search());
      expect(isOfQueryOnly, name).to.equal(name !== 'bucket_rate_limit');
    }
  });

  for (const [title, kind, answer, retryAfterSeconds] of failures) {
    it(`is ${kind}: ${title}`, async () => {
      server.willAnswer(answer);
      const error = await expectFailure(kind, () => search());
      if (retryAfterSeconds !== undefined) expect(error.retryAfterSeconds).to.equal(retryAfterSeconds);
      expect(JSON.stringify([error.message, String(error.cause)])).not.to.include(apiToken);
    });
  }
});
