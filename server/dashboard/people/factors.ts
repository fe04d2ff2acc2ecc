import type { Request, RequestHandler, Response } from 'express';
import QRCode from 'qrcode';
import { isEmailUnconfirmed, requireConfirmedEmail } from '../../../accounts/confirmed-email.ts';
import {
  type AddedFactor,
  addPasskey,
  addTotp,
  removeFactor,
  renewRecoveryCodes,
} from '../../../accounts/second-factor.ts';
import * as passkeys from '../../../db/accounts/passkeys.ts';
import * as records from '../../../db/accounts/second-factors.ts';
import * as sessions from '../../../db/accounts/sessions.ts';
import * as users from '../../../db/accounts/users.ts';
import type { Trx } from '../../../db/postgres/connect.ts';
import { getClientAddress } from '../../http/address.ts';
import { logSecurityEvent } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { getForm } from '../forms.ts';
import { Refusal, toRefusal } from '../refusal.ts';
import { showPage } from '../render.ts';
import { registrationOptions, toRelyingParty, verifyNewPasskey } from '../sign-in/passkey.ts';
import { createTotpSecret, findTimeStep, toOtpauthUri } from '../sign-in/totp.ts';
import { getSession, setSession } from '../visitors.ts';
import { inUserTransaction, requirePassword } from './user-transaction.ts';

type NewSession = AddedFactor & { sessionId: sessions.SessionId };

const passkeysMax = 20;
const wrongCode = new Refusal(
  422,
  'This code is wrong or has expired. Enter the current code from your app.',
  { field: 'code' },
);

/** Pages for the second factors of the signed-in user. The password is required to add or remove a factor. */
export function factorPages(context: DashboardContext) {
  const { db, secretBox, signInAttempts, config } = context;
  const relyingParty = toRelyingParty(config.web.baseUrl);

  const show: RequestHandler = (req, res) => page(req, res);

  const beginApp = withErrors(async (req, res) => {
    const { userId, email } = getSession(req);
    await requireConfirmedEmail(db, context, userId, 'add a second factor');
    const proof = await requirePassword(context, req, 'password-app');
    const secret = createTotpSecret();
    if (
      !(await inUserTransaction(
        context,
        req,
        (trx) => records.addUnconfirmedTotp(trx, secretBox, userId, secret),
        proof,
      ))
    )
      throw new Refusal(409, 'You already use an authenticator app. Remove it first.');
    await appPage(req, res, { secret, email });
  });

  const confirmApp = withErrors(async (req, res) => {
    const { userId, email } = getSession(req);
    const totp = await records.findTotp(db, secretBox, userId);
    // The form must contain the key, because only the page after the password prompt shows the key. After a wrong code,
    // that page is shown again.
    const isShown = totp !== null && getForm(req).text('key') === totp.secret;
    if (!isShown || totp.isConfirmed) throw new Refusal(409, 'This page has expired. Start again.');
    await signInAttempts.countSecondFactor(userId);
    const step = findTimeStep(totp.secret, getForm(req).text('code'));
    const added = step === null ? null : await add(req, (trx) => addTotp(trx, context, toPerson(req), step));
    if (!added) return appPage(req, res, { secret: totp.secret, email }, wrongCode);
    await signInAttempts.resetSecondFactor(userId);
    redirectSignedIn(req, res, added);
  });

  const beginPasskey = withErrors(async (req, res) => {
    const { userId, email } = getSession(req);
    await requireConfirmedEmail(db, context, userId, 'add a second factor');
    const proof = await requirePassword(context, req, 'password-passkey');
    const known = await passkeys.list(db, userId);
    if (known.length >= passkeysMax)
      throw new Refusal(409, `You have reached the limit of ${passkeysMax} passkeys. Remove one first.`);
    const options = await registrationOptions(relyingParty, { userId, email }, known);
    await inUserTransaction(
      context,
      req,
      (trx) => passkeys.setChallenge(trx, userId, options.challenge),
      proof,
    );
    const data = { options: JSON.stringify(options), name: readName(req) };
    await showPage(context, req, res, { view: 'add-passkey', title: 'Add a passkey', data });
  });

  const confirmPasskey = withErrors(async (req, res) => {
    const { userId } = getSession(req);
    const challenge = await inUserTransaction(context, req, (trx) => passkeys.redeemChallenge(trx, userId));
    const made =
      challenge && (await verifyNewPasskey(relyingParty, getForm(req).raw('credential'), challenge));
    const passkey = made && { ...made, userId, name: readName(req) };
    const added = passkey && (await add(req, (trx) => addPasskey(trx, context, toPerson(req), passkey)));
    if (!added) throw new Refusal(422, 'The passkey could not be added. Try again.');
    redirectSignedIn(req, res, added);
  });

  const renew = withErrors(async (req, res) => {
    const proof = await requirePassword(context, req, 'password-codes');
    const { userId } = getSession(req);
    if (!(await records.isRequired(db, userId))) throw new Refusal(409, 'Add a second factor first.');
    const recoveryCodes = await inUserTransaction(
      context,
      req,
      (trx) => renewRecoveryCodes(trx, toPerson(req)),
      proof,
    );
    await page(req, res, undefined, { recoveryCodes });
  });

  const remove = withErrors(async (req, res) => {
    const { userId } = getSession(req);
    const which = await readFactor(req);
    const proof = await requirePassword(context, req, `password-${which}`);
    const remove = (trx: Trx) => removeFactor(trx, context, toPerson(req), which);
    if (!(await inUserTransaction(context, req, remove, proof))) throw noSuchFactor();
    logSecurityEvent(context, req, 'factor_removed', { userId });
    setFlash(context, res, { tone: 'good', text: 'Second factor removed.' });
    res.redirect(303, '/settings/second-factor');
  });

  /** Adds a factor. This ends all sessions. Begins a new session for this browser in the same transaction. */
  function add(
    req: Request,
    callback: (trx: Trx) => Promise<AddedFactor | null>,
  ): Promise<NewSession | null> {
    const { userId, accountId } = getSession(req);
    const start = { accountId, address: getClientAddress(req), agent: req.get('user-agent') };
    return inUserTransaction(context, req, async (trx) => {
      const added = await callback(trx);
      return added && { ...added, sessionId: await sessions.begin(trx, userId, start) };
    });
  }

  /** Redirects to the list of factors. The recovery codes are shown there once. */
  function redirectSignedIn(req: Request, res: Response, { recoveryCodes, sessionId }: NewSession): void {
    const { userId } = getSession(req);
    logSecurityEvent(context, req, 'factor_added', { userId });
    const text = 'Second factor added. All your other sessions were ended.';
    const secret = recoveryCodes?.join('  ');
    setFlash(context, res, { tone: 'good', text, ...(secret ? { secret } : {}) });
    setSession(context, res, sessionId);
    res.redirect(303, '/settings/second-factor');
  }

  async function page(req: Request, res: Response, refusal?: Refusal, more: object = {}): Promise<void> {
    const { userId } = getSession(req);
    const isPasswordSet = await users.isPasswordSet(db, userId);
    const data = {
      ...(await records.find(db, userId)),
      isPasswordSet,
      isEmailUnconfirmed: await isEmailUnconfirmed(db, context.mail, userId),
      name: refusal ? getForm(req).text('name') : '',
      ...more,
    };
    await showPage(context, req, res, { view: 'second-factor', title: 'Second factor', data, refusal });
  }

  async function appPage(
    req: Request,
    res: Response,
    { secret, email }: { secret: string; email: string },
    refusal?: Refusal,
  ): Promise<void> {
    const uri = toOtpauthUri(secret, { email, host: new URL(config.web.baseUrl).host });
    const picture = await QRCode.toDataURL(uri, { margin: 2, width: 220 });
    const data = { key: secret, secret: secret.replace(/(.{4})(?=.)/g, '$1 '), picture, uri };
    await showPage(context, req, res, { view: 'add-app', title: 'Add an app', data, refusal });
  }

  /** Returns the factor that the form selects. Throws a 404 if the user has no such factor. */
  async function readFactor(req: Request): Promise<'app' | number> {
    const { hasTotp, passkeys } = await records.find(db, getSession(req).userId);
    const which = getForm(req).text('which');
    if (which === 'app' && hasTotp) return 'app';
    const passkey = passkeys.find(({ passkeyId }) => String(passkeyId) === which);
    if (!passkey) throw noSuchFactor();
    return passkey.passkeyId;
  }

  const toPerson = (req: Request) => ({ userId: getSession(req).userId, address: getClientAddress(req) });

  /** Shows errors on the page of all factors, at the invalid field or above the forms. */
  function withErrors(handler: RequestHandler): RequestHandler {
    return async (req, res, next) => {
      try {
        await handler(req, res, next);
      } catch (error) {
        await page(req, res, toRefusal(error));
      }
    };
  }

  return { show, beginApp, confirmApp, beginPasskey, confirmPasskey, renewCodes: renew, remove };
}

function noSuchFactor(): Refusal {
  return new Refusal(404, 'No second factor with this id.');
}

function readName(req: Request): string {
  return getForm(req).text('name').slice(0, 100).toWellFormed() || 'Passkey';
}
