import pLimit, { type LimitFunction } from 'p-limit';
import type { Db } from '../../db/postgres/connect.ts';
import { limiter, limiterClient } from '../../db/queue/limiter.ts';
import { rest } from './rest.ts';

/** Who reads results: long answers take turns, and count by what was sent. */
export interface Readers {
  /** Sends a long answer as soon as no more than three others of the account are being sent by this process. */
  inTurn<T>(accountId: number, send: () => Promise<T>): Promise<T>;
  /**
   * Reads a page of a long answer, and writes it where that takes long, as soon as no other one of the account is at it
   * in this process, and it has rested from the last one.
   */
  pageInTurn<T>(accountId: number, act: () => Promise<T>): Promise<T>;
  /** Reads whole lists to check them again, one act of the account at a time in this process. */
  listsInTurn<T>(accountId: number, act: () => Promise<T>): Promise<T>;
  /** Counts rows that were sent with the account's requests that read, a hundred of them as one. */
  sent(accountId: number, rows: number): Promise<void>;
}

const streamsPerAccount = 4;
const rowsPerRequest = 100;
const windowSeconds = 60;

/** `readsPerMinute`: what an account may read over all processes; 0: nothing is counted. */
export function createReaders(db: Db, readsPerMinute: number): Readers {
  // The very count that its requests are limited by.
  const count = {
    table: 'rate_limits',
    name: 'get',
    points: readsPerMinute,
    seconds: windowSeconds,
  } as const;
  const reads = readsPerMinute === 0 ? null : limiter(limiterClient(db), count);
  return {
    inTurn: linesOf(streamsPerAccount),
    pageInTurn: withRests(linesOf(1)),
    listsInTurn: linesOf(1),
    sent: async (accountId, rows) => {
      const weight = Math.floor(rows / rowsPerRequest);
      if (reads && weight > 0) await reads.penalty(String(accountId), weight);
    },
  };
}

/** A long answer in its pieces, each of them read and written in a turn of its account. */
export async function* inPieces<T>(
  { pageInTurn }: Pick<Readers, 'pageInTurn'>,
  accountId: number,
  answer: AsyncIterable<T>,
): AsyncGenerator<T> {
  const pieces = answer[Symbol.asyncIterator]();
  try {
    while (true) {
      const piece = await pageInTurn(accountId, () => pieces.next());
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    await pieces.return?.();
  }
}

/** Goes on to the account's next act after a rest, which nobody waits for who has got what he wanted. */
function withRests(inLine: Readers['inTurn']): Readers['inTurn'] {
  return <T>(accountId: number, act: () => Promise<T>) => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    void inLine(accountId, async () => {
      const beganMs = performance.now();
      await act().then(resolve, reject);
      await rest(accountId, beganMs);
    });
    return promise;
  };
}

/** A line for each account, of which so many are served at once. */
function linesOf(atOnce: number): Readers['inTurn'] {
  const lines = new Map<number, LimitFunction>();
  return async (accountId, act) => {
    const line = lines.get(accountId) ?? pLimit(atOnce);
    lines.set(accountId, line);
    try {
      return await line(act);
    } finally {
      if (line.activeCount + line.pendingCount === 0) lines.delete(accountId);
    }
  };
}
