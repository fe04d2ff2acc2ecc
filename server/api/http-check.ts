import type { RequestHandler } from 'express';
import type { Failed } from '../../checks/outcome.ts';
import type { ItemRow } from '../../db/items.ts';
import { HttpStatusBulkRequest } from '../../schemas/batch.ts';
import { HttpStatusRequest } from '../../schemas/http-status.ts';
import { timestamp } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { callerOf } from '../http/authenticate.ts';
import { type ApiError, tryAgain, validationError } from '../http/errors.ts';
import { answerOnce } from '../http/idempotency.ts';
import { validatorFor } from '../http/validate.ts';
import { unknownFields } from '../http/warnings.ts';
import { acceptUrls } from './accept-urls.ts';
import { runSingleCheck } from './single-check.ts';
import { refuseBadTarget } from './targets.ts';

const readSingle = validatorFor(HttpStatusRequest);
const readBulk = validatorFor(HttpStatusBulkRequest, { list: 'urls', areEntriesJudgedLater: true });

export function httpStatusRoutes(context: Context) {
  const single: RequestHandler = async (req, res) => {
    const { url, follow_redirects: followRedirects = true } = readSingle(req.body);
    refuseBadTarget('url', url, context.policy);
    const { accountId } = callerOf(req);
    await answerOnce(
      context,
      req,
      res,
      (key) =>
        runSingleCheck(context, {
          accountId,
          type: 'http',
          input: { url },
          key,
          check: ({ signal }) => context.http.check({ url, followRedirects }, { accountId, signal }),
          toBody,
          toError,
        }),
      unknownFields(HttpStatusRequest, req.body),
    );
  };

  const bulk: RequestHandler = async (req, res) => {
    const body = readBulk(req.body);
    const options = { follow_redirects: body.follow_redirects ?? true };
    const warnings = unknownFields(HttpStatusBulkRequest, body);
    await acceptUrls(context, req, res, { type: 'http', body, options, warnings });
  };

  return { single, bulk };
}

function toBody(item: ItemRow, creditsRemaining: number): object {
  const { status, is_soft404, ...rest } = item.outcome ?? {};
  return {
    success: true,
    ...item.input,
    status,
    is_soft404,
    request_id: item.requestId,
    checked_at: timestamp(item.checkedAt),
    credits_remaining: creditsRemaining,
    ...rest,
  };
}

function toError({ error, message }: Failed): ApiError {
  if (error === 'target_not_allowed') return validationError({ url: [message] });
  const word = error === 'checker_unreachable' ? error : 'checker_failed';
  return tryAgain(`${message} Nothing was charged. Try again in 5 seconds.`, word);
}
