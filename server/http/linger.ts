import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

// What is left of a shorter one is read along: it costs no more than another connection.
const restBytesMax = 64 * 1024;
const lingerMs = 10_000;
const everyMs = 10;

/**
 * Before an answer to a request whose body has not been read: its connection ends with the answer. A caller who
 * reads while he sends stops then. For one who first sends all, 64 KiB are taken every ten milliseconds from all
 * of them together: a connection closed with bytes unread would take the answer with it.
 */
export function endUnread(req: IncomingMessage, res: ServerResponse): void {
  // A request that was given up while it was read has let go of its socket.
  const socket = req.socket as Socket | null;
  if (req.complete || res.headersSent || restOf(req) <= restBytesMax) return;
  res.setHeader('Connection', 'close');
  if (socket === null) return;
  // Once something was read, Node leaves the rest to us.
  req.read();
  socket.destroySoon = () => {
    socket.end();
    const close = () => socket.destroy();
    const timer = setTimeout(close, lingerMs).unref();
    req.once('end', close).once('error', close);
    socket.once('close', () => {
      clearTimeout(timer);
      lingering.delete(req);
    });
    lingering.add(req);
    drip ??= setInterval(readOne, everyMs).unref();
  };
}

const lingering = new Set<IncomingMessage>();
let drip: NodeJS.Timeout | null = null;

function readOne(): void {
  // A set keeps its order: the first is the one that has waited for the longest time.
  const [req] = lingering;
  if (req) {
    lingering.delete(req);
    lingering.add(req);
    req.read();
  } else if (drip) {
    clearInterval(drip);
    drip = null;
  }
}

function restOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0) || 0;
}
