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

/** When what monitors found is told by mail. */
export function digestRoutes(context: Context) {
  const { db } = context;
  const bodyOf = (digest: digests.Digest) => ({ success: true, ...digestBody(digest) });

  const show: RequestHandler = async (req, res) => {
    res.json(bodyOf(await digests.find(db, callerOf(req).accountId)));
  };

  const change: RequestHandler = async (req, res) => {
    const { accountId } = callerOf(req);
    const wish = readDigest(req.body, await digests.find(db, accountId));
    await answerOnce(context, req, res, {
      act: (trx) => changeDigest(trx, context, { ...wish, accountId, by: actorOf(req) }),
      toReply: (digest) => ({ status: 200, body: bodyOf(digest) }),
      warnings: unknownFields(DigestRequest, req.body),
    });
  };

  return { show, change };
}
