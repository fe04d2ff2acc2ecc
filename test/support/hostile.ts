import { createServer, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export interface HostileServer {
  url(behaviour: keyof typeof behaviours): string;
  close(): Promise<void>;
}

/** A server that misbehaves as the path asks for: `/endless`, `/reset`. It speaks bytes, since no library would. */
export async function serveHostile(): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    socket.once('data', (data) => {
      const path = /^\w+ \/([\w-]*)/.exec(String(data))?.[1] ?? '';
      const behave = (behaviours as Record<string, (socket: Socket) => void>)[path];
      if (behave) behave(socket);
      else socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: (behaviour) => `http://127.0.0.1:${port}/${behaviour}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

const html = 'Content-Type: text/html\r\n';
const page = '<title>Fine</title><p>Here.</p>';

export const behaviours = {
  silent: () => {},
  reset: (socket: Socket) => socket.resetAndDestroy(),
  close: (socket: Socket) => socket.end(),
  garbage: (socket: Socket) => socket.end('\x16\x03\x01 this is no HTTP \0\0\0\r\n\r\n'),
  'status-000': (socket: Socket) => socket.end('HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n'),
  'status-999': (socket: Socket) => socket.end('HTTP/1.1 999 Request denied\r\nContent-Length: 0\r\n\r\n'),
  'status-2000': (socket: Socket) => socket.end('HTTP/1.1 2000 Much\r\nContent-Length: 0\r\n\r\n'),
  'half-headers': (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-'),
  'header-flood': (socket: Socket) =>
    socket.end(`HTTP/1.1 200 OK\r\n${`X-Flood: ${'x'.repeat(1000)}\r\n`.repeat(100)}\r\n`),
  'many-headers': (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\n${'a:b\r\n'.repeat(5000)}\r\n`),
  'early-hints-flood': (socket: Socket) =>
    flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(500)),
  'endless-body': (socket: Socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${html}\r\n`);
    flood(socket, '<p>more '.repeat(2000));
  },
  'dripping-body': (socket: Socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${html}Content-Length: 100000\r\n\r\n`);
    drip(socket, '<', 50);
  },
  'dripping-headers': (socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    drip(socket, 'X-A: b\r\n', 50);
  },
  'gzip-bomb': (socket: Socket) => encoded(socket, 'gzip', gzipSync(Buffer.alloc(50 * 1024 * 1024, 'a'))),
  'brotli-bomb': (socket: Socket) =>
    encoded(socket, 'br', brotliCompressSync(Buffer.alloc(50 * 1024 * 1024, 'a'))),
  'false-gzip': (socket: Socket) => encoded(socket, 'gzip', Buffer.from(page)),
  'unknown-coding': (socket: Socket) => encoded(socket, 'zstd', Buffer.from(page)),
  'short-length': (socket: Socket) =>
    socket.end(`HTTP/1.1 200 OK\r\n${html}Content-Length: 5\r\n\r\n${page}`),
  'long-length': (socket: Socket) =>
    socket.end(`HTTP/1.1 200 OK\r\n${html}Content-Length: 5000\r\n\r\n${page}`),
  'negative-length': (socket: Socket) =>
    socket.end(`HTTP/1.1 200 OK\r\n${html}Content-Length: -5\r\n\r\n${page}`),
  'two-lengths': (socket: Socket) =>
    socket.end(`HTTP/1.1 200 OK\r\n${html}Content-Length: 5\r\nContent-Length: 6\r\n\r\n${page}`),
  'broken-chunks': (socket: Socket) =>
    socket.end(`HTTP/1.1 200 OK\r\n${html}Transfer-Encoding: chunked\r\n\r\n5\r\n<p>a\r\nzzz\r\n`),
  'no-content-with-body': (socket: Socket) =>
    socket.end(`HTTP/1.1 204 No Content\r\n${html}Content-Length: 5\r\n\r\n<p>hi`),
  'unknown-charset': (socket: Socket) =>
    socket.end(
      `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=klingon\r\nConnection: close\r\n\r\n${page}`,
    ),
  'null-bytes': (socket: Socket) =>
    socket.end(`HTTP/1.1 200 OK\r\n${html}Connection: close\r\n\r\n<title>a\0b</title>${'\0'.repeat(1000)}`),
  'to-data': (socket: Socket) => redirect(socket, 'data:text/html,<h1>owned</h1>'),
  'to-file': (socket: Socket) => redirect(socket, 'file:///etc/passwd'),
  'to-gopher': (socket: Socket) => redirect(socket, 'gopher://127.0.0.1:6379/_x'),
  'to-metadata': (socket: Socket) => redirect(socket, 'http://169.254.169.254/latest/meta-data/'),
  'to-credentials': (socket: Socket) => redirect(socket, 'http://user:pass@example.com/'),
  'to-nowhere': (socket: Socket) => redirect(socket, 'http://[::1'),
  'to-long': (socket: Socket) => redirect(socket, `/${'x'.repeat(5000)}`),
  'to-nothing': (socket: Socket) => socket.end('HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n'),
  'two-responses': (socket: Socket) =>
    socket.end(`HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n${html}\r\n${page}`),
} as const satisfies Record<string, (socket: Socket) => void>;

function redirect(socket: Socket, location: string): void {
  socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`);
}

function encoded(socket: Socket, coding: string, body: Buffer): void {
  socket.write(
    `HTTP/1.1 200 OK\r\n${html}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.end(body);
}

function flood(socket: Socket, text: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', more);
  more();
}

function drip(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(text)), everyMs);
}
