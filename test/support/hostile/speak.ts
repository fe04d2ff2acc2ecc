import type { Socket } from 'node:net';

/** What a hostile server does with a connection, once it has been asked for a path. */
export type Behaviour = (socket: Socket, path: string) => void;

export const html = 'Content-Type: text/html\r\n';
export const page = '<title>Fine</title><p>Here.</p>';

/** A whole answer of 200 with this head and body, ended by closing. */
export function ok(socket: Socket, head: string, body: string | Buffer = page): void {
  socket.write(`HTTP/1.1 200 OK\r\n${head}Connection: close\r\n\r\n`);
  socket.end(body);
}

/** As much of it as anyone takes. */
export function flood(socket: Socket, text: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', more);
  more();
}

export function drip(socket: Socket, text: string, everyMs = 50): void {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(text)), everyMs);
  socket.once('close', () => clearInterval(timer));
}

/** Ends with a reset once what was written has left. */
export function resetAfter(socket: Socket, text: string): void {
  socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20));
}
