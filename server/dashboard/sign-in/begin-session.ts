import type { Request, Response } from 'express';
import * as activity from '../../../db/accounts/activity.ts';
import { lockOpenAccount } from '../../../db/accounts/open-account.ts';
import { lockRights } from '../../../db/accounts/rights.ts';
import * as factors from '../../../db/accounts/second-factors.ts';
import * as sessions from '../../../db/accounts/sessions.ts';
import * as steps from '../../../db/accounts/sign-in-steps.ts';
import { find, type UserEmail } from '../../../db/accounts/user-emails.ts';
import * as users from '../../../db/accounts/users.ts';
import { inTransaction, type Trx } from '../../../db/postgres/connect.ts';
import { getClientAddress } from '../../http/address.ts';
import { logSecurityEvent } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { toLocalPath } from '../local-path.ts';
import { Refusal } from '../refusal.ts';
import { findSessionId, getSession, setSession } from '../visitors.ts';

/** Proof of identity. The transaction that begins the session or the second step checks the proof. */
interface Proof {
  /** The hash that the typed password matched. Absent for a sign-in without a password. */
  passwordHash?: users.PasswordHash;
  /** Marks a one-time link as used. Throws if the link was used or has expired meanwhile. */
  use?: (trx: Trx) => Promise<unknown>;
}

export function wrongPassword(): Refusal {
  return new Refusal(401, 'Wrong email or password.');
}

/**
 * Signs in a user after the check of a password or link. If the user has a second factor, redirects to the second step.
 */
export async function continueSignIn(
  context: DashboardContext,
  req: Request,
  res: Response,
  userId: number,
  next = '/',
  proof: Proof = {},
): Promise<void> {
  const { cookies } = context;
  const begun = await begin(context, req, userId, { ...proof, stepTo: toLocalPath(next) });
  if ('session' in begun) return finish(context, req, res, begun, next);
  cookies.clear(res, 'session');
  cookies.write(res, 'step', begun.step);
  res.redirect(303, '/sign-in/second');
}

/** Ends the browser's session if there is one. Waits for transactions that rely on the user's rights. */
export async function endSession({ db }: Pick<DashboardContext, 'db'>, req: Request): Promise<void> {
  const session = findSessionRef(req);
  if (!session) return;
  await inTransaction(db, async (trx) => {
    await lockRights(trx, `user ${session.userId}`);
    await sessions.end(trx, session);
  });
}

function findSessionRef(req: Request): sessions.SessionRef | null {
  const sessionId = findSessionId(req);
  return sessionId && { sessionId, userId: getSession(req).userId };
}

/**
 * Begins a session. It always has a new id, because somebody else may know the old id. `continuesIn` is the account of
 * a user who is already signed in; null for a sign-in.
 */
export async function beginSession(
  context: DashboardContext,
  req: Request,
  res: Response,
  userId: number,
  next: string,
  { continuesIn = null, ...proof }: { continuesIn?: number | null } & Proof = {},
): Promise<void> {
  const begun = await begin(context, req, userId, { ...proof, continuesIn, stepTo: null });
  if ('session' in begun) await finish(context, req, res, begun, next);
}

interface Begun {
  session: sessions.SessionId;
  user: UserEmail;
  isSignIn: boolean;
}

/**
 * In one transaction, checks the proof, ends the browser's old session, and begins a session or a second step. A
 * concurrent password reset therefore invalidates the proof or ends the new session. `stepTo` is the page to open after
 * the second step. It is null if the second step is done.
 */
async function begin(
  { db }: DashboardContext,
  req: Request,
  userId: number,
  {
    continuesIn = null,
    passwordHash,
    use,
    stepTo,
  }: Proof & { continuesIn?: number | null; stepTo: string | null },
): Promise<Begun | { step: string }> {
  const before = findSessionRef(req);
  const accountId = continuesIn ?? (await users.findOpenAccount(db, userId));
  const address = getClientAddress(req);
  return inTransaction(db, async (trx) => {
    await lockRights(trx, `user ${userId}`, `user ${before?.userId ?? userId}`);
    // The account is locked before the user, as everywhere (docs/batches.md).
    const openId = accountId !== null && (await lockOpenAccount(trx, accountId)) ? accountId : null;
    const locked = await users.lock(trx, userId);
    if (locked === null) throw new Refusal(403, 'This account is closed. Contact the operator.');
    // Rejects the sign-in if the stored password has changed since it was compared with the typed password.
    if (passwordHash !== undefined && locked.passwordHash !== passwordHash) throw wrongPassword();
    await use?.(trx);
    if (before) await sessions.end(trx, before);
    if (stepTo !== null && (await factors.isRequired(trx, userId)))
      return { step: await steps.begin(trx, userId, stepTo) };
    const user = (await find(trx, userId)) as UserEmail;
    const by = { userId, email: user.email, token: null, address };
    if (continuesIn === null && openId !== null)
      await activity.record(trx, { accountId: openId, what: 'signed_in', by });
    const start = { accountId: openId, address, agent: req.get('user-agent') };
    return { session: await sessions.begin(trx, userId, start), user, isSignIn: continuesIn === null };
  });
}

async function finish(
  context: DashboardContext,
  req: Request,
  res: Response,
  { session, user, isSignIn }: Begun,
  next: string,
): Promise<void> {
  const { cookies, devices, signInAttempts } = context;
  setSession(context, res, session);
  cookies.clear(res, 'visitor');
  const isConfirmed = user.emailConfirmedAt !== null;
  // If the service sends email, an unconfirmed address may belong to somebody else. The browser is then not remembered.
  if (context.mail !== 'smtp' || isConfirmed)
    devices.remember(res, await signInAttempts.hashEmail(user.email));
  if (isSignIn && !isConfirmed && context.mail === 'smtp') askToConfirm(context, res);
  if (isSignIn) logSecurityEvent(context, req, 'signed_in', { userId: user.userId });
  res.redirect(303, next);
}

function askToConfirm(context: DashboardContext, res: Response): void {
  const text = 'Confirm your email address: follow the link in our email, or request a new one in Settings.';
  setFlash(context, res, { tone: 'good', text });
}
