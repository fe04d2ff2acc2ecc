import type { ClientRateLimitInfo, Store } from 'express-rate-limit';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Context } from '../context.ts';
import { limiterClient } from './limiter-client.ts';

type StoreContext = Pick<Context, 'db' | 'log'>;

interface Window {
  limit: number;
  windowSeconds: number;
}

/** One count in Postgres for all processes; while Postgres cannot count, each process counts for itself. */
export function sharedStore(context: StoreContext, name: string, { limit, windowSeconds }: Window): Store {
  const options = { keyPrefix: name, points: limit, duration: windowSeconds };
  const limiter = new RateLimiterPostgres({
    ...options,
    storeClient: countingClient(context),
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    // Who is over the limit is refused from memory until the window ends: a flood does not reach Postgres.
    inMemoryBlockOnConsumed: limit + 1,
    insuranceLimiter: new RateLimiterMemory(options),
  });
  return {
    prefix: name,
    increment: countTogether((key, hits) => consume(limiter, key, hits)),
    decrement: async (key) => void (await limiter.reward(key)),
    resetKey: async (key) => void (await limiter.delete(key)),
  };
}

/** Adds hits and answers the total. The library rejects with its result when the limit is passed; that is no error. */
async function consume(limiter: RateLimiterPostgres, key: string, hits: number) {
  const { consumedPoints, msBeforeNext } = await limiter.consume(key, hits).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });
  // 0 is what it says when it refuses from memory.
  const totalHits = consumedPoints || limiter.points + hits;
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
function countingClient({ db, log }: StoreContext) {
  const client = limiterClient(db);
  let warnedMs = Number.NEGATIVE_INFINITY;
  return {
    query: async (query: Parameters<typeof client.query>[0]) => {
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
