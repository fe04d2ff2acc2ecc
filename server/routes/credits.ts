import type { RequestHandler } from 'express';
import { ledgerEntryBody } from '../../db/bodies.ts';
import * as ledger from '../../db/ledger.ts';
import { callerOf } from '../authenticate.ts';
import type { Context } from '../context.ts';
import { entryCursor } from '../cursors.ts';
import { sendPage } from '../pages.ts';

export function creditRoutes({ db, config }: Context) {
  const balance: RequestHandler = async (req, res) => {
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

  return { balance, ledger: list };
}
