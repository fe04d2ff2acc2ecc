import type { Socket } from 'node:net';
import { type Behaviour, drip, flood, html, ok, page, resetAfter } from './speak.ts';

/** Resolves when the client has closed the last `two-responses-late` connection, because of the late response. */
export const lateAnswer = { noticed: Promise.resolve() as Promise<void> };

/** Servers that fail before, in or because of their headers. */
export const answers = {
  // Stages at which a server can close
  silent: () => {},
  close: (socket) => socket.end(),
  reset: (socket) => socket.resetAndDestroy(),
  'reset-in-status-line': (socket) => resetAfter(socket, 'HTTP/1.1 20'),
  'reset-in-headers': (socket) => resetAfter(socket, `HTTP/1.1 200 OK\r\n${html}X-Half: `),
  'close-in-headers': (socket) => socket.end(`HTTP/1.1 200 OK\r\n${html}X-Half: `),
  'reset-after-headers': (socket) =>
    resetAfter(socket, `HTTP/1.1 200 OK\r\n${html}Content-Length: 90\r\n\r\n`),
  'reset-in-body': (socket) =>
    resetAfter(socket, `HTTP/1.1 404 No\r\n${html}Content-Length: 90\r\n\r\n<title>`),

  // Not HTTP, or another version of it
  garbage: (socket) => socket.end('\x16\x03\x01 this is not HTTP \0\0\0\r\n\r\n'),
  'endless-noise': (socket) => flood(socket, '\xff\0\x7fnoise'.repeat(1000)),
  'http-0.9': (socket) => socket.end(page),
  'http-2': (socket) => socket.end(Buffer.from('00001204000000000000030000006400040010000000060000', 'hex')),
  'http-9.9': (socket) => socket.end('HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n'),
  shoutcast: (socket) => socket.end('ICY 200 OK\r\nicy-name: Radio\r\n\r\n'),
  ssh: (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),

  // Status lines
  'status-000': (socket) => status(socket, '000 Nothing'),
  'status-999': (socket) => status(socket, '999 Request denied'),
  'status-2000': (socket) => status(socket, '2000 Much'),
  'status-negative': (socket) => status(socket, '-200 OK'),
  'status-20': (socket) => status(socket, '20 Short'),
  'status-word': (socket) => status(socket, 'OK'),
  'status-bare': (socket) => status(socket, '204'),
  'status-endless-reason': (socket) => {
    socket.write('HTTP/1.1 200 ');
    flood(socket, 'x'.repeat(10_000));
  },

  // Headers
  'half-headers': (socket) => socket.write(`HTTP/1.1 200 OK\r\n${html}X-`),
  'dripping-headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    drip(socket, 'X-A: b\r\n');
  },
  'header-endless': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Endless: ');
    flood(socket, 'x'.repeat(10_000));
  },
  'many-headers': (socket) => socket.end(`HTTP/1.1 200 OK\r\n${'a:b\r\n'.repeat(3000)}\r\n`),
  'header-no-colon': (socket) => ok(socket, `${html}this is not a header\r\n`),
  'header-space': (socket) => ok(socket, `${html}X-Space : a\r\n`),
  'header-latin': (socket) => ok(socket, `${html}X-Name: Käse\r\n`),

  // Interim responses
  'continue-flood': (socket) => flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(500)),
  'early-hints-flood': (socket) =>
    flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(500)),
  'processing-drip': (socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n'),
  'switching-protocols': (socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
  'early-hints-once': (socket) =>
    socket.end(`HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n`),

  // Lies about length
  'huge-length': (socket) => ok(socket, `${html}Content-Length: ${'9'.repeat(30)}\r\n`),
  'big-length': (socket) => ok(socket, `${html}Content-Length: 9007199254740993\r\n`),
  'negative-length': (socket) => ok(socket, `${html}Content-Length: -5\r\n`),
  'word-length': (socket) => ok(socket, `${html}Content-Length: five\r\n`),
  'no-content-with-body': (socket) =>
    socket.end(`HTTP/1.1 204 No Content\r\n${html}Content-Length: 5\r\n\r\n<p>hi`),
  'not-modified-with-body': (socket) =>
    socket.end(`HTTP/1.1 304 Same\r\n${html}Content-Length: 5\r\n\r\n<p>hi`),
  'reset-content-with-body': (socket) =>
    socket.end(`HTTP/1.1 205 Reset\r\n${html}Content-Length: 5\r\n\r\n<p>hi`),

  // A second response after the first, on a kept connection
  'two-responses': (socket) =>
    socket.write(`HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n${html}\r\n${page}`),
  'two-responses-late': (socket) => {
    socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    lateAnswer.noticed = new Promise((resolve) => socket.once('close', () => resolve()));
    setTimeout(() => socket.write('HTTP/1.1 500 Smuggled\r\nContent-Length: 0\r\n\r\n'), 20);
  },
  'two-responses-in-body': (socket) =>
    socket.write(
      `HTTP/1.1 200 OK\r\n${html}Content-Length: 4\r\n\r\nhereHTTP/1.1 500 Smuggled\r\nContent-Length: 0\r\n\r\n`,
    ),
} as const satisfies Record<string, Behaviour>;

function status(socket: Socket, line: string): void {
  socket.end(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\n\r\n`);
}
