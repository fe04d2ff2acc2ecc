import type { RequestHandler } from 'express';
import { changeCreditAlert } from '../../accounts/credit-alert.ts';
import * as alerts from '../../db/ledger/credit-alerts.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { CreditAlertRequest } from '../../schemas/credits.ts';
import { allowanceBody, creditAlertBody, ledgerEntryBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { getActor, getCaller } from '../http/authenticate.ts';
import { entryCursor } from '../http/cursors.ts';
import { FieldErrorCollector } from '../http/errors.ts';
import { answerOnce } from '../http/idempotency.ts';
import { createValidator } from '../http/validate.ts';
import { sendPage } from './lists.ts';
import { readTarget } from './targets.ts';

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

const read = createValidator(CreditAlertRequest);

/** Reads the changes to a credit alert. Throws a 422 that lists up to 50 invalid fields. */
export function readCreditAlert({ policy }: Pick<Context, 'policy'>, body: unknown) {
  const faults = new FieldErrorCollector();
  const { threshold, webhook_url: webhook } = read.collect(body, faults);
  const target = webhook ? readTarget('webhook_url', webhook, policy, faults) : null;
  faults.throwIfAny();
  return { threshold, url: webhook === undefined ? undefined : (target?.asSent ?? null) };
}
