import type { Request, RequestHandler, Response } from 'express';
import * as addresses from '../../../accounts/email-links.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import { hashKey } from '../../../db/accounts/random-key.ts';
import { find } from '../../../db/accounts/user-emails.ts';
import * as users from '../../../db/accounts/users.ts';
import { findByHash, type LinkPurpose } from '../../../db/notifications/mail-links.ts';
import { inTransaction, type Trx } from '../../../db/postgres/connect.ts';
import { parseLinkToken } from '../../../mail/tokens.ts';
import { getClientAddress } from '../../http/address.ts';
import { logSecurityEvent } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { getForm } from '../forms.ts';
import { toLocalPath } from '../local-path.ts';
import { Refusal, toRefusal } from '../refusal.ts';
import { showPage } from '../render.ts';
import { createAuthorization, findSession } from '../visitors.ts';
import { continueSignIn } from './begin-session.ts';
import { credentialsRemovedText, requireAcceptablePassword } from './credentials.ts';

interface LinkPage {
  purpose: LinkPurpose;
  action: string;
  title: string;
  text: string;
  button: string;
  asks?: 'new' | 'current';
}

interface ValidLink {
  token: string;
  userId: number;
  email: string | null;
}

const pages = {
  reset: {
    purpose: 'reset',
    action: '/reset',
    title: 'Choose a new password',
    text: 'The new password ends all your sessions. You then sign in again.',
    button: 'Save password',
    asks: 'new',
  },
  signIn: {
    purpose: 'sign_in',
    action: '/sign-in/link/follow',
    title: 'Sign in',
    text: 'The link works once.',
    button: 'Sign in',
  },
  confirm: {
    purpose: 'confirm',
    action: '/confirm',
    title: 'Confirm your email address',
    text: 'Enter the password of this account, to show that you created the account.',
    button: 'Confirm',
    asks: 'current',
  },
  newEmail: {
    purpose: 'new_email',
    action: '/confirm-email',
    title: 'Confirm your new email address',
    text: 'You will sign in with this address. We notify your old address.',
    button: 'Confirm',
  },
} as const satisfies Record<string, LinkPage>;

/** Pages of emailed links. GET only shows a button, because mail scanners follow links. POST uses the link. */
export function emailLinkPages(context: DashboardContext) {
  const { db, signInAttempts, cookies } = context;

  const showLink =
    (page: LinkPage): RequestHandler =>
    async (req, res) => {
      const link = await requireLink(page, req.query.token);
      await showForm(req, res, page, link);
    };

  async function showForm(
    req: Request,
    res: Response,
    page: LinkPage,
    { token, email, refusal }: ValidLink & { refusal?: Refusal },
  ): Promise<void> {
    // The URL contains the token, which must not reach other sites.
    res.set('Referrer-Policy', 'no-referrer');
    const data = { ...page, token, email };
    await showPage(context, req, res, { view: 'follow', title: page.title, data, refusal });
  }

  async function requireLink({ purpose }: LinkPage, given: unknown): Promise<ValidLink> {
    const token = parseLinkToken(String(given ?? ''));
    const link = token && (await findByHash(db, hashKey(token), purpose));
    if (!token || !link) throw new Refusal(403, new addresses.InvalidLinkError(purpose).message);
    const email = link.address ?? (await find(db, link.userId))?.email ?? null;
    return { token, userId: link.userId, email };
  }

  /** Runs `callback`. Shows an error at the invalid field or above the form. The form still has the link's token. */
  const handle =
    (
      page: LinkPage,
      callback: (req: Request, res: Response, link: ValidLink) => Promise<void>,
    ): RequestHandler =>
    async (req, res) => {
      res.set('Referrer-Policy', 'no-referrer');
      const link = await requireLink(page, getForm(req).text('token'));
      try {
        await callback(req, res, link);
      } catch (error) {
        if (error instanceof addresses.InvalidLinkError) throw new Refusal(403, error.message);
        const known = error instanceof users.EmailTakenError ? new Refusal(409, error.message) : error;
        await showForm(req, res, page, { ...link, refusal: toRefusal(known) });
      }
    };

  const reset = handle(pages.reset, async (req, res, { token, userId: known, email }) => {
    const password = getForm(req).raw('new_password');
    requireAcceptablePassword(password, email, 'new_password');
    // The password is hashed before the transaction, because hashing is slow.
    const passwordHash = await users.hashPassword(password);
    const isOther = (await users.matchPassword(db, known, password)) === null;
    const chosen = { token, from: getClientAddress(req), passwordHash, isOther };
    const userId = await inTransaction(db, (trx) => addresses.resetPasswordByLink(trx, context, chosen));
    logSecurityEvent(context, req, 'password_reset', { userId });
    cookies.clear(res, 'session');
    setFlash(context, res, {
      tone: 'good',
      text: 'Password saved. All sessions were ended. Sign in with the new password.',
    });
    res.redirect(303, '/sign-in');
  });

  const signInBy = handle(pages.signIn, async (req, res, { token, userId }) => {
    const next = toLocalPath(decoded(cookies.read(req, 'next')));
    const use = async (trx: Trx) => {
      const { areCredentialsRevoked } = await addresses.signInByLink(trx, context, token);
      if (areCredentialsRevoked) setFlash(context, res, { tone: 'good', text: credentialsRemovedText });
    };
    cookies.clear(res, 'next');
    await continueSignIn(context, req, res, userId, next, { use });
  });

  const confirm = handle(pages.confirm, async (req, res, { token, userId }) => {
    // A signed-in user must also type the password, because somebody else may have created the account with this
    // address.
    await signInAttempts.countPassword(userId);
    const passwordHash = await users.matchPassword(db, userId, getForm(req).raw('password'));
    if (!passwordHash) {
      logSecurityEvent(context, req, 'password_refused', { userId });
      const message =
        'Wrong password. If you never chose a password, choose one with “Forgot your password?” on the sign-in page.';
      throw new Refusal(403, message, { field: 'password' });
    }
    const session = findSession(req)?.userId === userId;
    const use = async (trx: Trx) => {
      const keeps = session ? 'everything' : 'password';
      await addresses.confirmByLink(trx, context, token, { kept: keeps, passwordHash });
      setFlash(context, res, { tone: 'good', text: 'Your email address is confirmed.' });
    };
    if (session) {
      await inOpenAccount(db, createAuthorization(req, 'viewer'), use, { revokesFrom: [`user ${userId}`] });
      res.redirect(303, '/');
    } else await continueSignIn(context, req, res, userId, '/', { use, passwordHash });
    logSecurityEvent(context, req, 'address_confirmed', { userId });
  });

  const confirmEmail = handle(pages.newEmail, async (req, res, { token, userId: known }) => {
    // Requires the session of this user. Otherwise, the owner of the new address could confirm it for another person's
    // account.
    if (findSession(req)?.userId !== known)
      throw new Refusal(403, 'Sign in with your current email address first, then open this link again.');
    const change = (trx: Trx) =>
      addresses.changeEmailByLink(trx, context, { token, from: getClientAddress(req) });
    const revokesFrom = [`user ${known}`] as const;
    const userId = await inOpenAccount(db, createAuthorization(req, 'viewer'), change, { revokesFrom });
    logSecurityEvent(context, req, 'address_changed', { userId });
    setFlash(context, res, { tone: 'good', text: 'Email address changed. Use it from now on to sign in.' });
    res.redirect(303, '/settings');
  });

  return {
    showReset: showLink(pages.reset),
    reset,
    showSignInBy: showLink(pages.signIn),
    signInBy,
    showConfirm: showLink(pages.confirm),
    confirm,
    showConfirmEmail: showLink(pages.newEmail),
    confirmEmail,
  };
}

function decoded(text: string | null): string {
  try {
    return decodeURIComponent(text ?? '');
  } catch {
    return '';
  }
}
