import type { RequestHandler } from 'express';
import { changeCreditAlert } from '../../accounts/credit-alert.ts';
import * as alerts from '../../db/ledger/credit-alerts.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { allowanceBody, creditAlertBody, ledgerEntryBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { getActor, getCaller } from '../http/authenticate.ts';
import { entryCursor } from '../http/cursors.ts';
import { answerOnce } from '../http/idempotency.ts';
import { sendPage } from './lists.ts';
import { readCreditAlert } from './read-credit-alert.ts';

export function creditRoutes(context: Context) {
  const { db, config, allowance } = context;

  const getCredits: RequestHandler = async (req, res) => {
    res.json({ credits: await ledger.balance(db, getCaller(req).accountId) });
  };

  const listLedger: RequestHandler = async (req, res) => {
    const { accountId } = getCaller(req);
    await sendPage(config, req, res, {
      cursor: entryCursor,
      count: () => ledger.count(db, accountId),
      list: (window) => ledger.list(db, accountId, window),
      toBody: ledgerEntryBody,
    });
  };

  const getAllowance: RequestHandler = async (req, res) => {
    res.json({ success: true, ...allowanceBody(await allowance.state(getCaller(req).accountId)) });
  };

  const getCreditAlert: RequestHandler = async (req, res) => {
    res.json({ success: true, ...creditAlertBody(await alerts.find(db, getCaller(req).accountId)) });
  };

  const setCreditAlert: RequestHandler = async (req, res) => {
    const changes = readCreditAlert(context, req.body);
    const { accountId } = getCaller(req);
    await answerOnce(context, req, res, {
      run: (trx) => changeCreditAlert(trx, { ...changes, accountId, by: getActor(req) }),
      toBody: creditAlertBody,
    });
  };

  return { getCredits, listLedger, getAllowance, getCreditAlert, changeCreditAlert: setCreditAlert };
}
