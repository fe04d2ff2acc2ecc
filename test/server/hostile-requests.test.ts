import { connect } from 'node:net';
import { expect } from 'chai';
import { useAccount, useService } from '../support/service.ts';

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('hostile requests', () => {
  // The hooks of `useService` follow: the service still runs here.
  after(async () => {
    expect(await service.credits(account.accountId)).to.equal(50);
    // Without a worker, jobs of canceled batches stay in the queue.
    const problems = (await service.problems()).filter((problem) => !problem.includes('"queue"'));
    expect(problems).to.deep.equal([]);
  });
  const service = useService();
  const account = useAccount(service, 50);

  const call = (path: string, options: object) => service.call(path, { token: account.token, ...options });

  const url = 'https://example.com/';
  type Case = [path: string, body: object, field: string];
  const unstorable = ['a\0b', 'a\ud800b', '\udfff'].flatMap((text): Case[] => [
    ['/http-status', { url: `${url}${text}` }, 'url'],
    ['/check', { url: `${url}${text}` }, 'url'],
    ['/http-status/bulk', { urls: [url, `${url}${text}`] }, 'urls.1'],
    ['/check/bulk', { urls: [url], webhook_url: `${url}${text}` }, 'webhook_url'],
    ['/http-status/bulk', { urls: [url], reference: text }, 'reference'],
    ['/check/bulk', { urls: [url], reference: text }, 'reference'],
    ['/keyword-track', { queries: Array(2).fill({ url, keyword: 'a' }), reference: text }, 'reference'],
    ['/keyword-track', { queries: [{ url, keyword: text }] }, 'queries.0.keyword'],
    ['/keyword-track', { queries: [{ url: `${url}${text}`, keyword: 'a' }] }, 'queries.0.url'],
    ['/keyword-track', { queries: [{ url, keyword: 'a', tag: text }] }, 'queries.0.tag'],
  ]);
  const coerced: Case[] = [
    ['/http-status', { url: [url] }, 'url'],
    ['/http-status', { url: { href: url } }, 'url'],
    ['/http-status', { url, follow_redirects: 'false' }, 'follow_redirects'],
    ['/http-status', { url, follow_redirects: 0 }, 'follow_redirects'],
    ['/http-status', { url, follow_redirects: null }, 'follow_redirects'],
    ['/http-status/bulk', { urls: { 0: url, length: 1 } }, 'urls'],
    ['/http-status/bulk', { urls: url }, 'urls'],
    ['/http-status/bulk', { urls: [url], reference: 7 }, 'reference'],
    ['/http-status/bulk', { urls: [url], dedupe: 'true' }, 'dedupe'],
    ['/keyword-track', { queries: { url, keyword: 'a' } }, 'queries'],
    ['/keyword-track', { queries: [{ url, keyword: 1 }] }, 'queries.0.keyword'],
    ['/keyword-track', { queries: [{ url, keyword: 'a', end_page: '3' }] }, 'queries.0.end_page'],
    ['/keyword-track', { queries: [{ url, keyword: 'a', end_page: 1.5 }] }, 'queries.0.end_page'],
    ['/keyword-track', { queries: [{ url, keyword: 'a', brd_mobile: 'false' }] }, 'queries.0.brd_mobile'],
    ['/keyword-track', { queries: [{ url, keyword: 'a', country: '🇩🇪' }] }, 'queries.0.country'],
  ];
  for (const [path, body, field] of [...unstorable, ...coerced]) {
    it(`422 of ${path}: ${field} in ${JSON.stringify(body)}`, async () => {
      const answer = await call(path, { body });
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).to.deep.equal([422, [field]]);
    });
  }

  it('deep nesting is cheap and free of charge, in every field', async () => {
    const bodies = [
      deep(300_000),
      `{"url":${deep(100_000)}}`,
      `{"urls":${deep(100_000)}}`,
      `{"urls":["${url}",${deep(100_000)}],"on_invalid":"skip"}`,
      `{"urls":["${url}"],"reference":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
      `{"queries":[${deep(100_000)}]}`,
      `{"queries":[{"url":"${url}","keyword":${deep(100_000)}}]}`,
    ];
    for (const path of ['/http-status', '/http-status/bulk', '/check', '/check/bulk', '/keyword-track']) {
      for (const raw of bodies) {
        const { status } = await call(path, { raw });
        // One of these bodies is valid except for its second entry, which is skipped.
        if (status === 202) await cancelAll();
        else expect(status, `${path} ${raw.slice(0, 30)}`).to.be.oneOf([413, 422]);
      }
    }
  });

  async function cancelAll(): Promise<void> {
    const { body } = await call('/batches', {});
    for (const { batch_id: id } of body.data) await call(`/batch/${id}/cancel`, { method: 'POST' });
  }

  it('an undecodable path gets its own error', async () => {
    for (const path of ['/batch/%E0%A4%A', '/checks/%', '/batch/%ff/cancel']) {
      const answer = await call(path, { method: path.endsWith('cancel') ? 'POST' : 'GET' });
      expect([answer.status, answer.body.error], path).to.deep.equal([400, 'bad_request']);
    }
  });

  const xml = { 'Content-Type': 'text/xml' };
  const odd: Array<[what: string, options: object, status: number]> = [
    ['an invalid content type', { raw: '{}', headers: { 'Content-Type': ';;=' } }, 415],
    ['UTF-16', { raw: '{}', headers: { 'Content-Type': 'application/json; charset=utf-16' } }, 415],
    ['UTF-7', { raw: '{}', headers: { 'Content-Type': 'application/json; charset=utf-7' } }, 415],
    ['XML', { raw: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', headers: xml }, 415],
    ['multipart', { raw: '--x--', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } }, 415],
    ['an unknown content encoding', { raw: '{}', headers: { 'Content-Encoding': 'zstd' } }, 415],
    ['bytes that are not UTF-8', { raw: new Uint8Array([0x22, 0xff, 0xfe, 0x22]) }, 422],
    ['a byte order mark', { raw: '\ufeff{"url":"nonsense"}' }, 422],
    ['an empty key', { body: { url }, headers: { 'Idempotency-Key': '' } }, 422],
    ['a key that is not ASCII', { body: { url }, headers: { 'Idempotency-Key': 'ÿ' } }, 422],
  ];
  for (const [what, options, status] of odd) {
    it(`${what}: ${status} as JSON`, async () => {
      const answer = await call('/http-status', options);
      expect(answer.status).to.equal(status);
      expect(answer.body.success).to.equal(false);
      expect(answer.text).to.not.match(/ENTITY|x{20}|node_modules|position/);
    });
  }

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

  const head = () =>
    `Host: x\r\nAuthorization: Bearer ${account.token}\r\nContent-Type: application/json\r\n`;
  const post = (more: string) => `POST /api/v1/http-status HTTP/1.1\r\n${head()}${more}\r\n`;

  it('an endless body costs nothing, and delays nobody', async () => {
    const slow = speak(post('Content-Length: 40\r\n'), '{"url":', 100, '"https', 100, '://', 200, null);
    expect((await call('/credits', {})).status).to.equal(200);
    expect(await slow).to.equal('');
  });

  const tooLarge = /^HTTP\/1.1 431 [\s\S]*"error":"headers_too_large"/;
  const smuggled: Array<[what: string, text: () => string, status: RegExp]> = [
    [
      'two content lengths',
      () => `${post('Content-Length: 2\r\nContent-Length: 3\r\n')}{} `,
      /^HTTP\/1.1 400 /,
    ],
    [
      'a content length and chunks',
      () => `${post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n')}0\r\n\r\n`,
      /^HTTP\/1.1 400 /,
    ],
    ['broken chunks', () => `${post('Transfer-Encoding: chunked\r\n')}zz\r\n`, /^HTTP\/1.1 400 /],
    ['an unknown method', () => 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1.1 400 /],
    ['a null in a header', () => 'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n', /^HTTP\/1.1 400 /],
    ['text that is not HTTP', () => 'HELO there\r\n\r\n', /^HTTP\/1.1 400 /],
    ['TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', /^HTTP\/1.1 400 /],
    ['many headers', () => `GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(4000)}\r\n`, tooLarge],
    ['a long header', () => `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, tooLarge],
    ['a long path', () => `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, tooLarge],
  ];
  for (const [what, text, status] of smuggled) {
    it(`${what}: rejected in JSON`, async () => {
      const said = await speak(text());
      expect(said).to.match(status);
      expect(JSON.parse(said.slice(said.indexOf('\r\n\r\n')))).to.include({ success: false });
    });
  }

  it('a Host header has no effect', async () => {
    const body = JSON.stringify({ urls: ['shoes'], on_invalid: 'skip' });
    const said = await speak(
      `POST /api/v1/http-status/bulk HTTP/1.1\r\n${head().replace('Host: x', 'Host: evil.example')}X-Forwarded-Host: evil.example\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(said)
      .to.match(/^HTTP\/1.1 202 /)
      .and.not.match(/evil/);
  });
});
