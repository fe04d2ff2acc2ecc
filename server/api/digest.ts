import type { RequestHandler } from 'express';
import * as digests from '../../db/notifications/digests.ts';
import { changeDigest } from '../../monitors/digest.ts';
import { digestBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { getActor, getCaller } from '../http/authenticate.ts';
import { answerOnce } from '../http/idempotency.ts';
import { readDigest } from './read-digest.ts';

export function digestRoutes(context: Context) {
  const { db } = context;

  const getDigest: RequestHandler = async (req, res) => {
    res.json({ success: true, ...digestBody(await digests.find(db, getCaller(req).accountId)) });
  };

  const setDigest: RequestHandler = async (req, res) => {
    const { accountId } = getCaller(req);
    const changed = readDigest(req.body, await digests.find(db, accountId));
    await answerOnce(context, req, res, {
      run: (trx) => changeDigest(trx, context, { ...changed, accountId, by: getActor(req) }),
      toBody: digestBody,
    });
  };

  return { getDigest, changeDigest: setDigest };
}
