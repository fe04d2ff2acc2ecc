import type { RequestHandler } from 'express';
import { ledgerEntryBody } from '../../db/bodies.ts';
import * as ledger from '../../db/ledger.ts';
import { callerOf } from '../authenticate.ts';
import type { Context } from '../context.ts';
import { pageBody, readPage } from '../pages.ts';

export function creditRoutes({ db, config }: Context) {
  const balance: RequestHandler = async (req, res) => {
    res.json({ credits: await ledger.balance(db, callerOf(req).accountId) });
  };

  const list: RequestHandler = async (req, res) => {
    const { accountId } = callerOf(req);
    const page = readPage(req);
    const total = await ledger.count(db, accountId);
    const entries = await ledger.list(db, accountId, { limit: page.perPage, offset: page.offset });
    res.json(pageBody(config, req, page, { data: entries.map(ledgerEntryBody), total }));
  };

  return { balance, ledger: list };
}
