import type { Request, RequestHandler, Response } from 'express';
import { isEmailUnconfirmed } from '../../../accounts/confirmed-email.ts';
import { createToken, requireToken, revokeToken } from '../../../accounts/tokens.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import * as tokens from '../../../db/accounts/tokens.ts';
import type { Trx } from '../../../db/postgres/connect.ts';
import { parseId } from '../../../schemas/id.ts';
import { scopes } from '../../../schemas/scopes.ts';
import { dayMs } from '../../api/date-times.ts';
import { notFound } from '../../http/errors.ts';
import { logSecurityEvent } from '../../http/security-log.ts';
import type { DashboardContext } from '../context.ts';
import { setFlash } from '../flash.ts';
import { type Form, getForm } from '../forms.ts';
import { Refusal, toRefusal } from '../refusal.ts';
import { showPage } from '../render.ts';
import { getActor, getAuthorization, getSession } from '../visitors.ts';

const nameLengthMax = 100;
const lifetimes = [30, 90, 365];

export function tokenPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = (req, res) => page(req, res);

  async function page(req: Request, res: Response, refusal?: Refusal): Promise<void> {
    const { accountId, userId, role } = getSession(req);
    // Owners see the tokens of all members.
    const all = await tokens.list(db, accountId, role === 'owner' ? undefined : userId);
    const isEnded = ({ revokedAt, expiresAt }: tokens.TokenSummary) =>
      revokedAt !== null || (expiresAt !== null && expiresAt.getTime() <= Date.now());
    const data = {
      tokens: all.filter((token) => !isEnded(token)),
      revoked: all.filter(isEnded),
      lifetimes,
      isEmailUnconfirmed: await isEmailUnconfirmed(db, context.mail, userId),
      typed: refusal ? readTyped(getForm(req)) : emptyForm,
    };
    await showPage(context, req, res, { view: 'tokens', title: 'Tokens', data, refusal });
  }

  const create: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    try {
      const form = getForm(req);
      const name = readName(form.text('name'));
      if (!name) throw new Refusal(422, 'Give the token a name.', { field: 'name' });
      const order = { accountId, name, rights: readRights(form), by: getActor(req) };
      const { token: secret } = await inOpenAccount(db, getAuthorization(req), (trx) =>
        createToken(trx, context, order),
      );
      logSecurityEvent(context, req, 'token_made', { accountId });
      setFlash(context, res, { tone: 'good', text: `Token “${name}” created.`, secret });
    } catch (error) {
      return page(req, res, toRefusal(error));
    }
    res.redirect(303, '/tokens');
  };

  const revoke: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    const tokenId = readId(req);
    await requireToken(db, accountId, tokenId);
    const revoke = (trx: Trx) => revokeToken(trx, { accountId, tokenId, by: getActor(req) });
    const revoked = await inOpenAccount(db, getAuthorization(req), revoke, {
      revokesFrom: [`token ${tokenId}`],
    });
    logSecurityEvent(context, req, 'token_revoked', { accountId, tokenId });
    const text = `Token “${revoked.name}” revoked. It no longer works.`;
    setFlash(context, res, { tone: 'good', text });
    res.redirect(303, '/tokens');
  };

  return { show, create, revoke };
}

function readId(req: Request): number {
  const tokenId = parseId(req.params.token_id);
  if (tokenId === null) throw notFound('No token with this id in your account.');
  return tokenId;
}

const emptyForm = { name: '', scope: 'manage', isTest: false, days: '', creditsPerMonth: '' };

function readTyped(form: Form): typeof emptyForm {
  return {
    name: form.text('name'),
    scope: form.text('scope'),
    isTest: form.text('is_test') === 'on',
    days: form.text('days'),
    creditsPerMonth: form.text('credits_per_month'),
  };
}

function readRights(form: Form): tokens.TokenSettings {
  const scope = scopes.find((one) => one === (form.text('scope') || 'manage'));
  if (!scope) throw new Refusal(422, `Scope must be one of ${scopes.join(', ')}.`, { field: 'scope' });
  const days = form.text('days');
  if (days !== '' && !lifetimes.includes(Number(days)))
    throw new Refusal(422, 'Choose how long the token is valid.', { field: 'days' });
  const limit = form.text('credits_per_month').replaceAll(/[, ]/g, '');
  if (limit !== '' && !/^[1-9]\d{0,11}$/.test(limit)) {
    throw limitRefusal('Enter a whole number of 1 or more, or leave it empty for no limit.');
  }
  const isTest = form.text('is_test') === 'on';
  if (isTest && limit !== '') throw limitRefusal('A test token is never charged, so it cannot have a limit.');
  return {
    scope,
    isTest,
    expiresAt: days === '' ? null : new Date(Date.now() + Number(days) * dayMs),
    creditsPerMonth: limit === '' ? null : Number(limit),
  };
}

function limitRefusal(message: string): Refusal {
  return new Refusal(422, message, { field: 'credits_per_month' });
}

function readName(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(0, nameLengthMax)
    .toWellFormed()
    .trim();
}
