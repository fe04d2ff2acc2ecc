import type { Request, RequestHandler, Response } from 'express';
import { parseEmail } from '../../../accounts/email.ts';
import { type SignUpInput, signUp as signUpAct } from '../../../accounts/sign-up.ts';
import * as sessions from '../../../db/accounts/sessions.ts';
import * as users from '../../../db/accounts/users.ts';
import { inTransaction, type Trx } from '../../../db/postgres/connect.ts';
import { enqueueMail } from '../../../mail/enqueue.ts';
import { getClientAddress, getClientNetwork } from '../../http/address.ts';
import { notFound } from '../../http/errors.ts';
import { logSecurityEvent } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { getForm } from '../forms.ts';
import { toLocalPath } from '../local-path.ts';
import { Refusal, toRefusal } from '../refusal.ts';
import { showPage } from '../render.ts';
import { findSession } from '../visitors.ts';
import { continueSignIn, endSession, wrongPassword } from './begin-session.ts';
import { readEmail, requireAcceptablePassword } from './credentials.ts';

export function signInPages(context: DashboardContext) {
  const { db, config, signInAttempts, cookies, secretBox } = context;
  const confirmationSent = (email: string) => ({
    view: 'mailed',
    title: 'Check your email',
    data: {
      email,
      text: 'We sent you an email. Follow its link within 24 hours to confirm your email address.',
    },
  });

  const showSignIn: RequestHandler = async (req, res) => {
    const next = toLocalPath(req.query.next);
    if (findSession(req)) return res.redirect(303, next);
    await showPage(context, req, res, { view: 'sign-in', title: 'Sign in', data: { next } });
  };

  const signIn: RequestHandler = async (req, res) => {
    const form = getForm(req);
    const email = parseEmail(form.text('email')) ?? form.text('email');
    await withErrors(req, res, 'sign-in', 'Sign in', async () => {
      await signInAttempts.countSignIn(req, email).catch((error) => {
        logSecurityEvent(context, req, 'tries_exhausted');
        throw error;
      });
      const found = await users.findByPassword(db, email, form.raw('password'));
      // The response and the response time are the same for an unknown address and a wrong password.
      if (found === null) {
        logSecurityEvent(context, req, 'sign_in_failed');
        throw wrongPassword();
      }
      await signInAttempts.resetSignIn(req, email);
      await continueSignIn(context, req, res, found.userId, toLocalPath(form.text('next')), found);
    });
  };

  const showSignUp: RequestHandler = async (req, res) => {
    if (!config.signUp.isOpen) throw notFound('Sign-up is closed. Ask the operator for an account.');
    if (findSession(req)) return res.redirect(303, '/');
    const data = { credits: config.signUp.credits };
    await showPage(context, req, res, { view: 'sign-up', title: 'Sign up', data });
  };

  const signUp: RequestHandler = async (req, res) => {
    if (!config.signUp.isOpen) throw notFound('Sign-up is closed. Ask the operator for an account.');
    const form = getForm(req);
    await withErrors(req, res, 'sign-up', 'Sign up', async () => {
      const email = readEmail(form.text('email'));
      const password = form.raw('password');
      requireAcceptablePassword(password, email);
      await signInAttempts.countNewEmail(req);
      const passwordHash = await users.hashPassword(password);
      const userId = await openAccount({
        email,
        passwordHash,
        credits: config.signUp.credits,
        clientAddress: getClientAddress(req),
        network: getClientNetwork(req),
      });
      if (userId !== null) logSecurityEvent(context, req, 'signed_up', { userId });
      // The page is the same for a taken address. The owner of the address gets an email.
      if (context.mail === 'smtp') return showPage(context, req, res, confirmationSent(email));
      await continueSignIn(context, req, res, userId as number, '/', { passwordHash });
    });
  };

  const signOut: RequestHandler = async (req, res) => {
    await endSession(context, req);
    cookies.clear(res, 'session');
    res.redirect(303, '/sign-in');
  };

  /** Signs in with the one-time link that `npm start` prints. */
  const start: RequestHandler = async (req, res) => {
    if (findSession(req)) return res.redirect(303, '/');
    const key = String(req.query.key ?? '');
    const ended = new Refusal(
      403,
      'This link was already used or has expired. Restart Sonde to get a new one.',
    );
    const userId = await sessions.findLink(db, key);
    if (userId === null) throw ended;
    const use = async (trx: Trx) => {
      if ((await sessions.useLink(trx, key)) !== userId) throw ended;
    };
    await continueSignIn(context, req, res, userId, '/', { use });
  };

  /** Opens an account. If the address is taken, emails its owner and returns null, or throws a 422 if mail is off. */
  async function openAccount(stranger: SignUpInput): Promise<number | null> {
    try {
      return await inTransaction(db, (trx) => signUpAct(trx, secretBox, context, stranger));
    } catch (error) {
      if (!(error instanceof users.EmailTakenError)) throw error;
      if (context.mail !== 'smtp')
        throw new Refusal(422, 'This email address is not available. If it is yours, sign in.', {
          field: 'email',
        });
      const taken = { template: 'address_taken', address: stranger.email } as const;
      await inTransaction(db, (trx) => enqueueMail(trx, context, taken));
      return null;
    }
  }

  /** Shows errors at the invalid field or above the form. Typed values stay. */
  async function withErrors(
    req: Request,
    res: Response,
    view: string,
    title: string,
    callback: () => Promise<void>,
  ): Promise<void> {
    try {
      await callback();
    } catch (error) {
      const refusal = toRefusal(error);
      const data = {
        email: getForm(req).text('email'),
        next: toLocalPath(getForm(req).text('next')),
        credits: config.signUp.credits,
        isRateLimited: refusal.status === 429,
      };
      await showPage(context, req, res, { view, title, data, refusal });
    }
  }

  return { showSignIn, signIn, showSignUp, signUp, signOut, start };
}
