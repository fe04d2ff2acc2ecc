import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum of unanswered requests per connection. Browsers and load balancers send one request after the other. */
const unansweredMax = 10;
/** Time for which a client may read nothing of a response. */
const stallMs = 60_000;

const unanswered = new WeakMap<Socket, number>();

/**
 * Limits the memory of a connection: closes it when too many of its requests wait, or when its client reads nothing of
 * a response for a minute. Returns false if it has closed the connection.
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
  // As long as no headers are sent, the response is still being prepared.
  res.setTimeout(stalledAfterMs, () => {
    if (res.headersSent) socket.destroy();
  });
  return true;
}

const latest = new WeakMap<Socket, ServerResponse>();

/**
 * Handles the requests of a connection one after the other. Responses are sent in order, so a request that is handled
 * early would keep resources such as slots until the earlier responses are sent.
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
