import type { Request, RequestHandler, Response } from 'express';
import { redeemRecoveryCode } from '../../../accounts/second-factor.ts';
import * as passkeys from '../../../db/accounts/passkeys.ts';
import * as factors from '../../../db/accounts/second-factors.ts';
import * as steps from '../../../db/accounts/sign-in-steps.ts';
import type { Trx } from '../../../db/postgres/connect.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import { getClientAddress } from '../../http/address.ts';
import { logSecurityEvent } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { getForm } from '../forms.ts';
import { Refusal, toRefusal } from '../refusal.ts';
import { showPage } from '../render.ts';
import { beginSession } from './begin-session.ts';
import { authenticationOptions, toRelyingParty, verifyPasskey } from './passkey.ts';
import { findTimeStep } from './totp.ts';

class StepEndedError extends Error {}

const wrongCode = new Refusal(
  401,
  'This code is wrong or was already used. Enter the current code from your app, or an unused recovery code.',
  { field: 'code' },
);

export function secondStepPages(context: DashboardContext) {
  const { db, secretBox, cookies, signInAttempts, config } = context;
  const relyingParty = toRelyingParty(config.web.baseUrl);

  const show: RequestHandler = async (req, res) => {
    const step = await findStep(req);
    if (!step) return res.redirect(303, '/sign-in');
    await page(req, res, step);
  };

  const answer: RequestHandler = async (req, res) => {
    const step = await findStep(req);
    if (!step) return res.redirect(303, '/sign-in');
    const { userId, hash, next } = step;
    try {
      await signInAttempts.countSecondFactor(userId);
      if (!(await isValid(req, step))) {
        logSecurityEvent(context, req, 'factor_refused', { userId });
        if (getForm(req).raw('credential') !== '')
          throw new Refusal(401, 'We could not verify this passkey. Try again.');
        throw wrongCode;
      }
      const use = async (trx: Trx) => {
        // Fails if a concurrent request has used the same code, or if all sessions of the user were ended.
        if (!(await steps.end(trx, hash))) throw new StepEndedError();
        cookies.clear(res, 'step');
      };
      await beginSession(context, req, res, userId, next, { use });
      await signInAttempts.resetSecondFactor(userId);
    } catch (error) {
      if (error instanceof StepEndedError) return res.redirect(303, '/sign-in');
      await page(req, res, step, toRefusal(error));
    }
  };

  async function isValid(req: Request, step: steps.SignInStep): Promise<boolean> {
    const { userId } = step;
    const form = getForm(req);
    if (form.raw('credential') !== '') return checkPasskey(form.raw('credential'), step);
    const code = form.text('code');
    const totp = await factors.findTotp(db, secretBox, userId);
    const period = totp?.isConfirmed ? findTimeStep(totp.secret, code) : null;
    if (period !== null) return factors.useTotpStep(db, userId, period);
    const isRecovered = await inTransaction(db, (trx) =>
      redeemRecoveryCode(trx, context, { userId, address: getClientAddress(req) }, code),
    );
    if (isRecovered) logSecurityEvent(context, req, 'recovery_code_used', { userId });
    return isRecovered;
  }

  async function checkPasskey(credential: string, { userId, challenge }: steps.SignInStep): Promise<boolean> {
    if (challenge === null) return false;
    const verified = await verifyPasskey(
      relyingParty,
      credential,
      challenge,
      await passkeys.list(db, userId),
    );
    return verified !== null && passkeys.recordUse(db, verified.passkeyId, verified.counter);
  }

  function findStep(req: Request): Promise<steps.SignInStep | null> {
    return steps.find(db, cookies.read(req, 'step') ?? '');
  }

  /** Shows the page. Each page has a new challenge for the passkeys. */
  async function page(
    req: Request,
    res: Response,
    { userId, hash }: steps.SignInStep,
    refusal?: Refusal,
  ): Promise<void> {
    const known = await passkeys.list(db, userId);
    const options = known.length > 0 ? await authenticationOptions(relyingParty, known) : null;
    if (options) await steps.setChallenge(db, hash, options.challenge);
    const { hasTotp } = await factors.find(db, userId);
    const data = { hasTotp, options: options && JSON.stringify(options) };
    await showPage(context, req, res, { view: 'second-step', title: 'Second factor', data, refusal });
  }

  return { show, answer };
}
