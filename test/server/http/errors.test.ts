import { connect } from 'node:net';
import { expect } from 'chai';
import { useAccount, useService } from '../../support/service.ts';

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const url = 'https://example.com/';

describe('invalid requests', () => {
  // Registered before the hooks of `useService`, so the service still runs here.
  after(async () => {
    expect(await service.credits(account.accountId)).to.equal(50);
    const { batches } = await service.db
      .selectFrom('batches')
      .select(({ fn }) => fn.countAll<number>().as('batches'))
      .where('accountId', '=', account.accountId)
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
    ['an invalid content type', { raw: '{}', headers: { 'Content-Type': ';;=' } }, 415],
    ['a compressed body', { raw: '{}', headers: { 'Content-Encoding': 'gzip' } }, 415],
    ['another charset', { raw: '{}', headers: { 'Content-Type': 'application/json; charset=latin9' } }, 415],
    ['UTF-16', { raw: '{}', headers: { 'Content-Type': 'application/json; charset=utf-16' } }, 415],
    ['bytes that are not UTF-8', { raw: new Uint8Array([0x22, 0xff, 0xfe, 0x22]) }, 422],
    ['a byte order mark', { raw: '\ufeff{"url":"nonsense"}' }, 422],
    ['more than 8 MiB', { raw: `{"url":"${'x'.repeat(8 * 1024 * 1024)}"}` }, 413],
    ['a list instead of an object', { body: [] }, 422],
    ['null', { body: null }, 422],
    ['an empty Idempotency-Key', { body: { url }, headers: { 'Idempotency-Key': '' } }, 422],
    ['an Idempotency-Key that is not ASCII', { body: { url }, headers: { 'Idempotency-Key': 'ÿ' } }, 422],
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
    ['/http-status', { url: [url] }, 'url', /^Must be a string\.$/],
    ['/http-status', { url: 'example.com/shoes' }, 'url', /Did you mean https:\/\/example\.com\/shoes\?$/],
    ['/http-status', { url: 'http://10.0.0.1/' }, 'url', /its host is private/],
    ['/http-status', { url, follow_redirects: 'yes' }, 'follow_redirects', /true or false/],
    ['/http-status/bulk', { urls: url }, 'urls', /Must be an array/],
    ['/http-status/bulk', { urls: [] }, 'urls', /at least one/],
    ['/http-status/bulk', { urls: [url, 5, null] }, 'urls.2', /Must be a string/],
    [
      '/http-status/bulk',
      { urls: Array(2417).fill(1) },
      'urls',
      /^Has 2,417 entries\. The limit is 2,000 per/,
    ],
    ['/http-status/bulk', { urls: [url], webhook_url: 'hook' }, 'webhook_url', /Not a complete URL/],
    ['/http-status/bulk', { urls: [url], webhook_url: 'http://192.168.0.1/' }, 'webhook_url', /private/],
    ['/http-status/bulk', { urls: [url], reference: 'x'.repeat(256) }, 'reference', /255/],
    ['/http-status/bulk', { urls: [url], on_invalid: 'ignore' }, 'on_invalid', /reject, skip/],
    ['/http-status/bulk', { urls: [JSON.parse(deep(50))] }, 'body', /more than 20 levels/],
    ['/check/bulk', { urls: ['nonsense'] }, 'urls.0', /must begin with/],
    ['/keyword-track', { queries: [{ url }] }, 'queries.0.keyword', /Is required/],
    [
      '/keyword-track',
      { queries: [{ url, keyword: 'x', end_page: 11 }] },
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

  type Case = [path: string, body: object, field: string];
  const unstorable = ['a\0b', 'a\ud800b'].flatMap((text): Case[] => [
    ['/http-status', { url: `${url}${text}` }, 'url'],
    ['/http-status/bulk', { urls: [url, `${url}${text}`] }, 'urls.1'],
    ['/check/bulk', { urls: [url], webhook_url: `${url}${text}` }, 'webhook_url'],
    ['/check/bulk', { urls: [url], reference: text }, 'reference'],
    ['/keyword-track', { queries: [{ url, keyword: text }] }, 'queries.0.keyword'],
    ['/keyword-track', { queries: [{ url: `${url}${text}`, keyword: 'a' }] }, 'queries.0.url'],
    ['/keyword-track', { queries: [{ url, keyword: 'a', tag: text }] }, 'queries.0.tag'],
  ]);
  const coerced: Case[] = [
    ['/http-status', { url, follow_redirects: 'false' }, 'follow_redirects'],
    ['/http-status', { url, follow_redirects: null }, 'follow_redirects'],
    ['/http-status/bulk', { urls: { 0: url, length: 1 } }, 'urls'],
    ['/http-status/bulk', { urls: [url], reference: 7 }, 'reference'],
    ['/http-status/bulk', { urls: [url], dedupe: 1 }, 'dedupe'],
    ['/keyword-track', { queries: [{ url, keyword: 'a', end_page: '3' }] }, 'queries.0.end_page'],
    ['/keyword-track', { queries: [{ url, keyword: 'a', end_page: 1.5 }] }, 'queries.0.end_page'],
    ['/keyword-track', { queries: [{ url, keyword: 'a', country: '🇩🇪' }] }, 'queries.0.country'],
  ];
  for (const [path, body, field] of [...unstorable, ...coerced]) {
    it(`422 of ${path}: ${field} in ${JSON.stringify(body)}`, async () => {
      const answer = await post(path, { body });
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).to.deep.equal([422, [field]]);
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

  it('cost nothing when deeply nested in any field', async () => {
    const bodies: Array<[path: string, raw: string]> = [
      ['/http-status', `{"url":${deep(100_000)}}`],
      ['/http-status/bulk', `{"urls":["${url}",${deep(100_000)}],"on_invalid":"skip"}`],
      ['/check/bulk', `{"urls":["${url}"],"reference":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
      ['/keyword-track', `{"queries":[{"url":"${url}","keyword":${deep(100_000)}}]}`],
    ];
    for (const [path, raw] of bodies)
      expect((await post(path, { raw })).status, path).to.be.oneOf([413, 422]);
  });

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

  /**
   * Sends raw bytes, with pauses in milliseconds. Returns the answer when the server closes the connection. At null,
   * the client closes the connection.
   */
  function speak(...parts: Array<string | number | null>): Promise<string> {
    return new Promise((resolve) => {
      let said = '';
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
      socket.on('data', (part) => {
        said += String(part);
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(said));
      void (async () => {
        for (const part of parts) {
          if (typeof part === 'number') await new Promise((later) => setTimeout(later, part));
          else if (part === null) socket.destroy();
          else socket.write(part);
        }
      })();
    });
  }

  const head = (token = account.token) =>
    `Host: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  const speakPost = (more: string) => `POST /api/v1/http-status HTTP/1.1\r\n${head()}${more}\r\n`;

  it('an endless body costs nothing, and delays nobody', async () => {
    const slow = speak(speakPost('Content-Length: 40\r\n'), '{"url":', 100, '"https', 100, '://', 200, null);
    expect((await post('/credits', {})).status).to.equal(200);
    expect(await slow).to.equal('');
  });

  const lengths = 'Content-Length: 2\r\nContent-Length: 3\r\n';
  const chunks = 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n';
  const raw: Array<[what: string, text: () => string, status: number, error: string]> = [
    ['two content lengths', () => `${speakPost(lengths)}{} `, 400, 'bad_request'],
    ['a content length and chunks', () => `${speakPost(chunks)}0\r\n\r\n`, 400, 'bad_request'],
    ['a null in a header', () => 'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n', 400, 'bad_request'],
    ['TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'bad_request'],
    ['many headers', () => `GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(4000)}\r\n`, 431, 'headers_too_large'],
    ['a long header', () => `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ];
  for (const [what, text, status, error] of raw) {
    it(`${what}: ${status}`, async () => {
      const said = await speak(text());
      expect(said).to.match(new RegExp(`^HTTP/1.1 ${status} `));
      expect(JSON.parse(said.slice(said.indexOf('\r\n\r\n')))).to.include({ success: false, error });
    });
  }

  it('a Host header has no effect', async () => {
    const { token } = await service.account(0);
    const body = JSON.stringify({ urls: ['shoes'], on_invalid: 'skip' });
    const said = await speak(
      `POST /api/v1/http-status/bulk HTTP/1.1\r\n${head(token).replace('Host: x', 'Host: evil.example')}X-Forwarded-Host: evil.example\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(said)
      .to.match(/^HTTP\/1.1 202 /)
      .and.not.match(/evil/);
  });
});
