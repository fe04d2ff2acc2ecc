import type { RequestHandler } from 'express';
import * as tokens from '../../db/tokens.ts';
import { notFound } from '../http/errors.ts';
import { noteSecurity } from '../http/security-log.ts';
import type { DashboardContext } from './context.ts';
import { setFlash } from './flash.ts';
import { formOf } from './forms.ts';
import { showPage } from './render.ts';
import { sessionOf } from './visitors.ts';

const nameLengthMax = 100;
const tokensMax = 100;

export function tokenPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const all = await tokens.list(db, sessionOf(req).accountId);
    const data = {
      tokens: all.filter(({ revokedAt }) => revokedAt === null),
      revoked: all.filter(({ revokedAt }) => revokedAt !== null),
    };
    await showPage(context, req, res, { view: 'tokens', title: 'Tokens', data });
  };

  const create: RequestHandler = async (req, res) => {
    const { accountId } = sessionOf(req);
    const name = readName(formOf(req).text('name'));
    const valid = (await tokens.list(db, accountId)).filter(({ revokedAt }) => revokedAt === null);
    if (!name || valid.length >= tokensMax) {
      const text = name ? 'There are 100 tokens. Revoke one first.' : 'Give the token a name.';
      setFlash(context, res, { tone: 'bad', text });
    } else {
      const secret = await tokens.issue(db, accountId, name);
      noteSecurity(context, req, 'token_made', { accountId });
      setFlash(context, res, { tone: 'good', text: `Token “${name}” is ready.`, secret });
    }
    res.redirect(303, '/tokens');
  };

  const revoke: RequestHandler = async (req, res) => {
    const tokenId = Number(req.params.token_id);
    // Only what the account has: another's token answers as one that is not there.
    const own = (await tokens.list(db, sessionOf(req).accountId)).find((token) => token.tokenId === tokenId);
    if (!own) throw notFound('There is no such token in your account.');
    const { accountId } = sessionOf(req);
    await tokens.revoke(db, accountId, tokenId);
    noteSecurity(context, req, 'token_revoked', { accountId, tokenId });
    setFlash(context, res, {
      tone: 'good',
      text: `Token “${own.name}” is revoked. It is not valid any more.`,
    });
    res.redirect(303, '/tokens');
  };

  return { show, create, revoke };
}

function readName(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(0, nameLengthMax)
    .toWellFormed()
    .trim();
}
