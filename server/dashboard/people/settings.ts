import type { Request, RequestHandler, Response } from 'express';
import { closeAccount } from '../../../accounts/close.ts';
import * as accounts from '../../../db/accounts/accounts.ts';
import * as activity from '../../../db/accounts/activity.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import { requireRight } from '../../../db/accounts/rights.ts';
import * as factors from '../../../db/accounts/second-factors.ts';
import * as sessions from '../../../db/accounts/sessions.ts';
import { findByEmail, isConfirmed } from '../../../db/accounts/user-emails.ts';
import * as users from '../../../db/accounts/users.ts';
import type { Trx } from '../../../db/postgres/connect.ts';
import { enqueueMail } from '../../../mail/enqueue.ts';
import { isTimeZone } from '../../../monitors/wall-clock.ts';
import { getClientAddress } from '../../http/address.ts';
import { logSecurityEvent } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { getForm } from '../forms.ts';
import { readLogo, sendLogo } from '../logo.ts';
import { Refusal, toRefusal } from '../refusal.ts';
import { showPage } from '../render.ts';
import { readEmail, requireAcceptablePassword } from '../sign-in/credentials.ts';
import { getAuthorization, getSession, setSession } from '../visitors.ts';
import { listOwnSessions } from './own-sessions.ts';
import { inUserTransaction, requirePassword } from './user-transaction.ts';

export function settingsPages(context: DashboardContext) {
  const { db, signInAttempts, cookies } = context;

  const show: RequestHandler = (req, res) => page(req, res);

  async function page(req: Request, res: Response, refusal?: Refusal): Promise<void> {
    const { userId, accountId, email } = getSession(req);
    const profile = await accounts.findProfile(db, accountId);
    const data = {
      profile: req.path === '/settings/account' ? { ...profile, ...readProfile(req) } : profile,
      email: (refusal && getForm(req).text('email')) || email,
      isPasswordSet: await users.isPasswordSet(db, userId),
      isConfirmed: await isConfirmed(db, userId),
      factors: await factors.find(db, userId),
      sessions: await listOwnSessions(context, req),
    };
    await showPage(context, req, res, { view: 'settings', title: 'Settings', data, refusal });
  }

  /**
   * Changes the password, the email address or both. A new password ends all sessions and begins a new session for this
   * browser.
   */
  const changePassword: RequestHandler = async (req, res) => {
    const { userId, accountId, email: oldEmail } = getSession(req);
    const form = getForm(req);
    await withErrors(req, res, async () => {
      const proof = await requirePassword(context, req, 'password');
      const email = form.text('email') ? readEmail(form.text('email')) : oldEmail;
      const isNewEmail = email !== oldEmail;
      if (!isNewEmail || form.raw('new_password') !== '')
        requireAcceptablePassword(form.raw('new_password'), email, 'new_password');
      if (form.raw('new_password') !== '' && (await isSamePassword(req)))
        throw new Refusal(422, 'This is your current password. Choose another.', { field: 'new_password' });
      if (isNewEmail) await signInAttempts.countNewEmail(req);
      const isMailed = isNewEmail && context.mail === 'smtp';
      if (form.raw('new_password') === '') {
        if (!isMailed) requireAcceptablePassword('', email, 'new_password');
        const isSent = await inUserTransaction(
          context,
          req,
          (trx) => sendNewEmail(trx, userId, email),
          proof,
        );
        if (!isSent) throw mailLimitRefusal();
        setFlash(context, res, { tone: 'good', text: newEmailSent(email) });
        return res.redirect(303, '/settings');
      }
      // The password is hashed before the transaction, because hashing is slow.
      const passwordHash = await users.hashPassword(form.raw('new_password'));
      const change = async (trx: Trx) => {
        await users.setLogin(trx, userId, { email: isMailed ? oldEmail : email, passwordHash });
        await sessions.endAll(trx, userId);
        const address = getClientAddress(req);
        await activity.recordForUser(trx, userId, { what: 'password_changed', address });
        const about = `${oldEmail} to ${email}`;
        if (isNewEmail && !isMailed)
          await activity.recordForUser(trx, userId, { what: 'address_changed', address, about });
        await enqueueMail(trx, context, { template: 'password_changed', userId });
        // The link is sent after the change, because the change revokes earlier links.
        const isSent = isMailed && (await sendNewEmail(trx, userId, email));
        const agent = req.get('user-agent');
        return { isSent, sessionId: await sessions.begin(trx, userId, { accountId, address, agent }) };
      };
      const { isSent, sessionId } = await inUserTransaction(context, req, change, proof);
      logSecurityEvent(context, req, 'password_changed', { userId });
      setSession(context, res, sessionId);
      const emailText = isSent ? newEmailSent(email) : isMailed ? mailLimitRefusal().message : '';
      const text = `Saved. All your other sessions were ended. ${emailText}`.trimEnd();
      setFlash(context, res, { tone: 'good', text });
      res.redirect(303, '/settings');
    });
  };

  /** Changes the name and the time zone that reports of the account show. */
  const changeProfile: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    await withErrors(req, res, async () => {
      const profile = readProfile(req);
      if (profile.timezone !== null && !isTimeZone(profile.timezone))
        throw new Refusal(422, 'This is not a time zone. Example: Europe/Berlin.', { field: 'timezone' });
      await inOpenAccount(db, getAuthorization(req), (trx) =>
        accounts.changeProfile(trx, accountId, profile),
      );
      setFlash(context, res, { tone: 'good', text: 'Saved. Reports show the new name and time zone.' });
      res.redirect(303, '/settings');
    });
  };

  /** Replaces or removes the logo that reports of the account show. */
  const changeLogo: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    const form = getForm(req);
    await withErrors(req, res, async () => {
      const logo = form.text('remove') ? null : await readLogo(form.file('logo'));
      await inOpenAccount(db, getAuthorization(req), (trx) => accounts.setLogo(trx, accountId, logo));
      const text = logo ? 'Saved. Reports show the new logo.' : 'Removed. Reports show no logo.';
      setFlash(context, res, { tone: 'good', text });
      res.redirect(303, '/settings');
    });
  };

  const showLogo: RequestHandler = (req, res) => sendLogo(context, req, res, getSession(req).accountId);

  /**
   * Cancels and refunds open batches, disables the account, and erases personal data and credentials. The ledger stays,
   * because it is append-only and names nobody; results stay until their retention ends.
   */
  const deleteAccount: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    await withErrors(req, res, async () => {
      const proof = await requirePassword(context, req, 'delete_password');
      await closeAccount(db, context, accountId, async (trx) => {
        await requireRight(trx, getAuthorization(req));
        await users.requirePasswordProof(trx, proof);
      });
      logSecurityEvent(context, req, 'account_deleted', { accountId });
      cookies.clear(res, 'session');
      res.redirect(303, '/');
    });
  };

  /**
   * Returns whether the new password equals the current password, which the user has typed and the caller has verified.
   */
  async function isSamePassword(req: Request): Promise<boolean> {
    const form = getForm(req);
    if (!(await users.isPasswordSet(db, getSession(req).userId))) return false;
    return form.raw('new_password').normalize('NFKC') === form.raw('password').normalize('NFKC');
  }

  /**
   * Emails a link to the new address. If the address is taken, its owner gets a notice, but the page is the same.
   * Returns false if the address has reached its daily limit of emails.
   */
  async function sendNewEmail(trx: Trx, userId: number, address: string): Promise<boolean> {
    const isTaken = (await findByEmail(trx, address)) !== null;
    const mailId = await enqueueMail(
      trx,
      context,
      isTaken ? { template: 'address_taken', address } : { template: 'new_email', userId, address },
    );
    return mailId !== null;
  }

  const sendConfirmation: RequestHandler = async (req, res) => {
    const { userId, email } = getSession(req);
    await withErrors(req, res, async () => {
      if (context.mail !== 'smtp') throw new Refusal(403, 'This service does not send email.');
      await signInAttempts.countEmailedLink(req, email);
      const mail = { template: 'confirm', userId, address: email } as const;
      if ((await inUserTransaction(context, req, (trx) => enqueueMail(trx, context, mail))) === null)
        throw mailLimitRefusal();
      setFlash(context, res, { tone: 'good', text: `We sent an email to ${email}.` });
      res.redirect(303, '/settings');
    });
  };

  /** Shows errors at the invalid field or above the forms. Typed values stay. */
  async function withErrors(req: Request, res: Response, callback: () => Promise<void>): Promise<void> {
    try {
      await callback();
    } catch (error) {
      const isTaken = error instanceof users.EmailTakenError;
      await page(req, res, isTaken ? new Refusal(422, error.message, { field: 'email' }) : toRefusal(error));
    }
  }

  return { show, changePassword, sendConfirmation, changeProfile, changeLogo, showLogo, deleteAccount };
}

function readProfile(req: Request): accounts.AccountProfile {
  const form = getForm(req);
  const name = form.text('account_name').slice(0, accounts.accountNameLengthMax).toWellFormed().trim();
  return { name: name || null, timezone: form.text('timezone') || null };
}

function mailLimitRefusal(): Refusal {
  const headers = { 'Retry-After': String(24 * 3600) };
  const message = 'This email address has reached the limit of 5 emails a day. Try again tomorrow.';
  return new Refusal(429, message, { headers });
}

function newEmailSent(email: string): string {
  return `We sent an email to ${email}. Follow its link to sign in with that address.`;
}
