import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

// What is left of a shorter one is read along: it costs no more than another connection.
const restBytesMax = 64 * 1024;
const lingerMs = 10_000;
const everyMs = 10;
// Of eight each is read within 80 ms: what waits longer than two collections of young objects waits for a full one.
const [perAddressMax, inAllMax] = [8, 64];

/**
 * Before an answer to a request whose body has not been read: its connection ends with the answer. A caller who
 * reads while he sends stops then. For one who first sends all, 64 KiB are taken every ten milliseconds from all
 * of them together: a connection closed with bytes unread would take the answer with it. Of one address few are
 * kept so, or whoever is refused again and again would have each of his connections read on.
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
    makeRoomBeside(socket.remoteAddress);
    const close = () => socket.destroy();
    const timer = setTimeout(close, lingerMs).unref();
    req.once('end', close).once('error', close);
    socket.once('close', () => {
      clearTimeout(timer);
      lingering.delete(req);
    });
    lingering.set(req, socket);
    drip ??= setInterval(readOne, everyMs).unref();
  };
}

// In the order in which they came.
const lingering = new Map<IncomingMessage, Socket>();
let turns = lingering.keys();
let drip: NodeJS.Timeout | null = null;

/** The oldest of an address goes, or the oldest of all, where there are as many as may be. */
function makeRoomBeside(address: string | undefined): void {
  const all = [...lingering];
  const own = all.filter(([, { remoteAddress }]) => remoteAddress === address);
  const [oldest] = own.length >= perAddressMax ? own : all.length >= inAllMax ? all : [];
  if (!oldest) return;
  const [req, socket] = oldest;
  lingering.delete(req);
  socket.destroy();
}

function readOne(): void {
  const { value: req } = nextInLine();
  if (req) req.read();
  else if (drip) {
    clearInterval(drip);
    drip = null;
  }
}

function nextInLine(): IteratorResult<IncomingMessage, undefined> {
  const next = turns.next();
  if (!next.done) return next;
  turns = lingering.keys();
  return turns.next();
}

function restOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0) || 0;
}
