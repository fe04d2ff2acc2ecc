import type { Request, RequestHandler, Response } from 'express';
import * as addresses from '../../../accounts/addresses.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import { hashKey } from '../../../db/accounts/random-key.ts';
import { find } from '../../../db/accounts/user-addresses.ts';
import * as users from '../../../db/accounts/users.ts';
import { findByHash, type LinkPurpose } from '../../../db/notifications/mail-links.ts';
import { inTransaction, type Trx } from '../../../db/postgres/connect.ts';
import { parseLinkToken } from '../../../mail/tokens.ts';
import { addressOf } from '../../http/address.ts';
import { noteSecurity } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { formOf } from '../forms.ts';
import { ownPath } from '../own-path.ts';
import { Refusal, toRefusal } from '../refusal.ts';
import { showPage } from '../render.ts';
import { authorizationAs, sessionIfAny } from '../visitors.ts';
import { enter } from './enter.ts';
import { refusePassword, voidedText } from './people.ts';

interface Following {
  purpose: LinkPurpose;
  action: string;
  title: string;
  text: string;
  button: string;
  asks?: 'new' | 'current';
}

/** A link that is good, and the address that it is for. */
interface Followed {
  token: string;
  userId: number;
  email: string | null;
}

const followings = {
  reset: {
    purpose: 'reset',
    action: '/reset',
    title: 'Choose a new password',
    text: 'Saving it signs you out everywhere; then sign in with the new password.',
    button: 'Save the password',
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
    title: 'Confirm your address',
    text: 'So that nobody opens an account in your name, this takes the password that was chosen for it.',
    button: 'Confirm',
    asks: 'current',
  },
  newEmail: {
    purpose: 'new_email',
    action: '/confirm-email',
    title: 'Confirm your new address',
    text: 'You will sign in with it. We notify your old address.',
    button: 'Confirm',
  },
} as const satisfies Record<string, Following>;

/** Pages of mailed links: GET shows a button, POST acts. */
export function doorPages(context: DashboardContext) {
  const { db, tries, cookies } = context;

  const showLink =
    (following: Following): RequestHandler =>
    async (req, res) => {
      const link = await tokenOf(following, req.query.token);
      await followPage(req, res, following, link);
    };

  async function followPage(
    req: Request,
    res: Response,
    following: Following,
    { token, email, refusal }: Followed & { refusal?: Refusal },
  ): Promise<void> {
    // What is in the address of this page is told to no other.
    res.set('Referrer-Policy', 'no-referrer');
    const data = { ...following, token, email };
    await showPage(context, req, res, { view: 'follow', title: following.title, data, refusal });
  }

  async function tokenOf({ purpose }: Following, given: unknown): Promise<Followed> {
    const token = parseLinkToken(String(given ?? ''));
    const link = token && (await findByHash(db, hashKey(token), purpose));
    if (!token || !link) throw new Refusal(403, new addresses.LinkEndedError().message);
    const email = link.address ?? (await find(db, link.userId))?.email ?? null;
    return { token, userId: link.userId, email };
  }

  /** Shows a refusal at its field or above the form, which keeps the link. */
  const follow =
    (
      following: Following,
      act: (req: Request, res: Response, link: Followed) => Promise<void>,
    ): RequestHandler =>
    async (req, res) => {
      res.set('Referrer-Policy', 'no-referrer');
      const link = await tokenOf(following, formOf(req).text('token'));
      try {
        await act(req, res, link);
      } catch (error) {
        if (error instanceof addresses.LinkEndedError) throw new Refusal(403, error.message);
        const known = error instanceof users.EmailTakenError ? new Refusal(409, error.message) : error;
        await followPage(req, res, following, { ...link, refusal: toRefusal(known) });
      }
    };

  const reset = follow(followings.reset, async (req, res, { token, userId: known, email }) => {
    const password = formOf(req).raw('new_password');
    refusePassword(password, email, 'new_password');
    // Outside of the transaction: it takes a while.
    const passwordHash = await users.hashPassword(password);
    const isOther = !(await users.hasPassword(db, known, password));
    const chosen = { token, from: addressOf(req), passwordHash, isOther };
    const userId = await inTransaction(db, (trx) => addresses.reset(trx, context, chosen));
    noteSecurity(context, req, 'password_reset', { userId });
    cookies.clear(res, 'session');
    setFlash(context, res, {
      tone: 'good',
      text: 'Saved. Every session has ended; sign in with the new password.',
    });
    res.redirect(303, '/sign-in');
  });

  const signInBy = follow(followings.signIn, async (req, res, { token, userId }) => {
    const next = ownPath(decoded(cookies.read(req, 'next')));
    const use = async (trx: Trx) => {
      const { isVoided } = await addresses.signInBy(trx, context, token);
      if (isVoided) setFlash(context, res, { tone: 'good', text: voidedText });
    };
    cookies.clear(res, 'next');
    await enter(context, req, res, userId, next, { use });
  });

  const confirm = follow(followings.confirm, async (req, res, { token, userId }) => {
    // Also asked of a signed-in user: the mailed link may confirm an account that somebody else has opened.
    await tries.password(userId);
    const passwordHash = await users.matchPassword(db, userId, formOf(req).raw('password'));
    if (!passwordHash) {
      noteSecurity(context, req, 'password_refused', { userId });
      const message = 'This is not the password. If it was not you who chose it, take a new one: /forgot.';
      throw new Refusal(403, message, { field: 'password' });
    }
    const session = sessionIfAny(req)?.userId === userId;
    const use = async (trx: Trx) => {
      const keeps = session ? 'everything' : 'password';
      await addresses.confirm(trx, context, token, { keeps, passwordHash });
      setFlash(context, res, { tone: 'good', text: 'Your address is confirmed.' });
    };
    if (session) {
      await inOpenAccount(db, authorizationAs(req, 'viewer'), use, { takesFrom: [`user ${userId}`] });
      res.redirect(303, '/');
    } else await enter(context, req, res, userId, '/', { use, passwordHash });
    noteSecurity(context, req, 'address_confirmed', { userId });
  });

  const confirmEmail = follow(followings.newEmail, async (req, res, { token, userId: known }) => {
    // Otherwise a stranger could have the holder of an address confirm it for the stranger's account.
    if (sessionIfAny(req)?.userId !== known)
      throw new Refusal(403, 'Sign in with your present address first, then open this link again.');
    const change = (trx: Trx) => addresses.changeEmail(trx, context, { token, from: addressOf(req) });
    const takesFrom = [`user ${known}`] as const;
    const userId = await inOpenAccount(db, authorizationAs(req, 'viewer'), change, { takesFrom });
    noteSecurity(context, req, 'address_changed', { userId });
    setFlash(context, res, { tone: 'good', text: 'From now on you sign in with your new address.' });
    res.redirect(303, '/settings');
  });

  return {
    showReset: showLink(followings.reset),
    reset,
    showSignInBy: showLink(followings.signIn),
    signInBy,
    showConfirm: showLink(followings.confirm),
    confirm,
    showConfirmEmail: showLink(followings.newEmail),
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
