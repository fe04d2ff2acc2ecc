import type { Request } from 'express';
import { nextTurn } from './loop-turns.ts';

/** From here on a body is long: it is read and worked on in turns. What is shorter takes about a millisecond. */
export const longBytesMin = 256 * 1024;

interface ReadOptions {
  bytesMax: number;
  /** Whose turns of the event loop reading takes. */
  accountId: number;
  /** Told each piece as it comes; what it throws ends the reading. */
  onPiece?(piece: Buffer): void;
}

const bytesRead = new WeakMap<Request, number>();
const readings = new WeakMap<Request, AbortController>();

/** How many bytes of a body have been read, whatever became of it. */
export function bytesReadOf(req: Request): number {
  return bytesRead.get(req) ?? 0;
}

/** Whoever reads the body, now or in a moment, reads no further, and fails with this error. */
export function stopReading(req: Request, error: Error): void {
  readingOf(req).abort(error);
}

function readingOf(req: Request): AbortController {
  const reading = readings.get(req) ?? new AbortController();
  readings.set(req, reading);
  return reading;
}

/**
 * The bytes of a body, of a long one a piece to a turn of the event loop. Compressed ones are refused: a small one can
 * unpack to any size. Throws errors with the statuses 413, 415, and 400 for a caller who left; what
 * `stopReading` was told.
 */
export async function readInTurns(
  req: Request,
  { bytesMax, accountId, onPiece = () => {} }: ReadOptions,
): Promise<Buffer> {
  if (!/^(?:identity)?$/i.test(req.get('content-encoding') ?? '')) throw withStatus(415);
  const length = Number(req.get('content-length') ?? bytesMax);
  if (length > bytesMax) throw withStatus(413);
  let bytes: Buffer = Buffer.alloc(0);
  let at = 0;
  for await (const piece of piecesOf(req)) {
    if (length >= longBytesMin) await nextTurn(accountId);
    if (at + piece.length > length) throw withStatus(413);
    bytesRead.set(req, at + piece.length);
    onPiece(piece);
    bytes = withRoom(bytes, at, { needed: at + piece.length, length });
    at += piece.copy(bytes, at);
  }
  return bytes.subarray(0, at);
}

/**
 * A body that is refused by its first bytes is given no memory, and one that is refused soon not enough for all: what
 * is freed counts as garbage too, and enough of it has everything collected while everybody waits.
 */
function withRoom(
  bytes: Buffer,
  filled: number,
  { needed, length }: { needed: number; length: number },
): Buffer {
  if (needed <= bytes.length) return bytes;
  const isSoon = needed <= longBytesMin;
  const more = Buffer.allocUnsafeSlow(isSoon ? Math.min(length, 2 * needed, longBytesMin) : length);
  bytes.copy(more, 0, 0, filled);
  return more;
}

/**
 * Frees the memory of a long body that nobody will read again. Left to the collector it waits for a full collection,
 * and brings that on.
 */
export function giveBack({ buffer }: Buffer): void {
  // What is shorter may be of memory that Node shares out.
  if (buffer.byteLength >= longBytesMin) (buffer as ArrayBuffer).transfer(0);
}

/** The pieces of a body as they come. Throws a 400 for a caller who left; what `stopReading` was told. */
export async function* piecesOf(req: Request): AsyncGenerator<Buffer> {
  const { signal } = readingOf(req);
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => {});
  const stop = () => stopped.reject(signal.reason);
  signal.addEventListener('abort', stop);
  // Its connection is still needed when it is left early: for the answer.
  const pieces = req.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await Promise.race([pieces.next(), stopped.promise]);
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throw signal.aborted ? signal.reason : withStatus(400, cause);
  } finally {
    signal.removeEventListener('abort', stop);
    // One that is stopped while it waits ends with the next piece, or with the connection.
    const ended = pieces.return?.();
    if (!signal.aborted) await ended;
    else ended?.catch(() => {});
  }
}

function withStatus(status: number, cause?: unknown): Error {
  return Object.assign(new Error('This body is not read.', { cause }), { status });
}
