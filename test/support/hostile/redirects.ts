import type { Socket } from 'node:net';
import { type Behaviour, flood } from './speak.ts';

/** Servers that redirect. */
export const redirects = {
  'to-itself': (socket) => to(socket, '/to-itself'),
  // A counter defeats clients that remember visited URLs.
  'to-the-next': (socket, path) => to(socket, `/to-the-next?${Number(path.split('?')[1] ?? 0) + 1}`),
  'to-data': (socket) => to(socket, 'data:text/html,<h1>owned</h1>'),
  'to-file': (socket) => to(socket, 'file:///etc/passwd'),
  'to-gopher': (socket) => to(socket, 'gopher://127.0.0.1:6379/_x'),
  'to-javascript': (socket) => to(socket, 'javascript:alert(1)'),
  'to-metadata': (socket) => to(socket, 'http://169.254.169.254/latest/meta-data/'),
  'to-credentials': (socket) => to(socket, 'http://user:pass@example.com/'),
  'to-half-an-address': (socket) => to(socket, 'http://[::1'),
  'to-port-99999': (socket) => to(socket, 'http://127.0.0.1:99999/'),
  'to-long': (socket) => to(socket, `/${'x'.repeat(5000)}`),
  'to-longer-than-headers': (socket) => to(socket, `/${'x'.repeat(100_000)}`),
  'to-white-space': (socket) => to(socket, ' \t '),
  'to-null': (socket) => to(socket, '/a\0b'),
  'to-two-places': (socket) => to(socket, '/final\r\nLocation: http://169.254.169.254/'),
  'to-nothing': (socket) => socket.end('HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n'),
  'to-300': (socket) => socket.end('HTTP/1.1 300 Choices\r\nLocation: /final\r\nContent-Length: 0\r\n\r\n'),
  'to-304': (socket) => socket.end('HTTP/1.1 304 Same\r\nLocation: /final\r\nContent-Length: 0\r\n\r\n'),
  'to-proxy': (socket) =>
    socket.end('HTTP/1.1 305 Use Proxy\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n'),
  'to-final-without-end': (socket) => {
    socket.write('HTTP/1.1 302 Found\r\nLocation: /final\r\n\r\n');
    flood(socket, 'and on '.repeat(2000));
  },
  final: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
} as const satisfies Record<string, Behaviour>;

function to(socket: Socket, location: string): void {
  socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
