import type { RequestHandler } from 'express';
import { checkHttpStatus } from '../../checks/http/http-status.ts';
import type { Failed, Outcome } from '../../checks/outcome.ts';
import { Siblings } from '../../checks/page/findings.ts';
import type { ItemRow } from '../../db/items.ts';
import { createAgents } from '../../net/agent.ts';
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
    const { url, follow_redirects: isFollowed = true } = readSingle(req.body);
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
          check: ({ signal }) => checkOne(context, accountId, { url, followRedirects: isFollowed }, signal),
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

/** With a slot of this process, connections of its own, and one more try when the trouble is ours. */
async function checkOne(
  context: Context,
  accountId: number,
  input: { url: string; followRedirects: boolean },
  signal: AbortSignal,
): Promise<Outcome> {
  const { config, policy, resolver, slots, health } = context;
  const host = new URL(input.url.trim()).host;
  const release = await slots.take({ accountId, lane: 0, host, signal });
  if (!release) return unreachable('All checkers were busy.');
  const agents = createAgents({ policy, resolver });
  const { userAgent, timeoutMs } = config.checks;
  const check = () =>
    checkHttpStatus(input, { policy, agents, siblings: new Siblings(), userAgent, timeoutMs, signal });
  try {
    const first = await check();
    const outcome = first.state === 'failed' && first.isRetryable ? await check() : first;
    const isAnswered = outcome.state === 'success' && outcome.answer.status > 0;
    health.observe(host, isAnswered);
    const isSilence = outcome.state === 'success' && outcome.again?.reason === 'silence';
    return isSilence && health.isInDoubt ? unreachable('Our own network seems to be down.') : outcome;
  } finally {
    agents.close();
    release();
  }
}

function unreachable(message: string): Outcome {
  return { state: 'failed', error: 'checker_unreachable', message, isRetryable: true };
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
