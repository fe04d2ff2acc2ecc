import type { RequestHandler } from 'express';
import * as activity from '../../db/accounts/activity.ts';
import { findSpent } from '../../db/ledger/token-spending.ts';
import { timestamp } from '../../wire/bodies.ts';
import { activityBody } from '../../wire/person-bodies.ts';
import type { Context } from '../context.ts';
import { getCaller } from '../http/authenticate.ts';
import { activityCursor } from '../http/cursors.ts';
import { sendPage } from './lists.ts';

export function meRoutes({ db, config }: Context) {
  const getMe: RequestHandler = async (req, res) => {
    const { accountId, email, role, tokenId, name, scope, expiresAt, creditsPerMonth, isTest } =
      getCaller(req);
    res.json({
      success: true,
      account_id: accountId,
      person: email === null ? null : { email, role },
      token: {
        token_id: tokenId,
        name,
        scope,
        expires_at: expiresAt && timestamp(expiresAt),
        credits_per_month: creditsPerMonth,
        credits_this_month: creditsPerMonth === null ? null : await findSpent(db, tokenId),
        is_test: isTest,
      },
    });
  };

  const listActivity: RequestHandler = async (req, res) => {
    const { accountId } = getCaller(req);
    await sendPage(config, req, res, {
      cursor: activityCursor,
      count: (max) => activity.count(db, accountId, max),
      list: (window) => activity.list(db, accountId, window),
      toBody: activityBody,
    });
  };

  return { getMe, listActivity };
}
