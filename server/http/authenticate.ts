import type { Request, RequestHandler } from 'express';
import type { Actor } from '../../db/accounts/activity.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import type { Context } from '../context.ts';
import { addressOf } from './address.ts';
import { unauthorized } from './errors.ts';

const callers = new WeakMap<Request, tokens.Caller>();

/** Bearer token to account, before anything else of the request is looked at. */
export function authenticate({ db }: Pick<Context, 'db'>): RequestHandler {
  return async (req, _res, next) => {
    const match = /^Bearer +([^\s]{1,200}) *$/i.exec(req.get('authorization') ?? '');
    if (!match) {
      throw unauthorized(
        'Send your token in the header `Authorization: Bearer <token>`. Tokens are made in the dashboard under Tokens.',
      );
    }
    const token = tokens.parseToken(match[1] ?? '');
    const caller = token && (await tokens.findCaller(db, token));
    if (!caller) throw unauthorized('This token is not valid: it was revoked, or a character is missing.');
    callers.set(req, caller);
    next();
  };
}

/** Who sent a request that has passed `authenticate`. */
export function callerOf(req: Request): tokens.Caller {
  const caller = callers.get(req);
  if (!caller) throw new Error('this route is not behind authenticate');
  return caller;
}

/** The same for the list of activity. */
export function actorOf(req: Request): Actor {
  const { userId, email, tokenId, name } = callerOf(req);
  return { userId, email, token: { tokenId, name }, address: addressOf(req) };
}
