import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { ApiError } from '../http/errors.ts';
import { limiterClient } from './limiter-client.ts';

/** What costs the service something and the caller no credit, per account over all web processes. */
const allowances = {
  /** Entries that do not fit are kept with their batch, uncharged. */
  skippedEntries: { points: 100_000, seconds: 3600, words: 'entries that do not fit' },
  /** Each posts to a server of the caller's choice. */
  webhookTests: { points: 30, seconds: 900, words: 'webhook tests' },
  resends: { points: 1000, seconds: 3600, words: 'deliveries sent again' },
};

export type Allowances = ReturnType<typeof createAllowances>;

/** Takes from an allowance; throws a 429 when it is used up. Off with the rate limits. */
export function createAllowances({ web }: Config, db: Db) {
  const limiters = Object.fromEntries(
    Object.entries(allowances).map(([name, { points, seconds }]) => [
      name,
      limiterOf(db, name, points, seconds),
    ]),
  );
  return async (accountId: number, name: keyof typeof allowances, count = 1): Promise<void> => {
    if (web.rateLimitPerMinute === 0 || count === 0) return;
    try {
      await limiters[name]?.consume(String(accountId), count);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw usedUp(name, Math.max(1, Math.ceil(refused.msBeforeNext / 1000)));
    }
  };
}

function limiterOf(db: Db, keyPrefix: string, points: number, duration: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: limiterClient(db),
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix,
    points,
    duration,
  });
}

function usedUp(name: keyof typeof allowances, seconds: number): ApiError {
  const { points, words, seconds: period } = allowances[name];
  const per = period === 3600 ? 'an hour' : `${period / 60} minutes`;
  const message = `At most ${points.toLocaleString('en')} ${words} in ${per}. Try again in ${seconds} seconds.`;
  return new ApiError(429, 'rate_limited', message, { headers: { 'Retry-After': String(seconds) } });
}
