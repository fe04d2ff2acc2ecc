import type { ClientRateLimitInfo, Store } from 'express-rate-limit';
import { RateLimiterMemory, type RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { type LimiterClient, limiter, limiterClient } from '../../db/queue/limiter.ts';
import type { Context } from '../context.ts';

type StoreContext = Pick<Context, 'db' | 'log'>;

interface Window {
  limit: number;
  windowSeconds: number;
}

/** A count that also takes several hits at once. */
export interface SharedStore extends Store {
  /** Adds hits of a key, and answers how many there are with them. */
  add(key: string, hits: number): Promise<ClientRateLimitInfo>;
}

/** One count in Postgres for all processes; while Postgres cannot count, each process counts for itself. */
export function sharedStore(
  context: StoreContext,
  name: string,
  { limit, windowSeconds }: Window,
): SharedStore {
  const count = { table: 'rate_limits', name, points: limit, seconds: windowSeconds } as const;
  const shared = limiter(countingClient(context), count, {
    // Who is over the limit is refused from memory until the window ends: a flood does not reach Postgres.
    inMemoryBlockOnConsumed: limit + 1,
    insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points: limit, duration: windowSeconds }),
  });
  const add = (key: string, hits: number) => consume(shared, key, hits);
  return {
    prefix: name,
    add,
    increment: countTogether(add),
    decrement: async (key) => void (await shared.reward(key)),
    resetKey: async (key) => void (await shared.delete(key)),
  };
}

/** Adds hits and answers the total. The library rejects with its result when the limit is passed; that is no error. */
async function consume(shared: RateLimiterPostgres, key: string, hits: number) {
  const { consumedPoints, msBeforeNext } = await shared.consume(key, hits).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });
  // 0 is what it says when it refuses from memory.
  const totalHits = consumedPoints || shared.points + hits;
  return { totalHits, resetTime: new Date(Date.now() + msBeforeNext) };
}

type Waiting = PromiseWithResolvers<ClientRateLimitInfo>;

/**
 * Requests of one key that come while it is being counted are counted together next: the key's row is written once at a
 * time by each process, and a caller with many requests at once does not hold its connections.
 */
function countTogether(
  add: (key: string, hits: number) => Promise<ClientRateLimitInfo>,
): (key: string) => Promise<ClientRateLimitInfo> {
  const lines = new Map<string, Waiting[]>();
  const count = async (key: string, group: Waiting[]) => {
    lines.set(key, []);
    try {
      const { totalHits, resetTime } = await add(key, group.length);
      const before = totalHits - group.length;
      for (const [index, { resolve }] of group.entries())
        resolve({ totalHits: before + index + 1, resetTime });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    const next = lines.get(key) ?? [];
    if (next.length > 0) void count(key, next);
    else lines.delete(key);
  };
  return (key) => {
    const mine: Waiting = Promise.withResolvers();
    const line = lines.get(key);
    if (line) line.push(mine);
    else void count(key, [mine]);
    return mine.promise;
  };
}

const warnEveryMs = 60_000;

/** Says, now and then, that Postgres cannot count. */
function countingClient({ db, log }: StoreContext): LimiterClient {
  const client = limiterClient(db);
  let warnedMs = Number.NEGATIVE_INFINITY;
  return {
    query: async (query) => {
      try {
        return await client.query(query);
      } catch (error) {
        if (performance.now() - warnedMs > warnEveryMs) {
          warnedMs = performance.now();
          log.warn('Rate limits cannot be shared, so this process counts for itself', { error });
        }
        throw error;
      }
    },
  };
}
