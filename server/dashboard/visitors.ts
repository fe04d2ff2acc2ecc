import type { Request, RequestHandler } from 'express';
import type { Actor } from '../../db/activity.ts';
import * as sessions from '../../db/sessions.ts';
import { isAtLeast, type Role } from '../../schemas/members.ts';
import { addressOf } from '../http/address.ts';
import { endUnread } from '../http/linger.ts';
import type { DashboardContext } from './context.ts';
import { Refusal } from './refusal.ts';

interface Visitor {
  sessionId: sessions.SessionId | null;
  session: sessions.Session | null;
}

const visitors = new WeakMap<Request, Visitor>();

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
  if (req.get('hx-request') !== undefined) {
    res.set('HX-Redirect', signInFor(pathOf(req.get('hx-current-url'))));
    throw new Refusal(401, 'You are signed out. Sign in again.');
  }
  endUnread(req, res);
  res.redirect(303, signInFor(req.method === 'GET' ? req.originalUrl : '/'));
};

/** Refuses whoever is less in the account than that, behind `requireSession`. */
export function requireRole(needed: Role): RequestHandler {
  return (req, res, next) => {
    const { role } = sessionOf(req);
    if (isAtLeast(role, needed)) return next();
    endUnread(req, res);
    const may = { owner: 'Only an owner of the account may do this', member: 'A viewer only looks' };
    throw new Refusal(403, `${may[needed as 'owner' | 'member']}. An owner gives roles under Members.`);
  };
}

/** The page to sign in at, from which one goes on to the one that was wanted. */
function signInFor(path: string): string {
  return path === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ next: path })}`;
}

function pathOf(address: string | undefined): string {
  const url = address === undefined ? null : URL.parse(address);
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
