import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of a connection that may wait for their answers. Browsers and routers send one after the other. */
const unansweredMax = 10;
/** How long a caller may read nothing of an answer. */
const stallMs = 60_000;

const unanswered = new WeakMap<Socket, number>();

/**
 * Bounds what a connection holds in memory: ends it when too many of its requests wait, and when nothing of an answer
 * is read for a minute. Returns false when it has ended the connection.
 */
export function boundConnection(
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
  // Without headers the answer is still being made.
  res.setTimeout(stalledAfterMs, () => {
    if (res.headersSent) socket.destroy();
  });
  return true;
}

const latest = new WeakMap<Socket, ServerResponse>();

/**
 * Handles the requests of a connection one after the other. Answers are sent in order, so a request that is handled
 * early would keep what it holds, such as a slot, until the answers before it are sent.
 */
export function handleInTurn({ socket }: IncomingMessage, res: ServerResponse, handle: () => void): void {
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
