import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum of unanswered requests per connection. Browsers and load balancers send only one request at a time. */
const unansweredMax = 10;
/** Time after which a client that does not read its response is disconnected. */
const stallMs = 60_000;

const unanswered = new WeakMap<Socket, number>();

/**
 * Limits the memory of a connection. Closes the connection if too many of its requests are unanswered, or if the client
 * reads nothing of a response for a minute. Returns false if the connection was closed.
 */
export function limitConnection(
  { socket }: IncomingMessage,
  res: ServerResponse,
  stalledAfterMs = stallMs,
): boolean {
  const waiting = (unanswered.get(socket) ?? 0) + 1;
  if (socket.destroyed || waiting > unansweredMax) {
    socket.destroy();
    return false;
  }
  unanswered.set(socket, waiting);
  res.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
  // The timeout has no effect before the headers are sent, because the response is still being prepared.
  res.setTimeout(stalledAfterMs, () => {
    if (res.headersSent) socket.destroy();
  });
  return true;
}

const latest = new WeakMap<Socket, ServerResponse>();

/**
 * Handles the requests of a connection one after the other. HTTP requires responses in the same order. A request that
 * is handled too early would hold its slots until the earlier responses are sent.
 */
export function handleInOrder({ socket }: IncomingMessage, res: ServerResponse, handle: () => void): void {
  const previous = latest.get(socket);
  latest.set(socket, res);
  if (!previous || previous.closed) {
    handle();
  } else {
    previous.once('close', () => {
      if (!socket.destroyed) handle();
    });
  }
}
