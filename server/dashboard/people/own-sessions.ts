import type { Request, RequestHandler } from 'express';
import * as activity from '../../../db/accounts/activity.ts';
import * as sessions from '../../../db/accounts/sessions.ts';
import { parseId } from '../../../schemas/id.ts';
import { notFound } from '../../http/errors.ts';
import { logSecurityEvent } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { findSessionId, getActor, getSession } from '../visitors.ts';
import { inUserTransaction } from './user-transaction.ts';

export async function listOwnSessions({ db }: DashboardContext, req: Request) {
  const sessionId = findSessionId(req);
  if (!sessionId) return [];
  const all = await sessions.list(db, getSession(req).userId, sessionId);
  return all.map((one) => ({ ...one, browser: browserName(one.agent) ?? 'Unknown browser' }));
}

export function sessionPages(context: DashboardContext) {
  const { cookies } = context;

  const endOne: RequestHandler = async (req, res) => {
    const { userId, accountId } = getSession(req);
    const sessionId = parseId(req.params.session_id);
    const isEnded =
      sessionId !== null &&
      (await inUserTransaction(context, req, async (trx) => {
        if (!(await sessions.endOne(trx, userId, sessionId))) return false;
        await activity.record(trx, { accountId, what: 'sessions_ended', by: getActor(req), about: 'one' });
        return true;
      }));
    if (!isEnded) throw notFound('No session with this id. It may have expired.');
    logSecurityEvent(context, req, 'sessions_ended', { userId });
    setFlash(context, res, { tone: 'good', text: 'Session ended.' });
    res.redirect(303, '/settings');
  };

  const endAll: RequestHandler = async (req, res) => {
    const { userId, accountId } = getSession(req);
    await inUserTransaction(context, req, async (trx) => {
      await sessions.endAll(trx, userId);
      await activity.record(trx, { accountId, what: 'sessions_ended', by: getActor(req), about: 'all' });
    });
    logSecurityEvent(context, req, 'sessions_ended', { userId });
    cookies.clear(res, 'session');
    res.redirect(303, '/sign-in');
  };

  return { endOne, endAll };
}

/** Names the browser of a User-Agent header. Returns null if there is no header. */
export function browserName(agent: string | null): string | null {
  if (!agent) return null;
  const browser = browsers.find(([mark]) => mark.test(agent))?.[1];
  const system = systems.find(([mark]) => mark.test(agent))?.[1];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? agent.slice(0, lengthMax).toWellFormed();
}

const lengthMax = 60;

// The order matters. The header of a browser may also contain the marks of browsers further down.
const browsers: Array<[mark: RegExp, name: string]> = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: Array<[mark: RegExp, name: string]> = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];
