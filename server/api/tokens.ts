import type { RequestHandler } from 'express';
import { createToken, type IssuedToken, requireToken, revokeToken } from '../../accounts/tokens.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import { parseId } from '../../schemas/id.ts';
import { TokenRequest } from '../../schemas/person.ts';
import { tokenBody } from '../../wire/person-bodies.ts';
import type { Context } from '../context.ts';
import { getActor, getCaller } from '../http/authenticate.ts';
import { notFound, validationError } from '../http/errors.ts';
import { answerOnce } from '../http/idempotency.ts';
import { logSecurityEvent } from '../http/security-log.ts';
import { createValidator } from '../http/validate.ts';

const read = createValidator(TokenRequest);

/** Owners can list and revoke all tokens of the account. Other members see only their own tokens. */
export function tokenRoutes(context: Context) {
  const { db } = context;

  const listTokens: RequestHandler = async (req, res) => {
    const { accountId, role, userId } = getCaller(req);
    const mine = role === 'owner' ? undefined : (userId ?? 0);
    res.json({ success: true, data: (await tokens.list(db, accountId, mine)).map(tokenBody) });
  };

  const makeToken: RequestHandler = async (req, res) => {
    const { accountId } = getCaller(req);
    const asked = read(req.body);
    const input = { accountId, name: asked.name.trim(), rights: toRights(asked), by: getActor(req) };
    const made = await answerOnce(context, req, res, {
      run: (trx) => createToken(trx, context, input),
      status: 201,
      toBody: ({ token, summary }: IssuedToken) => ({ token, ...tokenBody(summary) }),
    });
    if (made) logSecurityEvent(context, req, 'token_made', { accountId });
  };

  const revoke: RequestHandler = async (req, res) => {
    const { accountId } = getCaller(req);
    const tokenId = parseId(req.params.token_id);
    if (tokenId === null) throw notFound('No token with this id in your account.');
    const revoked = await answerOnce(context, req, res, {
      prepare: () => requireToken(db, accountId, tokenId),
      revokesFrom: [`token ${tokenId}`],
      run: (trx) => revokeToken(trx, { accountId, tokenId, by: getActor(req) }),
      toBody: tokenBody,
    });
    if (revoked) logSecurityEvent(context, req, 'token_revoked', { accountId, tokenId });
  };

  return { listTokens, makeToken, revokeToken: revoke };
}

function toRights(asked: TokenRequest): tokens.TokenSettings {
  const expiresAt = parseExpiry(asked.expires_at ?? null);
  const creditsPerMonth = asked.credits_per_month ?? null;
  const isTest = asked.is_test ?? false;
  if (isTest && creditsPerMonth !== null) {
    throw validationError({ credits_per_month: ['Test tokens charge nothing and cannot have a limit.'] });
  }
  return { scope: asked.scope ?? 'check', expiresAt, creditsPerMonth, isTest };
}

function parseExpiry(text: string | null): Date | null {
  if (text === null) return null;
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i.test(text);
  const at = new Date(isMoment ? text : Number.NaN);
  if (at.getTime() > Date.now() && at.getUTCFullYear() < 10_000) return at;
  throw validationError({ expires_at: ['Must be a time in the future, such as 2027-01-31T00:00:00Z.'] });
}
