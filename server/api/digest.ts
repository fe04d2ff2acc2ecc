import type { RequestHandler } from 'express';
import * as digests from '../../db/notifications/digests.ts';
import { changeDigest } from '../../monitors/digest.ts';
import { DigestRequest } from '../../schemas/digest.ts';
import { digestBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { actorOf, callerOf } from '../http/authenticate.ts';
import { answerOnce } from '../http/idempotency.ts';
import { unknownFields } from '../http/warnings.ts';
import { readDigest } from './read-digest.ts';

export function digestRoutes(context: Context) {
  const { db } = context;
  const toBody = (digest: digests.Digest) => ({ success: true, ...digestBody(digest) });

  const show: RequestHandler = async (req, res) => {
    res.json(toBody(await digests.find(db, callerOf(req).accountId)));
  };

  const change: RequestHandler = async (req, res) => {
    const { accountId } = callerOf(req);
    const changed = readDigest(req.body, await digests.find(db, accountId));
    await answerOnce(context, req, res, {
      act: (trx) => changeDigest(trx, context, { ...changed, accountId, by: actorOf(req) }),
      toReply: (digest) => ({ status: 200, body: toBody(digest) }),
      warnings: unknownFields(DigestRequest, req.body),
    });
  };

  return { show, change };
}
