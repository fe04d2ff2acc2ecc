import { crc32 } from 'node:zlib';
import type { Request, RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ApiError } from '../../process/api-error.ts';
import type { Context } from '../context.ts';
import { networkOf } from '../http/address.ts';
import { callerOf } from '../http/authenticate.ts';
import { sharedStore } from './limit-store.ts';

type LimitContext = Pick<Context, 'config' | 'db' | 'log'>;

const windowSeconds = 60;
/** How many requests may read for each that may change something. */
const readsPerWrite = 10;

type AccountOf = (req: Request) => number;

const accountOfToken: AccountOf = (req) => callerOf(req).accountId;

/** Counts an account's requests over all web processes: those that change something, and those that only read. */
export function limitAccounts(context: LimitContext, accountOf: AccountOf = accountOfToken): RequestHandler {
  const perMinute = context.config.web.rateLimitPerMinute;
  if (perMinute === 0) return unlimited;
  const writes = accountLimiter(context, accountOf, 'post', perMinute);
  const reads = accountLimiter(context, accountOf, 'get', perMinute * readsPerWrite);
  return (req, res, next) => (isRead(req) ? reads : writes)(req, res, next);
}

// Whoever goes on with a revoked token costs himself alone; whoever guesses tokens never comes near the
// second by accident.
const failuresPerTokenMax = 300;
const failuresPerAddressMax = 3000;

/**
 * Before the token is looked up: who sent too many wrong ones waits. Counted per address, and for each token
 * that an address sends, in each process for itself, so that a flood costs no query. Only failures count, so
 * that a large office, one forgotten cron job included, may send what it likes.
 */
export function limitFailures({ config }: LimitContext): RequestHandler {
  if (config.web.rateLimitPerMinute === 0) return unlimited;
  const perToken = new RateLimiterMemory({ points: failuresPerTokenMax, duration: windowSeconds });
  const perAddress = new RateLimiterMemory({ points: failuresPerAddressMax, duration: windowSeconds });
  return async (req, res, next) => {
    const address = networkOf(req) ?? '';
    const token = `${address} ${crc32(req.get('authorization') ?? '')}`;
    const waitMs = (await waitOf(perToken, token)) || (await waitOf(perAddress, address));
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

async function waitOf(limiter: RateLimiterMemory, key: string): Promise<number> {
  const seen = await limiter.get(key);
  return seen && seen.consumedPoints >= limiter.points ? seen.msBeforeNext : 0;
}

const unlimited: RequestHandler = (_req, _res, next) => next();

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function accountLimiter(
  context: LimitContext,
  accountOf: AccountOf,
  name: 'get' | 'post',
  limit: number,
): RequestHandler {
  return rateLimit({
    windowMs: windowSeconds * 1000,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: name,
    keyGenerator: (req) => String(accountOf(req)),
    store: sharedStore(context, name, { limit, windowSeconds }),
    handler: (_req, res) => {
      const seconds = Number(res.get('Retry-After'));
      throw tooMany(
        `At most ${limit.toLocaleString('en')} ${name.toUpperCase()} requests a minute.`,
        seconds,
      );
    },
  });
}

function tooMany(message: string, seconds: number): ApiError {
  return new ApiError('rate_limited', `${message} Try again in ${seconds} seconds.`);
}
