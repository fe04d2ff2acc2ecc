import type { ClientRateLimitInfo, Store } from 'express-rate-limit';
import { RateLimiterMemory, type RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { createLimiter, createLimiterClient, type LimiterClient } from '../../db/queue/limiter.ts';
import type { Context } from '../context.ts';

type StoreContext = Pick<Context, 'db' | 'log'>;

interface Window {
  limit: number;
  windowSeconds: number;
}

/** Rate limit store in Postgres, for all processes. While Postgres is unavailable, each process counts separately. */
export function createRateLimitStore(
  context: StoreContext,
  name: string,
  { limit, windowSeconds }: Window,
): Store {
  const count = { table: 'rate_limits', name, points: limit, seconds: windowSeconds } as const;
  const shared = createLimiter(countingClient(context), count, {
    // Above the limit, requests are rejected from memory until the window ends. A flood does not reach Postgres.
    inMemoryBlockOnConsumed: limit + 1,
    insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points: limit, duration: windowSeconds }),
  });
  return {
    prefix: name,
    increment: (key) => consume(shared, key),
    decrement: async (key) => void (await shared.reward(key)),
    resetKey: async (key) => void (await shared.delete(key)),
  };
}

/** Counts a request and returns the total. If the limit is exceeded, the library rejects with a RateLimiterRes. */
async function consume(shared: RateLimiterPostgres, key: string): Promise<ClientRateLimitInfo> {
  const { consumedPoints, msBeforeNext } = await shared.consume(key).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });
  // The library returns 0 when it rejects from memory.
  const totalHits = consumedPoints || shared.points + 1;
  return { totalHits, resetTime: new Date(Date.now() + msBeforeNext) };
}

const warnEveryMs = 60_000;

/** Logs database errors, at most once a minute. */
function countingClient({ db, log }: StoreContext): LimiterClient {
  const client = createLimiterClient(db);
  let warnedMs = Number.NEGATIVE_INFINITY;
  return {
    query: async (query) => {
      try {
        return await client.query(query);
      } catch (error) {
        if (performance.now() - warnedMs > warnEveryMs) {
          warnedMs = performance.now();
          log.warn('Rate limits cannot be stored in the database. This process counts requests separately', {
            error,
          });
        }
        throw error;
      }
    },
  };
}
