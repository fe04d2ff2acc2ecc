import type { Socket } from 'node:net';

/** Answers a request for a path. */
export type Behaviour = (socket: Socket, path: string) => void;

export const html = 'Content-Type: text/html\r\n';
export const page = '<title>Fine</title><p>Here.</p>';

/** Sends a complete response with status 200, and closes. */
export function ok(socket: Socket, head: string, body: string | Buffer = page): void {
  socket.write(`HTTP/1.1 200 OK\r\n${head}Connection: close\r\n\r\n`);
  socket.end(body);
}

/** Sends a text again and again until the client closes. */
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

/** Sends a text, then resets the connection. */
export function resetAfter(socket: Socket, text: string): void {
  socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20));
}
