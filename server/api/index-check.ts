import type { RequestHandler } from 'express';
import { checkIndex } from '../../checks/search/index-check.ts';
import type { ItemRow } from '../../db/items.ts';
import { IndexBulkRequest } from '../../schemas/batch.ts';
import { IndexCheckRequest } from '../../schemas/check.ts';
import { timestamp } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { callerOf } from '../http/authenticate.ts';
import { answerOnce } from '../http/idempotency.ts';
import { validatorFor } from '../http/validate.ts';
import { unknownFields } from '../http/warnings.ts';
import { acceptUrls } from './accept-urls.ts';
import { searchError } from './search-errors.ts';
import { runSingleCheck } from './single-check.ts';
import { refuseBadTarget } from './targets.ts';

const readSingle = validatorFor(IndexCheckRequest);
const readBulk = validatorFor(IndexBulkRequest, { list: 'urls', areEntriesJudgedLater: true });

export function checkRoutes(context: Context) {
  const single: RequestHandler = async (req, res) => {
    const { url } = readSingle(req.body);
    refuseBadTarget('url', url, context.policy);
    await answerOnce(
      context,
      req,
      res,
      (key) =>
        runSingleCheck(context, {
          accountId: callerOf(req).accountId,
          type: 'index',
          input: { url },
          key,
          check: (asking) => checkIndex(url, context.search, asking),
          toBody,
          toError: searchError,
        }),
      unknownFields(IndexCheckRequest, req.body),
    );
  };

  const bulk: RequestHandler = async (req, res) => {
    const body = readBulk(req.body);
    const warnings = unknownFields(IndexBulkRequest, body);
    await acceptUrls(context, req, res, { type: 'index', body, options: {}, warnings });
  };

  return { single, bulk };
}

function toBody(item: ItemRow, creditsRemaining: number): object {
  const { is_indexed, engine, ...rest } = item.outcome ?? {};
  return {
    success: true,
    ...item.input,
    is_indexed,
    engine,
    request_id: item.requestId,
    checked_at: timestamp(item.checkedAt),
    credits_remaining: creditsRemaining,
    ...rest,
  };
}
