import type { Request, RequestHandler, Response } from 'express';
import type { Actor } from '../../db/accounts/activity.ts';
import { type Authorization, refuseUnlessEntitled } from '../../db/accounts/rights.ts';
import * as sessions from '../../db/accounts/sessions.ts';
import { parseUrl } from '../../net/url.ts';
import type { Role } from '../../schemas/members.ts';
import type { Right } from '../../schemas/operations/rights.ts';
import { addressOf } from '../http/address.ts';
import type { DashboardContext } from './context.ts';
import { Refusal } from './refusal.ts';

interface Visitor {
  sessionId: sessions.SessionId | null;
  session: sessions.Session | null;
}

const visitors = new WeakMap<Request, Visitor>();
const rights = new WeakMap<Request, Right>();

/** Looks who is there, before every page. What a page asks for by itself (`HX-Request`) is no use of a session. */
export function recogniseVisitor({ db, cookies }: DashboardContext): RequestHandler {
  return async (req, _res, next) => {
    const sessionId = sessions.parseSessionId(cookies.read(req, 'session') ?? '');
    const isUse = req.get('hx-request') === undefined;
    const session = sessionId && (await sessions.find(db, sessionId, { isUse }));
    visitors.set(req, { sessionId: session ? sessionId : null, session: session ?? null });
    next();
  };
}

/** Sends whoever is not signed in to the sign-in page. */
export const requireSession: RequestHandler = (req, res, next) => {
  if (sessionIfAny(req)) return next();
  const refusal = askToSignIn(req, res);
  if (refusal) throw refusal;
};

/** Gives a browser its session. */
export function setSession({ cookies }: DashboardContext, res: Response, id: sessions.SessionId): void {
  cookies.write(res, 'session', id, sessions.sessionLife.absoluteDays * 24 * 3600);
}

/** For the rest of a request nobody is signed in: the session ended, or its person left the account, meanwhile. */
export function forgetSession(req: Request): void {
  visitors.set(req, { sessionId: null, session: null });
}

/** Sends a visitor to the sign-in page; where a part of a page is asked for, by what is to be thrown. */
export function askToSignIn(req: Request, res: Response): Refusal | null {
  if (req.get('hx-request') !== undefined) {
    res.set('HX-Redirect', signInFor(pathOf(req.get('hx-current-url'))));
    return new Refusal(401, 'You are signed out. Sign in again.');
  }
  res.redirect(303, signInFor(req.method === 'GET' ? req.originalUrl : '/'));
  return null;
}

/** Refuses a visitor whose role in the account is lower, behind `requireSession`. */
export function requireRole(needed: Role): RequestHandler {
  const right: Right = { role: needed, scope: 'read' };
  return (req, _res, next) => {
    refuseUnlessEntitled({ role: sessionOf(req).role, token: null }, right);
    rights.set(req, right);
    next();
  };
}

/** Who asks for what a route does, and the role that it takes, to be checked again when it is done. */
export function authorizationOf(req: Request): Authorization {
  const right = rights.get(req);
  if (!right) throw new Error('this route is not behind requireRole');
  return authorizationAs(req, right.role);
}

/** The same for a route that strangers reach, too, where somebody is signed in. */
export function authorizationAs(req: Request, role: Role): Authorization {
  const sessionId = sessionIdOf(req);
  if (!sessionId) throw new Error('nobody is signed in');
  const { accountId, userId } = sessionOf(req);
  return {
    accountId,
    credential: { sessionId, userId },
    right: { role, scope: 'read' },
  };
}

/** The page to sign in at, from which one goes on to the one that was wanted. */
function signInFor(path: string): string {
  return path === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ next: path })}`;
}

function pathOf(address: string | undefined): string {
  const url = address === undefined ? null : parseUrl(address);
  return url ? url.pathname + url.search : '/';
}

/** Who is signed in, behind `requireSession`. */
export function sessionOf(req: Request): sessions.Session {
  const session = sessionIfAny(req);
  if (!session) throw new Error('this page is not behind requireSession');
  return session;
}

/** The same for the list of activity. */
export function actorOf(req: Request): Actor {
  const { userId, email } = sessionOf(req);
  return { userId, email, token: null, address: addressOf(req) };
}

export function sessionIfAny(req: Request): sessions.Session | null {
  return visitors.get(req)?.session ?? null;
}

export function sessionIdOf(req: Request): sessions.SessionId | null {
  return visitors.get(req)?.sessionId ?? null;
}
