import type { Request, RequestHandler } from 'express';
import type { Actor } from '../../db/accounts/activity.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import type { Context } from '../context.ts';
import { getClientAddress } from './address.ts';
import { unauthorized } from './errors.ts';

const callers = new WeakMap<Request, tokens.Caller>();

/** Authenticates a request by its bearer token. Throws ApiError `unauthorized`. */
export function authenticate({ db }: Pick<Context, 'db'>): RequestHandler {
  return async (req, _res, next) => {
    const match = /^Bearer +([^\s]{1,200}) *$/i.exec(req.get('authorization') ?? '');
    if (!match) {
      throw unauthorized(
        'Send your token in the header `Authorization: Bearer <token>`. Create tokens in the dashboard under Tokens.',
      );
    }
    const token = tokens.parseToken(match[1] ?? '');
    const caller = token && (await tokens.findCaller(db, token));
    if (!caller) {
      throw unauthorized(
        'This token is invalid. It may have expired, been revoked, or been copied incompletely. Check it, or create another in the dashboard under Tokens.',
      );
    }
    callers.set(req, caller);
    next();
  };
}

/** Returns the caller of a request that has passed `authenticate`. */
export function getCaller(req: Request): tokens.Caller {
  const caller = callers.get(req);
  if (!caller) throw new Error('this route is not behind authenticate');
  return caller;
}

/** Returns the caller of a request for the activity list. */
export function getActor(req: Request): Actor {
  const { userId, email, tokenId, name } = getCaller(req);
  return { userId, email, token: { tokenId, name }, address: getClientAddress(req) };
}
