import type { Request, Response } from 'express';
import * as activity from '../../../db/accounts/activity.ts';
import { hold } from '../../../db/accounts/open-account.ts';
import { lockRights } from '../../../db/accounts/rights.ts';
import * as factors from '../../../db/accounts/second-factors.ts';
import * as sessions from '../../../db/accounts/sessions.ts';
import * as steps from '../../../db/accounts/sign-in-steps.ts';
import { type Addressed, find } from '../../../db/accounts/user-addresses.ts';
import * as users from '../../../db/accounts/users.ts';
import { inTransaction, type Trx } from '../../../db/postgres/connect.ts';
import { addressOf } from '../../http/address.ts';
import { noteSecurity } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { ownPath } from '../own-path.ts';
import { Refusal } from '../refusal.ts';
import { sessionIdOf, sessionOf, setSession } from '../visitors.ts';

/** What lets somebody in. It is checked and used up in the transaction that begins the session or the second step. */
interface Proof {
  /** The hash that the typed password matched; missing where none was typed. */
  passwordHash?: users.PasswordHash;
  /** Uses up what works once. Throws when it was used, or ended, in the meantime. */
  use?: (trx: Trx) => Promise<unknown>;
}

export function wrongPassword(): Refusal {
  return new Refusal(401, 'Email or password is not right.');
}

/**
 * Signs in a person whose password or link was right, or asks for their second factor if they have one. Then leads to
 * the page that was wanted.
 */
export async function enter(
  context: DashboardContext,
  req: Request,
  res: Response,
  userId: number,
  next = '/',
  proof: Proof = {},
): Promise<void> {
  const { cookies } = context;
  const begun = await begin(context, req, userId, { ...proof, stepTo: ownPath(next) });
  if ('session' in begun) return arrive(context, req, res, begun, next);
  cookies.clear(res, 'session');
  cookies.write(res, 'step', begun.step);
  res.redirect(303, '/sign-in/second');
}

/** Ends the session of a browser, if any, after the transactions that rely on it. */
export async function endSession({ db }: Pick<DashboardContext, 'db'>, req: Request): Promise<void> {
  const session = sessionRefOf(req);
  if (!session) return;
  await inTransaction(db, async (trx) => {
    await lockRights(trx, `user ${session.userId}`);
    await sessions.end(trx, session);
  });
}

function sessionRefOf(req: Request): sessions.SessionRef | null {
  const sessionId = sessionIdOf(req);
  return sessionId && { sessionId, userId: sessionOf(req).userId };
}

/**
 * Begins a session under a new id, as every sign-in does: somebody else may know the old one. `goingOnIn`: the account
 * of a session that continues under another id, which is no sign-in; null for a sign-in.
 */
export async function beginSession(
  context: DashboardContext,
  req: Request,
  res: Response,
  userId: number,
  next: string,
  { goingOnIn = null, ...proof }: { goingOnIn?: number | null } & Proof = {},
): Promise<void> {
  const begun = await begin(context, req, userId, { ...proof, goingOnIn, stepTo: null });
  if ('session' in begun) await arrive(context, req, res, begun, next);
}

interface Begun {
  session: sessions.SessionId;
  user: Addressed;
  isSignIn: boolean;
}

/**
 * Checks the proof and begins what it leads to, in one transaction. A password reset therefore comes before it, and
 * the proof no longer holds, or after it, and the session ends. Ends the browser's old session, too. `stepTo`: the page
 * behind the second step; null where that was taken.
 */
async function begin(
  { db }: DashboardContext,
  req: Request,
  userId: number,
  {
    goingOnIn = null,
    passwordHash,
    use,
    stepTo,
  }: Proof & { goingOnIn?: number | null; stepTo: string | null },
): Promise<Begun | { step: string }> {
  const before = sessionRefOf(req);
  const accountId = goingOnIn ?? (await users.openAccountOf(db, userId));
  const address = addressOf(req);
  return inTransaction(db, async (trx) => {
    await lockRights(trx, `user ${userId}`, `user ${before?.userId ?? userId}`);
    // The account before the user, as everywhere (docs/batches.md).
    const openId = accountId !== null && (await hold(trx, accountId)) ? accountId : null;
    const locked = await users.lock(trx, userId);
    if (locked === null) throw new Refusal(403, 'This account is closed.');
    // The password was changed while the typed one was compared, which ended every session.
    if (passwordHash !== undefined && locked.passwordHash !== passwordHash) throw wrongPassword();
    await use?.(trx);
    if (before) await sessions.end(trx, before);
    if (stepTo !== null && (await factors.isAskedFor(trx, userId)))
      return { step: await steps.begin(trx, userId, stepTo) };
    const user = (await find(trx, userId)) as Addressed;
    const by = { userId, email: user.email, token: null, address };
    if (goingOnIn === null && openId !== null)
      await activity.note(trx, { accountId: openId, what: 'signed_in', by });
    const start = { accountId: openId, address, agent: req.get('user-agent') };
    return { session: await sessions.begin(trx, userId, start), user, isSignIn: goingOnIn === null };
  });
}

/** Gives the browser its new session. */
async function arrive(
  context: DashboardContext,
  req: Request,
  res: Response,
  { session, user, isSignIn }: Begun,
  next: string,
): Promise<void> {
  const { cookies, devices, tries } = context;
  setSession(context, res, session);
  cookies.clear(res, 'visitor');
  const isConfirmed = user.emailConfirmedAt !== null;
  // An address that is not confirmed may be somebody else's.
  if (context.mail !== 'smtp' || isConfirmed) devices.remember(res, await tries.keyOf(user.email));
  if (isSignIn && !isConfirmed && context.mail === 'smtp') askToConfirm(context, res);
  if (isSignIn) noteSecurity(context, req, 'signed_in', { userId: user.userId });
  res.redirect(303, next);
}

function askToConfirm(context: DashboardContext, res: Response): void {
  const text =
    'Your address is not confirmed yet: follow the link in our mail, or have it sent again in Settings.';
  setFlash(context, res, { tone: 'good', text });
}
