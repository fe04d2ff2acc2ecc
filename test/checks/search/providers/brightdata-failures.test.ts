import { expect } from 'chai';
import type { ProviderErrorKind } from '../../../../checks/search/serp.ts';
import { apiToken, brightDataAt, fullAnswer, inEnvelope, light } from '../../../support/brightdata.ts';
import { type Answer, expectFailure, useProvider } from '../../../support/provider.ts';

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
    'an empty list, but pages, and not which of them it is',
    'unreadable',
    inEnvelope(200, { general: { query: 'red shoes' }, organic: [], pagination: { pages: [{ page: '2' }] } }),
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
    'an error beside the query it names',
    'upstream',
    inEnvelope(200, { general: { query: 'red shoes', error: 'parser failed' }, organic: [] }),
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
  ['an error in place of a page', 'upstream', { body: { error: 'unexpected' } }],
  ['an object that is not a page', 'unreadable', { body: { general: {} } }],
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

describe('a failure of Bright Data', () => {
  const { server, search } = useProvider(brightDataAt);

  for (const [name, isOfQueryOnly] of [
    ['failed_query_rejected', true],
    ['repeat_query_rejected', true],
    ['bucket_rate_limit', false],
  ] as const) {
    it(`concerns ${isOfQueryOnly ? 'one query' : 'all queries'} if its code is ${name}`, async () => {
      server.willAnswer({ status: 429, headers: code(name), body: '' });
      expect(await expectFailure('rate_limit', () => search())).to.have.property(
        'isOfQueryOnly',
        isOfQueryOnly,
      );
    });
  }

  for (const [title, kind, answer, retryAfterSeconds] of failures) {
    it(`is ${kind}: ${title}`, async () => {
      server.willAnswer(answer);
      const error = await expectFailure(kind, () => search());
      if (retryAfterSeconds !== undefined) expect(error.retryAfterSeconds).to.equal(retryAfterSeconds);
      expect(JSON.stringify([error.message, String(error.cause)])).not.to.include(apiToken);
    });
  }
});
