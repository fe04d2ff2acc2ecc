import type { Request, RequestHandler, Response } from 'express';
import type { Actor } from '../../db/accounts/activity.ts';
import { type Authorization, requireEntitled } from '../../db/accounts/rights.ts';
import * as sessions from '../../db/accounts/sessions.ts';
import { parseUrl } from '../../net/url.ts';
import type { Role } from '../../schemas/members.ts';
import type { Right } from '../../schemas/operations/rights.ts';
import { getClientAddress } from '../http/address.ts';
import type { DashboardContext } from './context.ts';
import { Refusal } from './refusal.ts';

interface Visitor {
  sessionId: sessions.SessionId | null;
  session: sessions.Session | null;
}

const visitors = new WeakMap<Request, Visitor>();
const rights = new WeakMap<Request, Right>();

/** Finds the visitor's session. Requests by scripts (`HX-Request`) do not extend the session. */
export function loadSession({ db, cookies }: DashboardContext): RequestHandler {
  return async (req, _res, next) => {
    const sessionId = sessions.parseSessionId(cookies.read(req, 'session') ?? '');
    const isUse = req.get('hx-request') === undefined;
    const session = sessionId && (await sessions.find(db, sessionId, { isUse }));
    visitors.set(req, { sessionId: session ? sessionId : null, session: session ?? null });
    next();
  };
}

/** Redirects visitors without a session to the sign-in page. */
export const requireSession: RequestHandler = (req, res, next) => {
  if (findSession(req)) return next();
  const refusal = redirectToSignIn(req, res);
  if (refusal) throw refusal;
};

export function setSession({ cookies }: DashboardContext, res: Response, id: sessions.SessionId): void {
  cookies.write(res, 'session', id, sessions.sessionLife.absoluteDays * 24 * 3600);
}

/**
 * Treats the request as signed out from now on. Use it if the session has ended, or if the user has left the account.
 */
export function dropSession(req: Request): void {
  visitors.set(req, { sessionId: null, session: null });
}

/** Redirects to the sign-in page. For htmx, sets the header `HX-Redirect` and returns an error to throw. */
export function redirectToSignIn(req: Request, res: Response): Refusal | null {
  if (req.get('hx-request') !== undefined) {
    res.set('HX-Redirect', signInUrl(toPath(req.get('hx-current-url'))));
    return new Refusal(401, 'You are signed out. Sign in again.');
  }
  res.redirect(303, signInUrl(req.method === 'GET' ? req.originalUrl : '/'));
  return null;
}

/** Rejects visitors with a lower role. Use it after `requireSession`. */
export function requireRole(needed: Role): RequestHandler {
  const right: Right = { role: needed, scope: 'read' };
  return (req, _res, next) => {
    requireEntitled({ role: getSession(req).role, token: null }, right);
    rights.set(req, right);
    next();
  };
}

/** Returns the session and the required role. The transaction checks both again. */
export function getAuthorization(req: Request): Authorization {
  const right = rights.get(req);
  if (!right) throw new Error('this route is not behind requireRole');
  return createAuthorization(req, right.role);
}

/** Returns the session and the role to check, for routes that are also public. */
export function createAuthorization(req: Request, role: Role): Authorization {
  const sessionId = findSessionId(req);
  if (!sessionId) throw new Error('nobody is signed in');
  const { accountId, userId } = getSession(req);
  return {
    accountId,
    credential: { sessionId, userId },
    right: { role, scope: 'read' },
  };
}

/** Returns the URL of the sign-in page that redirects to `path` after the sign-in. */
function signInUrl(path: string): string {
  return path === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ next: path })}`;
}

function toPath(address: string | undefined): string {
  const url = address === undefined ? null : parseUrl(address);
  return url ? url.pathname + url.search : '/';
}

/** Returns the session. Use it after `requireSession`. */
export function getSession(req: Request): sessions.Session {
  const session = findSession(req);
  if (!session) throw new Error('this page is not behind requireSession');
  return session;
}

/** Returns the user and IP address for the activity log. */
export function getActor(req: Request): Actor {
  const { userId, email } = getSession(req);
  return { userId, email, token: null, address: getClientAddress(req) };
}

export function findSession(req: Request): sessions.Session | null {
  return visitors.get(req)?.session ?? null;
}

export function findSessionId(req: Request): sessions.SessionId | null {
  return visitors.get(req)?.sessionId ?? null;
}
