import type { Socket } from 'node:net';
import { mock } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect } from 'chai';
import { type Agents, createAgents } from '../../../net/agent.ts';
import { createResolver } from '../../../net/resolver.ts';
import type { HttpStatusAnswer } from '../../../schemas/http-status.ts';
import { postSigned } from '../../../webhooks/post.ts';
import { eventually } from '../../support/eventually.ts';
import { useRawServer } from '../../support/raw-server.ts';
import { checkTarget, allowLoopback as policy } from '../../support/target-tools.ts';

const resolver = createResolver();
const signal = new AbortController().signal;

const missing =
  '<!doctype html><html lang="en"><title>Page not found</title><main><h1>Page not found</h1>' +
  '<p>Sorry, the page you are looking for could not be found.</p></main></html>';
const ok = 'HTTP/1.1 200 OK\r\n';
const html = 'Content-Type: text/html; charset=utf-8\r\n';
const close = 'Connection: close\r\n';
const chunks = 'Transfer-Encoding: chunked\r\n';
const chunk = `${missing.length.toString(16)}\r\n${missing}\r\n`;
const length = `Content-Length: ${missing.length}\r\n`;
const wholeChunks = `${chunk}0\r\n\r\n`;

/** The missing page, each time in a form that browsers accept. */
const lenientForms: Record<string, string> = {
  'a length beside chunks': `${ok}${html}${length}${chunks}\r\n${wholeChunks}`,
  'chunks, then a length that is too short': `${ok}${html}${chunks}Content-Length: 5\r\n\r\n${wholeChunks}`,
  'a length of 0 beside chunks': `${ok}${html}Content-Length: 0\r\n${chunks}\r\n${wholeChunks}`,
  'a line folded with a space': `${ok}${html}X-Note: a\r\n b\r\n${length}\r\n${missing}`,
  'a line folded before its value': `${ok}X-Note:\r\n a\r\n${html}${length}\r\n${missing}`,
  'a folded Content-Type': `${ok}Content-Type: text/html;\r\n charset=utf-8\r\n${length}\r\n${missing}`,
  'a space after Content-Length': `${ok}${html}Content-Length : ${missing.length}\r\n\r\n${missing}`,
  'a space after Connection': `${ok}${html}Connection : close\r\n${length}\r\n${missing}`,
  'a space after Transfer-Encoding': `${ok}${html}Transfer-Encoding : chunked\r\n\r\n${wholeChunks}`,
  'a space after Upgrade': `${ok}${html}Upgrade : h2c\r\n${length}\r\n${missing}`,
  'LF only, with a length': `${ok}${html}${length}\r\n`.replaceAll('\r', '') + missing,
  'LF only, until the end': `${ok}${html}${close}\r\n`.replaceAll('\r', '') + missing,
  'LF before the body only': `${ok}${html}${length}\n${missing}`,
  'NUL in a value': `${ok}X-Note: a\0b\r\n${html}${length}\r\n${missing}`,
  'ESC in a cookie': `${ok}Set-Cookie: a=\x1b[31m\r\n${html}${length}\r\n${missing}`,
  '40 KiB of policy': `${ok}Content-Security-Policy: ${'a.example '.repeat(4096)}\r\n${html}${length}\r\n${missing}`,
  '60 KiB of cookies': `${ok}${html}${`Set-Cookie: c=${'x'.repeat(1000)}\r\n`.repeat(60)}${length}\r\n${missing}`,
  '30 KiB of small headers': `${ok}${html}${'X-Small: 123456789\r\n'.repeat(1500)}${length}\r\n${missing}`,
  '40 KiB of reason': `HTTP/1.1 200 ${'x'.repeat(40 * 1024)}\r\n${html}${length}\r\n${missing}`,
};

/** Responses that break after the whole missing page. */
const brokenTails: Record<string, string> = {
  'a comment after the length': `${ok}${html}${length}${close}\r\n${missing}<!-- 3 ms -->`,
  'text after the length on a kept connection': `${ok}${html}${length}\r\n${missing}extra`,
  'a second response after the length': `${ok}${html}${length}${close}\r\n${missing}${ok}\r\nother`,
  'text after the last chunk on a kept connection': `${ok}${html}${chunks}\r\n${wholeChunks}extra`,
  'a second last chunk': `${ok}${html}${chunks}\r\n${wholeChunks}0\r\n\r\n`,
  'a page after the last chunk': `${ok}${html}${chunks}${close}\r\n${wholeChunks}${missing}`,
  'a padded chunk size': `${ok}${html}${chunks}\r\n${missing.length.toString(16)}    \r\n${missing}\r\n0\r\n\r\n`,
  'a chunk size with zeros before it': `${ok}${html}${chunks}\r\n000${chunk}0\r\n\r\n`,
  'chunk sizes that end in LF': `${ok}${html}${chunks}\r\n${missing.length.toString(16)}\n${missing}\n0\n\n`,
  'a chunk size of letters': `${ok}${html}${chunks}\r\n${chunk}zz\r\n\r\n`,
  'no last chunk': `${ok}${html}${chunks}\r\n${chunk}`,
  'a broken trailer': `${ok}${html}${chunks}\r\n${chunk}0\r\nno trailer\r\n\r\n`,
  'a length that is too long': `${ok}${html}Content-Length: 5000\r\n\r\n${missing}`,
};

const packed = gzipSync(missing);
/** A gzip member with every optional field of RFC 1952. */
const longHeader = Buffer.concat([
  Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 3, 0, 1, 2, 3]),
  Buffer.from('a.html\0a comment\0\x12\x34', 'latin1'),
  deflateRawSync(missing),
]);
const plain = Buffer.from(missing);
const nested = [1, 2, 3, 4, 5].reduce((content) => gzipSync(content), plain);

/** Content-Encoding and body of the missing page. */
const decodable: Record<string, [coding: string, body: Buffer]> = {
  'gzip followed by text': ['gzip', Buffer.concat([packed, Buffer.from('trailing garbage')])],
  'gzip without its checksum': ['gzip', packed.subarray(0, -8)],
  'gzip with a wrong checksum': ['gzip', Buffer.concat([packed.subarray(0, -8), Buffer.alloc(8, 7)])],
  'gzip cut within its last bytes': ['gzip', gzipSync(`${missing}<!-- ${'x'.repeat(50)}`).subarray(0, -10)],
  'gzip with every header field': ['gzip', longHeader],
  'x-gzip': ['x-gzip', packed],
  'GZIP in capitals': [' GZIP ', packed],
  'deflate with its header': ['deflate', deflateSync(missing)],
  'deflate without its header': ['deflate', deflateRawSync(missing)],
  'deflate with a wrong checksum': ['deflate', Buffer.concat([deflateSync(missing).subarray(0, -4), plain])],
  br: ['br', brotliCompressSync(missing)],
  'br followed by text': ['br', Buffer.concat([brotliCompressSync(missing), Buffer.from('rubbish')])],
  'gzip, then br': ['gzip, br', brotliCompressSync(packed)],
  'five times gzip': ['gzip, gzip, gzip, gzip, gzip', nested],
  'twice gzip in name, once in fact': ['gzip, gzip', packed],
  'gzip in name only': ['gzip', plain],
  'zstd in name only': ['zstd', plain],
  'a charset as coding': ['utf-8', plain],
  identity: ['identity', plain],
};

/** Content-Encoding and body of what cannot be read as text. */
const unreadable: Record<string, [coding: string | null, body: Buffer]> = {
  'undeclared gzip': [null, packed],
  'zstd, which was not requested': ['zstd', zstdCompressSync(missing)],
  'an unknown coding': ['lzma', brotliCompressSync(missing)],
  'br declared as gzip': ['gzip', brotliCompressSync(missing)],
  'twice gzip declared once': ['gzip', gzipSync(packed)],
  'six codings': ['gzip, gzip, gzip, gzip, gzip, gzip', gzipSync(nested)],
  'a PDF': [null, Buffer.from('%PDF-1.7\n1 0 obj <</Title (Page not found)>> endobj')],
};

/** Responses that are errors, with the reported reason. */
const refused: Record<string, [response: string, reason: RegExp]> = {
  'two different lengths': [`${ok}${html}${length}Content-Length: 5\r\n\r\n${missing}`, /Content-Length/],
  'a lone CR in a value': [`${ok}${html}X-Note: a\rb\r\n\r\n${missing}`, /Missing expected LF/],
  'a space in a header name': [`${ok}${html}X Note: a\r\n\r\n${missing}`, /Invalid header token/],
  'a tab after Content-Length': [`${ok}${html}Content-Length\t: 5\r\n\r\n${missing}`, /Invalid header token/],
  garbage: [`${missing}\r\n\r\n`, /Expected HTTP/],
};

describe('odd responses', () => {
  const server = useRawServer((socket, target) => answer(socket, target));
  let agents: Agents;
  let answer: (socket: Socket, target: string) => void;

  beforeEach(() => {
    agents = createAgents({ policy, resolver, keepAlive: true });
    server.asked.length = 0;
  });

  afterEach(() => agents.close());

  function send(response: string | Buffer): void {
    const bytes = typeof response === 'string' ? Buffer.from(response, 'latin1') : response;
    answer = (socket) => socket.end(bytes);
  }

  function sendBody(coding: string | null, body: Buffer): void {
    const encoding = coding === null ? '' : `Content-Encoding: ${coding}\r\n`;
    const head = `${ok}${html}${encoding}Content-Length: ${body.length}\r\n\r\n`;
    send(Buffer.concat([Buffer.from(head), body]));
  }

  async function check(target = '/'): Promise<HttpStatusAnswer> {
    const outcome = await checkTarget(server.url + target, { agents, resolver });
    if (outcome.state !== 'success') throw new Error(outcome.error);
    return outcome.answer;
  }

  const judged = {
    status: 200,
    error: null,
    soft404_checked: true,
    is_soft404: true,
    title: 'Page not found',
  };

  for (const [name, response] of Object.entries({ ...lenientForms, ...brokenTails })) {
    it(`${name}: the page is judged`, async () => {
      send(response);
      expect(await check()).to.include(judged);
    });
  }

  it('a connection that is reset after the page: the page is judged', async () => {
    const response = `${ok}${html}Content-Length: 5000\r\n\r\n${missing}`;
    answer = (socket) => {
      socket.write(response);
      // A reset discards what the client has not read.
      const read = () => Object.values(agents.http.sockets).flatMap((sockets) => sockets ?? []);
      const isRead = () => read().some(({ bytesRead }) => bytesRead >= response.length);
      void eventually(async () => isRead() || null, undefined, 5).then(() => socket.resetAndDestroy());
    };
    expect(await check()).to.include(judged);
  });

  for (const [name, [coding, body]] of Object.entries(decodable)) {
    it(`${name}: is decoded`, async () => {
      sendBody(coding, body);
      expect(await check()).to.include(judged);
    });
  }

  for (const [name, [coding, body]] of Object.entries(unreadable)) {
    it(`${name}: is not judged`, async () => {
      sendBody(coding, body);
      expect(await check()).to.include({ status: 200, error: null, soft404_checked: false, title: null });
    });
  }

  for (const [name, [response, reason]] of Object.entries(refused)) {
    it(`${name}: an error that names the reason`, async () => {
      send(response);
      const found = await check();
      expect(found).to.include({ status: 0, error: 'invalid_response' });
      expect(found.error_detail).to.match(/^The response is not valid HTTP: .+\.$/);
      expect(found.error_detail).to.match(reason);
    });
  }

  for (const [name, head] of Object.entries({
    'one header': `${ok}${html}X-Big: ${'x'.repeat(70_000)}\r\n`,
    cookies: `${ok}${html}${`Set-Cookie: a=${'x'.repeat(4000)}\r\n`.repeat(18)}`,
    'a redirect': `HTTP/1.1 301 Moved\r\nLocation: /ok\r\nX-Big: ${'x'.repeat(70_000)}\r\n`,
  })) {
    it(`more than 64 KiB of headers (${name}): headers_too_large`, async () => {
      send(`${head}${length}\r\n${missing}`);
      const found = await check();
      expect(found).to.include({ status: 0, error: 'headers_too_large' });
      expect(found).not.to.have.property('error_detail');
    });
  }

  it('thousands of different headers on each hop: only the needed ones are compared', async () => {
    const flood = Array.from({ length: 9_000 }, (_, index) => `x${index.toString(36)}:\r\n`).join('');
    const redirect = `HTTP/1.1 301 Moved\r\nLocation: /end\r\nContent-Length: 0\r\n${flood}\r\n`;
    const end = `${ok}X-Robots-Tag: noindex\r\n${html}${length}${flood}\r\n${missing}`;
    answer = (socket, target) => socket.end(target === '/' ? redirect : end);
    let compared = 0;
    const { toLowerCase } = String.prototype;
    mock.method(String.prototype, 'toLowerCase', function (this: string) {
      compared++;
      return toLowerCase.call(this);
    });
    const found = await check().finally(() => mock.restoreAll());
    expect(found).to.include({ ...judged, redirect_count: 1, noindex: 'header' });
    // Node keeps the first thousand of each response, and its agent compares these once.
    expect(compared).to.be.below(3_000);
  });

  for (const [name, [location, asked]] of Object.entries({
    'UTF-8': [Buffer.from('/café/日本?q=ü#é'), '/caf%C3%A9/%E6%97%A5%E6%9C%AC?q=%C3%BC'],
    'Latin-1': [Buffer.from('/caf\xe9?q=\xfc', 'latin1'), '/caf%E9?q=%FC'],
    Shift_JIS: [Buffer.from('/\x93\xfa\x96\x7b', 'latin1'), '/%93%FA%96{'],
    'percent-encoded': [Buffer.from('/caf%E9/%d0%bf'), '/caf%E9/%d0%bf'],
    'UTF-8 and Latin-1': [Buffer.from('/ü-\xc3\xbc-\xe9', 'latin1'), '/%FC-%C3%BC-%E9'],
    'a folded line': [Buffer.from('\r\n /folded'), '/folded'],
    'a space at its end': [Buffer.from('/ok \t'), '/ok'],
  } as const)) {
    it(`a redirect to ${name} is followed to those bytes`, async () => {
      const head = Buffer.from('HTTP/1.1 301 Moved\r\nContent-Length: 0\r\nLocation: ');
      const redirect = Buffer.concat([head, location, Buffer.from('\r\n\r\n')]);
      const end = Buffer.from(`${ok}${html}${length}\r\n${missing}`);
      answer = (socket, target) => socket.end(target === '/' ? redirect : end);
      expect(await check()).to.include({ ...judged, redirect_count: 1 });
      expect(server.asked[1]).to.equal(
        new URL(asked, server.url).pathname + new URL(asked, server.url).search,
      );
    });
  }

  for (const [name, head] of Object.entries({
    'a length beside chunks':
      'HTTP/1.1 302 Found\r\nLocation: /to\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n',
    'a folded line': 'HTTP/1.1 302 Found\r\nX-Note: a\r\n b\r\nLocation: /to\r\nContent-Length: 0\r\n',
    'a control character': 'HTTP/1.1 302 Found\r\nX-Note: \x01\r\nLocation: /to\r\nContent-Length: 0\r\n',
    'LF only': 'HTTP/1.1 302 Found\nLocation: /to\nContent-Length: 0\n',
    'another version': 'HTTP/1.9 302 Found\r\nLocation: /to\r\nContent-Length: 0\r\n',
    'an interim response': `HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 302 Found\r\nLocation: /to\r\nContent-Length: 0\r\n`,
  })) {
    it(`${name}: the connection is not used again`, async () => {
      const before = server.connections();
      const end = head.includes('Transfer-Encoding') ? '0\r\n\r\n' : '';
      const to = `${ok}${html}${length}\r\n${missing}`;
      answer = (socket, target) => socket.write(target === '/' ? `${head}\r\n${end}` : to);
      expect(await check()).to.include(judged);
      expect(server.connections() - before).to.equal(2);
    });
  }

  it('a valid response: the connection is used again, though the head comes in pieces', async () => {
    const before = server.connections();
    const to = `${ok}${html}${length}\r\n${missing}`;
    answer = (socket, target) => {
      if (target !== '/') return socket.write(to);
      socket.write('HTTP/1.1 302 Found\r\nLocation: /t');
      const sockets = () => Object.values(agents.http.sockets).flatMap((open) => open ?? []);
      const isHalf = async () => sockets().some(({ bytesRead }) => bytesRead > 0) || null;
      void eventually(isHalf, undefined, 5).then(() => socket.write('o\r\nContent-Length: 0\r\n\r\n'));
    };
    expect(await check()).to.include(judged);
    expect(server.connections() - before).to.equal(1);
  });

  const message = { id: 'msg_1', payload: '{}', secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] };
  const sender = { policy, resolver, userAgent: 'test', signal };

  it('a receiver of webhooks is read in the same way', async () => {
    for (const response of [lenientForms['a length beside chunks'], brokenTails['no last chunk']]) {
      send(response ?? '');
      expect(await postSigned(server.url, message, sender)).to.include({ status: 200, error: null });
    }
    send(refused.garbage?.[0] ?? '');
    const posted = await postSigned(server.url, message, sender);
    expect(posted).to.include({ status: null, error: 'invalid_response' });
  });
});
