import { expect } from 'chai';
import { useAccount, useService } from '../../support/service.ts';

const deep = (levels: number): unknown => (levels === 0 ? 'bottom' : [deep(levels - 1)]);

describe('invalid requests', () => {
  // The hooks of `useService` follow: the service still runs here.
  after(async () => {
    expect(await service.credits(account.accountId)).to.equal(50);
    const { batches } = await service.db
      .selectFrom('batches')
      .select(({ fn }) => fn.countAll<number>().as('batches'))
      .executeTakeFirstOrThrow();
    expect(Number(batches)).to.equal(0);
    expect(await service.problems()).to.deep.equal([]);
  });
  const service = useService();
  const account = useAccount(service, 50);

  const post = (path: string, options: object) => service.call(path, { token: account.token, ...options });

  it('get JSON with an error code and a message', async () => {
    const answer = await post('/nothing', {});
    expect(answer.status).to.equal(404);
    expect(answer.body).to.include({ success: false, error: 'not_found' });
    expect(answer.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
    expect((await service.call('//elsewhere')).body).to.include({ success: false, error: 'not_found' });
  });

  it('set HSTS for this host only', async () => {
    const { headers } = await post('/nothing', {});
    expect(headers.get('strict-transport-security')).to.match(/^max-age=\d{7,}$/);
  });

  it('get 405 with the allowed methods', async () => {
    const answer = await post('/http-status', { method: 'GET' });
    expect(answer.status).to.equal(405);
    expect(answer.headers.get('allow')).to.equal('POST');
    const listed = await post('/batches', { method: 'DELETE' });
    expect([listed.status, listed.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
  });

  const errors: Record<number, string> = {
    400: 'invalid_json',
    413: 'body_too_large',
    415: 'unsupported_media_type',
    422: 'validation_failed',
  };
  const bodies: Array<[what: string, options: object, status: number]> = [
    ['a body that is not JSON', { raw: '{"url":' }, 400],
    ['an empty body', { raw: '' }, 422],
    ['another content type', { raw: 'url=x', headers: { 'Content-Type': 'text/plain' } }, 415],
    ['a form', { raw: 'url=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 415],
    ['a compressed body', { raw: '{}', headers: { 'Content-Encoding': 'gzip' } }, 415],
    ['another charset', { raw: '{}', headers: { 'Content-Type': 'application/json; charset=latin9' } }, 415],
    ['more than 8 MiB', { raw: `{"url":"${'x'.repeat(8 * 1024 * 1024)}"}` }, 413],
    ['a list instead of an object', { body: [] }, 422],
    ['null', { body: null }, 422],
    ['a string', { body: 'url' }, 422],
  ];
  for (const [what, options, status] of bodies) {
    it(`${what}: ${status}`, async () => {
      const answer = await post('/http-status', options);
      expect(answer.status).to.equal(status);
      expect(answer.body).to.include({ success: false, error: errors[status] });
      expect(answer.body.message).to.not.match(/xxx|at position|Unexpected/);
    });
  }

  const fields: Array<[path: string, body: object, field: string, message: RegExp]> = [
    ['/http-status', {}, 'url', /^Is required\.$/],
    ['/http-status', { url: 7 }, 'url', /^Must be a string\.$/],
    ['/http-status', { url: ['https://example.com'] }, 'url', /^Must be a string\.$/],
    ['/http-status', { url: 'example.com/shoes' }, 'url', /Did you mean https:\/\/example\.com\/shoes\?$/],
    ['/http-status', { url: 'http://10.0.0.1/' }, 'url', /its host is private/],
    [
      '/http-status',
      { url: 'https://example.com', follow_redirects: 'yes' },
      'follow_redirects',
      /true or false/,
    ],
    ['/http-status/bulk', {}, 'urls', /Is required/],
    ['/http-status/bulk', { urls: 'https://example.com' }, 'urls', /Must be an array/],
    ['/http-status/bulk', { urls: [] }, 'urls', /at least one/],
    ['/http-status/bulk', { urls: ['https://example.com', 'shoes.com'] }, 'urls.1', /Did you mean/],
    ['/http-status/bulk', { urls: ['https://example.com', 5, null] }, 'urls.2', /Must be a string/],
    [
      '/http-status/bulk',
      { urls: Array(2417).fill(1) },
      'urls',
      /^Has 2,417 entries\. The limit is 2,000 per request\.$/,
    ],
    [
      '/http-status/bulk',
      { urls: ['https://a.com'], webhook_url: 'hook' },
      'webhook_url',
      /Not a complete URL/,
    ],
    [
      '/http-status/bulk',
      { urls: ['https://a.com'], webhook_url: 'http://192.168.0.1/' },
      'webhook_url',
      /private/,
    ],
    ['/http-status/bulk', { urls: ['https://a.com'], reference: 'x'.repeat(256) }, 'reference', /255/],
    ['/http-status/bulk', { urls: ['https://a.com'], dedupe: 1 }, 'dedupe', /true or false/],
    ['/http-status/bulk', { urls: ['https://a.com'], on_invalid: 'ignore' }, 'on_invalid', /reject, skip/],
    ['/check', { url: 'nonsense' }, 'url', /must begin with/],
    ['/check/bulk', { urls: ['nonsense'] }, 'urls.0', /must begin with/],
    ['/keyword-track', {}, 'queries', /Is required/],
    ['/http-status/bulk', { urls: ['https://a.com'], reference: 'a\0b' }, 'reference', /invalid/],
    ['/http-status/bulk', { urls: [deep(50)] }, 'body', /more than 20 levels/],
    [
      '/keyword-track',
      { queries: [{ url: 'a.com', keyword: 'x', tag: 'a\0b' }] },
      'queries.0.tag',
      /invalid/,
    ],
    ['/keyword-track', { queries: [{ url: 'a.com/\ud800', keyword: 'x' }] }, 'queries.0.url', /invalid/],
    ['/keyword-track', { queries: [{ url: 'example.com' }] }, 'queries.0.keyword', /Is required/],
    [
      '/keyword-track',
      { queries: [{ url: 'a.com', keyword: 'x', end_page: 11 }] },
      'queries.0.end_page',
      /10 or less/,
    ],
  ];
  for (const [path, body, field, message] of fields) {
    it(`422 of ${path} names ${field}: ${message.source}`, async () => {
      const answer = await post(path, { body });
      expect(answer.status).to.equal(422);
      expect(answer.body.errors[field]?.[0]).to.match(message);
    });
  }

  it('get one error for 50,000 invalid entries', async () => {
    const answer = await post('/http-status/bulk', { raw: `{"urls":[${'1,'.repeat(49_999)}1]}` });
    expect(answer.body.errors).to.deep.equal({
      urls: ['Has 50,000 entries. The limit is 2,000 per request.'],
    });
  });

  const many: Array<[what: string, path: string, raw: string]> = [
    ['objects', '/http-status/bulk', `{"urls":[${'{},'.repeat(2_600_000)}{}]}`],
    ['keys', '/check/bulk', `{${Array.from({ length: 300_000 }, (_, key) => `"${key}":1`).join()}}`],
    [
      'fields',
      '/check',
      JSON.stringify({ url: 'https://a.de/', ...Object.fromEntries(Array(101).fill(1).entries()) }),
    ],
    [
      'fields of an entry',
      '/keyword-track',
      JSON.stringify({
        queries: [{ url: 'a.de', keyword: 'a', ...Object.fromEntries(Array(101).fill(1).entries()) }],
      }),
    ],
    ['levels', '/keyword-track', '['.repeat(4_000_000)],
    ['bytes for one URL', '/http-status', `{"url":"https://example.com/${'x'.repeat(16_384)}"}`],
  ];
  for (const [what, path, raw] of many) {
    it(`are not parsed with too many ${what}`, async () => {
      const answer = await post(path, { raw });
      expect([answer.status, answer.body.error]).to.deep.equal([413, 'body_too_large']);
    });
  }

  it('get up to 50 errors for 2,000 invalid entries', async () => {
    const answer = await post('/http-status/bulk', { body: { urls: Array(2000).fill('shoes') } });
    expect(Object.keys(answer.body.errors)).to.have.lengthOf(50);
    expect(answer.body.message).to.match(/and 1999 more/);
  });

  it('cannot pollute prototypes', async () => {
    const raw = '{"__proto__":{"urls":["https://example.com"]},"constructor":{"prototype":{"x":1}}}';
    expect((await post('/http-status/bulk', { raw })).body.errors).to.have.property('urls');
    expect(({} as { x?: number }).x).to.equal(undefined);
  });

  it('get 402 with cost and balance', async () => {
    const urls = Array.from({ length: 51 }, (_, index) => `https://example.com/${index}`);
    const answer = await post('/http-status/bulk', { body: { urls } });
    expect(answer.status).to.equal(402);
    expect(answer.body).to.deep.equal({
      success: false,
      error: 'insufficient_credits',
      message:
        'This request costs 51 credits. Your balance is 50. You were not charged. ' +
        'Check fewer URLs or keywords, or ask the operator for credits.',
      credits_needed: 51,
      credits_available: 50,
    });
  });
});
