import type { Request, RequestHandler, Response } from 'express';
import { open } from '../../accounts/open.ts';
import { perform } from '../../db/act.ts';
import * as sessions from '../../db/sessions.ts';
import * as users from '../../db/users.ts';
import { addressOf } from '../http/address.ts';
import { notFound } from '../http/errors.ts';
import { noteSecurity } from '../http/security-log.ts';
import type { DashboardContext } from './context.ts';
import { formOf } from './forms.ts';
import { readEmail, refusePassword } from './people.ts';
import { Refusal, toRefusal } from './refusal.ts';
import { showPage } from './render.ts';
import { sessionIdOf, sessionIfAny } from './visitors.ts';

/** Signing up, in and out. */
export function entrancePages(context: DashboardContext) {
  const { db, config, tries, cookies, box } = context;

  const showSignIn: RequestHandler = async (req, res) => {
    const next = ownPath(req.query.next);
    if (sessionIfAny(req)) return res.redirect(303, next);
    await showPage(context, req, res, { view: 'sign-in', title: 'Sign in', data: { next } });
  };

  const signIn: RequestHandler = async (req, res) => {
    const form = formOf(req);
    const email = form.text('email');
    await withForm(req, res, 'sign-in', 'Sign in', async () => {
      await tries.signIn(req, email).catch((error) => {
        noteSecurity(context, req, 'tries_exhausted');
        throw error;
      });
      const userId = await users.authenticate(db, email, form.raw('password'));
      // The same for an unknown address and a wrong password, and after the same time.
      if (userId === null) {
        noteSecurity(context, req, 'sign_in_failed');
        throw new Refusal(401, 'Email or password is not right.');
      }
      await tries.forget(req, email);
      await enter(req, res, userId, ownPath(form.text('next')));
    });
  };

  const showSignUp: RequestHandler = async (req, res) => {
    if (!config.signUp.isOpen) throw notFound('This service opens accounts by its operator only.');
    if (sessionIfAny(req)) return res.redirect(303, '/');
    const data = { credits: config.signUp.credits };
    await showPage(context, req, res, { view: 'sign-up', title: 'Sign up', data });
  };

  const signUp: RequestHandler = async (req, res) => {
    if (!config.signUp.isOpen) throw notFound('This service opens accounts by its operator only.');
    const form = formOf(req);
    await withForm(req, res, 'sign-up', 'Sign up', async () => {
      const email = readEmail(form.text('email'));
      const password = form.raw('password');
      refusePassword(password);
      await tries.newEmail(req);
      const userId = await openAccount(email, password);
      noteSecurity(context, req, 'signed_up', { userId });
      await enter(req, res, userId);
    });
  };

  const signOut: RequestHandler = async (req, res) => {
    const sessionId = sessionIdOf(req);
    if (sessionId) await sessions.end(db, sessionId);
    cookies.clear(res, 'session');
    res.redirect(303, '/sign-in');
  };

  /** A link that whoever starts the service is shown; it works once. */
  const start: RequestHandler = async (req, res) => {
    if (sessionIfAny(req)) return res.redirect(303, '/');
    const userId = await sessions.useLink(db, String(req.query.key ?? ''));
    if (userId === null) {
      throw new Refusal(403, 'This link was used before or is too old. Each start prints a new one.');
    }
    await enter(req, res, userId);
  };

  async function openAccount(email: string, password: string): Promise<number> {
    const passwordHash = await users.hashPassword(password);
    try {
      const credits = { amount: config.signUp.credits, note: 'sign-up' };
      const account = { user: { email, passwordHash }, credits, tokenName: null };
      const { userId } = await perform(db, open(box, account));
      return userId as number;
    } catch (error) {
      if (!(error instanceof users.EmailTakenError)) throw error;
      throw new Refusal(422, 'This address cannot be used. If it is yours, sign in.');
    }
  }

  /** A new session id at every sign-in: one that somebody else may know is worth nothing. */
  async function enter(req: Request, res: Response, userId: number, next = '/'): Promise<void> {
    const before = sessionIdOf(req);
    if (before) await sessions.end(db, before);
    const sessionId = await sessions.begin(db, userId, {
      accountId: await users.openAccountOf(db, userId),
      address: addressOf(req),
      agent: req.get('user-agent'),
    });
    cookies.write(res, 'session', sessionId, sessions.sessionLife.absoluteDays * 24 * 3600);
    cookies.clear(res, 'visitor');
    noteSecurity(context, req, 'signed_in', { userId });
    res.redirect(303, next);
  }

  /** What does not fit is said above the form, with what was typed still in it. */
  async function withForm(
    req: Request,
    res: Response,
    view: string,
    title: string,
    act: () => Promise<void>,
  ): Promise<void> {
    try {
      await act();
    } catch (error) {
      const refusal = toRefusal(error);
      const data = {
        problem: refusal.message,
        email: formOf(req).text('email'),
        next: ownPath(formOf(req).text('next')),
        credits: config.signUp.credits,
      };
      res.set(refusal.headers);
      await showPage(context, req, res, { view, title, data, status: refusal.status });
    }
  }

  return { showSignIn, signIn, showSignUp, signUp, signOut, start };
}

/** A path of this site, as it was asked for; the first page for anything that leads elsewhere. */
function ownPath(value: unknown): string {
  const base = 'http://page.invalid';
  const url = typeof value === 'string' && value.startsWith('/') ? URL.parse(value, base) : null;
  return url?.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
