import type { RequestHandler } from 'express';
import { itemBody } from '../../db/bodies.ts';
import * as items from '../../db/items.ts';
import * as singleChecks from '../../db/single-checks.ts';
import { IndexBulkRequest } from '../../schemas/batch.ts';
import { IndexCheckRequest } from '../../schemas/check.ts';
import { callerOf } from '../authenticate.ts';
import type { Context } from '../context.ts';
import { ApiError, notFound } from '../errors.ts';
import { refuseWithoutProvider } from '../search-provider.ts';
import { readTargets, refuseBadTarget } from '../targets.ts';
import { validatorFor } from '../validate.ts';

const readSingle = validatorFor(IndexCheckRequest);
const readBulk = validatorFor(IndexBulkRequest, { list: 'urls', areEntriesJudgedLater: true });

export function checkRoutes(context: Context) {
  const single: RequestHandler = async (req) => {
    refuseBadTarget('url', readSingle(req.body).url, context.policy);
    refuseWithoutProvider();
  };

  const bulk: RequestHandler = async (req) => {
    const { urls, dedupe = false, on_invalid: onInvalid = 'reject' } = readBulk(req.body);
    readTargets(urls, { policy: context.policy, dedupe, onInvalid });
    refuseWithoutProvider();
  };

  const find: RequestHandler = async (req, res) => {
    const { accountId } = callerOf(req);
    const requestId = readId(req.params.request_id);
    const item = requestId && (await items.find(context.db, accountId, requestId));
    if (item) {
      res.json({ success: true, type: item.type, batch_id: item.batchId, ...itemBody(item) });
      return;
    }
    if (requestId && (await singleChecks.isInFlight(context.db, { accountId, requestId }))) {
      throw new ApiError(409, 'still_running', 'This check is still running. Ask again in 2 seconds.', {
        headers: { 'Retry-After': '2' },
      });
    }
    throw notFound('No finished check with this id in your account.');
  };

  return { single, bulk, find };
}

function readId(text: string | string[] | undefined): number | null {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
