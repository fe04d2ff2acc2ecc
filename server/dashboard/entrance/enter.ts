import type { Request, Response } from 'express';
import * as activity from '../../../db/accounts/activity.ts';
import { hold } from '../../../db/accounts/open-account.ts';
import { lockRights } from '../../../db/accounts/rights.ts';
import * as factors from '../../../db/accounts/second-factors.ts';
import * as sessions from '../../../db/accounts/sessions.ts';
import * as steps from '../../../db/accounts/sign-in-steps.ts';
import { find } from '../../../db/accounts/user-addresses.ts';
import * as users from '../../../db/accounts/users.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import { addressOf } from '../../http/address.ts';
import { noteSecurity } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { ownPath } from '../own-path.ts';
import { Refusal } from '../refusal.ts';
import { sessionIdOf, sessionOf } from '../visitors.ts';

interface EnteredBy {
  /** The hash that the typed password matched; missing where none was typed. */
  passwordHash?: users.PasswordHash;
}

export function wrongPassword(): Refusal {
  return new Refusal(401, 'Email or password is not right.');
}

/**
 * Lets in whose password or link was right, by way of their second factor where they have one, and leads on to the
 * page that was wanted.
 */
export async function enter(
  context: DashboardContext,
  req: Request,
  res: Response,
  userId: number,
  next = '/',
  by: EnteredBy = {},
): Promise<void> {
  const { db, cookies } = context;
  if (!(await factors.isAskedFor(db, userId))) return beginSession(context, req, res, userId, next, by);
  await endSession(context, req);
  cookies.clear(res, 'session');
  cookies.write(res, 'step', await steps.begin(db, userId, ownPath(next)));
  res.redirect(303, '/sign-in/second');
}

/** Ends the session of a browser, if it has one, once what is being done in it is done. */
export async function endSession({ db }: Pick<DashboardContext, 'db'>, req: Request): Promise<void> {
  const sessionId = sessionIdOf(req);
  if (!sessionId) return;
  await inTransaction(db, async (trx) => {
    await lockRights(trx, `user ${sessionOf(req).userId}`);
    await sessions.end(trx, sessionId);
  });
}

/**
 * A new session id at every sign-in: one that somebody else may know is worth nothing. `goingOnIn`: the account of a
 * session that goes on under another id, which is no sign-in; null at one.
 */
export async function beginSession(
  context: DashboardContext,
  req: Request,
  res: Response,
  userId: number,
  next: string,
  { goingOnIn = null, passwordHash }: { goingOnIn?: number | null } & EnteredBy = {},
): Promise<void> {
  const { db, cookies, devices, tries } = context;
  await endSession(context, req);
  const user = await find(db, userId);
  const accountId = goingOnIn ?? (await users.openAccountOf(db, userId));
  const address = addressOf(req);
  const sessionId = await inTransaction(db, async (trx) => {
    const by = { userId, email: user?.email ?? null, token: null, address };
    // The account before the user, as everywhere (docs/batches.md).
    const openId = accountId !== null && (await hold(trx, accountId)) ? accountId : null;
    const locked = await users.lock(trx, userId);
    if (locked === null) throw new Refusal(403, 'This account is closed.');
    // The password was changed while the typed one was compared, which ended every session.
    if (passwordHash !== undefined && locked.passwordHash !== passwordHash) throw wrongPassword();
    if (goingOnIn === null && openId !== null)
      await activity.note(trx, { accountId: openId, what: 'signed_in', by });
    return sessions.begin(trx, userId, { accountId: openId, address, agent: req.get('user-agent') });
  });
  cookies.write(res, 'session', sessionId, sessions.sessionLife.absoluteDays * 24 * 3600);
  cookies.clear(res, 'visitor');
  // Whose address is not proved may have signed up with somebody else's.
  const isProved = context.mail !== 'smtp' || (user?.emailConfirmedAt ?? null) !== null;
  if (user && isProved) devices.remember(res, await tries.keyOf(user.email));
  if (user && goingOnIn === null && !user.emailConfirmedAt && context.mail === 'smtp')
    askToConfirm(context, res);
  if (goingOnIn === null) noteSecurity(context, req, 'signed_in', { userId });
  res.redirect(303, next);
}

function askToConfirm(context: DashboardContext, res: Response): void {
  const text =
    'Your address is not confirmed yet: follow the link in our mail, or have it sent again in Settings.';
  setFlash(context, res, { tone: 'good', text });
}
