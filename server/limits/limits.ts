import { crc32 } from 'node:zlib';
import type { Request, RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ApiError } from '../../process/api-error.ts';
import { counted } from '../../process/counted.ts';
import type { Context } from '../context.ts';
import { getClientNetwork } from '../http/address.ts';
import { getCaller } from '../http/authenticate.ts';
import { createRateLimitStore } from './limit-store.ts';

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
