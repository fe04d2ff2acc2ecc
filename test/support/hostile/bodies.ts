import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { type Behaviour, drip, flood, html, ok, page } from './speak.ts';

// 50 MiB in some 50 kB.
const bomb = Buffer.alloc(50 * 1024 * 1024, 'a');
const gzipBomb = gzipSync(bomb);
const bombs = {
  gzip: gzipBomb,
  br: brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  deflate: deflateSync(bomb),
  rawDeflate: deflateRawSync(bomb),
  nested: gzipSync(gzipBomb),
};

/** Servers with valid headers and bad bodies. */
export const bodies = {
  // Content codings
  'gzip-bomb': (socket) => ok(socket, coded('gzip'), bombs.gzip),
  'brotli-bomb': (socket) => ok(socket, coded('br'), bombs.br),
  'deflate-bomb': (socket) => ok(socket, coded('deflate'), bombs.deflate),
  'raw-deflate-bomb': (socket) => ok(socket, coded('deflate'), bombs.rawDeflate),
  'nested-bomb': (socket) => ok(socket, coded('gzip'), bombs.nested),
  'chained-codings': (socket) => ok(socket, coded('gzip, gzip'), bombs.nested),
  'hundred-codings': (socket) => ok(socket, coded(Array(100).fill('gzip').join(', ')), bombs.nested),
  'cut-gzip': (socket) => ok(socket, coded('gzip'), gzipSync(page).subarray(0, 20)),
  'empty-gzip': (socket) => ok(socket, coded('gzip'), ''),

  // Without end
  'endless-body': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${html}\r\n`);
    flood(socket, '<p>more '.repeat(2000));
  },
  'endless-error': (socket) => {
    socket.write(`HTTP/1.1 500 Broken\r\n${html}\r\n`);
    flood(socket, '<p>more '.repeat(2000));
  },
  'endless-image': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n');
    flood(socket, 'pixel'.repeat(2000));
  },
  'dripping-body': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${html}Content-Length: 100000\r\n\r\n`);
    drip(socket, '<');
  },
  'dripping-gzip': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${coded('gzip')}\r\n`);
    const whole = gzipSync(page.repeat(100));
    let sent = 0;
    const timer = setInterval(() => {
      if (socket.destroyed) clearInterval(timer);
      else socket.write(whole.subarray(sent, ++sent));
    }, 20);
  },
  'held-body': (socket) => socket.write(`HTTP/1.1 200 OK\r\n${html}Content-Length: 100\r\n\r\n`),

  // Chunks
  'huge-chunk': (socket) => chunked(socket, `${'f'.repeat(15)}\r\n${page}`),
  'overlong-chunk': (socket) => chunked(socket, `${'f'.repeat(40)}\r\n${page}`),
  'negative-chunk': (socket) => chunked(socket, `-5\r\n${page}`),
  'chunk-extensions': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${html}Transfer-Encoding: chunked\r\n\r\n5;x=`);
    flood(socket, 'x'.repeat(10_000));
  },
  'endless-trailers': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${html}Transfer-Encoding: chunked\r\n\r\n5\r\n<p>ab\r\n0\r\n`);
    flood(socket, 'X-Trailer: more\r\n'.repeat(500));
  },
  'dripping-chunks': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${html}Transfer-Encoding: chunked\r\n\r\n`);
    drip(socket, '1\r\n<\r\n');
  },
  'chunked-twice': (socket) => ok(socket, `${html}Transfer-Encoding: chunked, chunked\r\n`, '0\r\n\r\n'),
  'unknown-transfer': (socket) => ok(socket, `${html}Transfer-Encoding: smoke\r\n`),

  // Character sets
  'unknown-charset': (socket) => typed(socket, 'text/html; charset=klingon'),
  'charset-flood': (socket) => typed(socket, `text/html; charset=${'x'.repeat(5000)}`),
  'false-utf-16': (socket) => typed(socket, 'text/html; charset=utf-16'),
  'utf-7': (socket) => typed(socket, 'text/html; charset=utf-7', '+ADw-title+AD4-Fine'),
  'utf-32': (socket) => typed(socket, 'text/html; charset=utf-32', Buffer.from('ff fe 00 00 3c 00', 'hex')),
  'invalid-utf-8': (socket) => typed(socket, 'text/html; charset=utf-8', Buffer.alloc(5000, 0xff)),
  'two-charsets': (socket) =>
    typed(socket, 'text/html; charset=utf-8; charset=gbk', `<meta charset=big5>${page}`),
  'null-bytes': (socket) => typed(socket, 'text/html', `<title>a\0b</title>${'\0'.repeat(1000)}`),
  'type-is-garbage': (socket) => typed(socket, ';;;,,,//text/html;='),
} as const satisfies Record<string, Behaviour>;

function coded(coding: string): string {
  return `${html}Content-Encoding: ${coding}\r\n`;
}

function chunked(socket: Parameters<Behaviour>[0], body: string): void {
  ok(socket, `${html}Transfer-Encoding: chunked\r\n`, body);
}

function typed(socket: Parameters<Behaviour>[0], type: string, body: string | Buffer = page): void {
  ok(socket, `Content-Type: ${type}\r\n`, body);
}
