import type { RequestHandler } from 'express';
import * as ledger from '../../db/ledger.ts';
import { allowanceBody, ledgerEntryBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { callerOf } from '../http/authenticate.ts';
import { entryCursor } from '../http/cursors.ts';
import { warnInHeader } from '../http/warnings.ts';
import { sendPage } from './lists.ts';

export function creditRoutes({ db, config, allowance }: Context) {
  const balance: RequestHandler = async (req, res) => {
    warnInHeader(req, res);
    res.json({ credits: await ledger.balance(db, callerOf(req).accountId) });
  };

  const list: RequestHandler = async (req, res) => {
    const { accountId } = callerOf(req);
    await sendPage(config, req, res, {
      cursor: entryCursor,
      count: () => ledger.count(db, accountId),
      list: (window) => ledger.list(db, accountId, window),
      toBody: ledgerEntryBody,
    });
  };

  const showAllowance: RequestHandler = async (req, res) => {
    res.json({ success: true, ...allowanceBody(await allowance.state(callerOf(req).accountId)) });
  };

  return { balance, ledger: list, allowance: showAllowance };
}
