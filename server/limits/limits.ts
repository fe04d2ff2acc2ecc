import { crc32 } from 'node:zlib';
import type { Request, RequestHandler } from 'express';
import { type ClientRateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import { RateLimiterMemory, type RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { createLimiter, createLimiterClient, type LimiterClient } from '../../db/queue/limiter.ts';
import { ApiError } from '../../process/api-error.ts';
import { counted } from '../../process/counted.ts';
import type { Context } from '../context.ts';
import { getClientNetwork } from '../http/address.ts';
import { getCaller } from '../http/authenticate.ts';

type LimitContext = Pick<Context, 'config' | 'db' | 'log'>;

const windowSeconds = 60;
/** The limit of reads is this many times the limit of writes. */
const readsPerWrite = 10;

type GetAccountId = (req: Request) => number;

const getTokenAccountId: GetAccountId = (req) => getCaller(req).accountId;

/** Limits the writes and the reads of an account. All web processes count together. */
export function limitAccounts(
  context: LimitContext,
  getAccountId: GetAccountId = getTokenAccountId,
): RequestHandler {
  const perMinute = context.config.web.rateLimitPerMinute;
  if (perMinute === 0) return unlimited;
  const writes = accountLimiter(context, getAccountId, 'post', perMinute);
  const reads = accountLimiter(context, getAccountId, 'get', perMinute * readsPerWrite);
  return (req, res, next) => (isRead(req) ? reads : writes)(req, res, next);
}

// The limit per token stops clients with a revoked token. The limit per address stops clients that guess tokens.
const failuresPerTokenMax = 300;
const failuresPerAddressMax = 3000;

/**
 * Rejects clients that have sent too many invalid tokens. Runs before the token is looked up, and counts in memory, so
 * that a flood causes no queries. Counts per network, and per token of a network. Requests with a valid token are not
 * counted. A large office is therefore not blocked by one broken cron job.
 */
export function limitInvalidTokens({ config }: LimitContext): RequestHandler {
  if (config.web.rateLimitPerMinute === 0) return unlimited;
  const perToken = new RateLimiterMemory({ points: failuresPerTokenMax, duration: windowSeconds });
  const perAddress = new RateLimiterMemory({ points: failuresPerAddressMax, duration: windowSeconds });
  return async (req, res, next) => {
    const address = getClientNetwork(req) ?? '';
    const token = `${address} ${crc32(req.get('authorization') ?? '')}`;
    const waitMs = (await getWaitMs(perToken, token)) || (await getWaitMs(perAddress, address));
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      res.set('Retry-After', String(seconds));
      throw tooMany('Too many requests without a valid token.', seconds);
    }
    res.once('finish', () => {
      if (res.statusCode !== 401) return;
      void perToken.penalty(token);
      void perAddress.penalty(address);
    });
    next();
  };
}

async function getWaitMs(limiter: RateLimiterMemory, key: string): Promise<number> {
  const seen = await limiter.get(key);
  return seen && seen.consumedPoints >= limiter.points ? seen.msBeforeNext : 0;
}

const unlimited: RequestHandler = (_req, _res, next) => next();

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

const limitedRequests = { get: 'read requests (GET)', post: 'write requests (POST, PATCH, DELETE)' };

function accountLimiter(
  context: LimitContext,
  getAccountId: GetAccountId,
  name: keyof typeof limitedRequests,
  limit: number,
): RequestHandler {
  return rateLimit({
    windowMs: windowSeconds * 1000,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: name,
    keyGenerator: (req) => String(getAccountId(req)),
    store: createRateLimitStore(context, name, { limit, windowSeconds }),
    handler: (_req, res) => {
      const seconds = Number(res.get('Retry-After'));
      throw tooMany(
        `The limit is ${limit.toLocaleString('en')} ${limitedRequests[name]} per minute.`,
        seconds,
      );
    },
  });
}

function tooMany(message: string, seconds: number): ApiError {
  return new ApiError('rate_limited', `${message} Try again in ${counted(seconds, 'second')}.`);
}

type StoreContext = Pick<Context, 'db' | 'log'>;

interface Window {
  limit: number;
  windowSeconds: number;
}

/** Rate limit store in Postgres, for all processes. While Postgres is unavailable, each process counts separately. */
function createRateLimitStore(context: StoreContext, name: string, { limit, windowSeconds }: Window): Store {
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
