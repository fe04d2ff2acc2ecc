import type { Request, Response } from 'express';
import { type CheckCost, costOfAttempt, countStoredRows, unbilledByRefund } from '../../accounts/unbilled.ts';
import * as singleCheck from '../../batches/single-check.ts';
import { type Failed, type Outcome, toStoredOutcome } from '../../checks/outcome.ts';
import { deadlines } from '../../config/deadlines.ts';
import { inOpenAccount } from '../../db/accounts/open-account.ts';
import type { Authorization } from '../../db/accounts/rights.ts';
import type { SingleCheck } from '../../db/batches/single-checks.ts';
import { inTransaction, type Trx } from '../../db/postgres/connect.ts';
import { ApiError } from '../../process/api-error.ts';
import type { AnswerOf, CheckType, InputOf, OptionsOf } from '../../schemas/check-types.ts';
import { failures } from '../../schemas/failures.ts';
import { answerBody, timestamp } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { getCaller } from '../http/authenticate.ts';
import { validationError } from '../http/errors.ts';
import {
  answerUnlessStored,
  claimKey,
  type IdempotencyKey,
  type IdempotentResult,
  storeAnswer,
} from '../http/idempotency.ts';
import { serializeReply } from '../http/reply.ts';
import { unknownFieldWarnings } from '../http/warnings.ts';
import { releaseParsingSlot } from '../limits/slots.ts';
import { readInclude } from './parameters.ts';
import { getRequestDeps } from './request-deps.ts';

export interface SingleRequest<T extends CheckType> {
  type: T;
  input: InputOf<T>;
  options: OptionsOf<T>;
  /** Field of the request that contains the target, for errors. */
  field: string;
  warnings?: string[];
}

interface CallerRequest<T extends CheckType> extends SingleRequest<T> {
  evidence: boolean;
  isTest: boolean;
}

/**
 * Answers one check, once per Idempotency-Key. One transaction charges the check. After the check, another transaction
 * records the answer or refunds the check. If the process dies between both transactions, the sweep refunds the check.
 * If the client disconnects, the check continues.
 */
export async function answerSingle<T extends CheckType>(
  context: Context,
  req: Request,
  res: Response,
  request: SingleRequest<T>,
): Promise<void> {
  releaseParsingSlot(res);
  const { isTest } = getCaller(req);
  const { evidence } = readInclude(req);
  const warnings = [...(request.warnings ?? []), ...unknownFieldWarnings(req)];
  const asked = { ...request, evidence, isTest, warnings };
  await answerUnlessStored(context, req, res, (authorization, key) =>
    checkNow(getRequestDeps(context, req), authorization, key, asked),
  );
}

async function checkNow<T extends CheckType>(
  context: ReturnType<typeof getRequestDeps>,
  authorization: Authorization,
  key: IdempotencyKey | null,
  request: CallerRequest<T>,
): Promise<IdempotentResult<SingleCheck>> {
  const { accountId } = authorization;
  const { type, input, field, warnings, evidence, isTest } = request;
  const { db, secretBox, allowance, engines, metrics, failPoint } = context;
  const startedMs = performance.now();
  const deadlineMs = startedMs + deadlines.singleCheckMs;
  const check = { accountId, requestId: await context.requestIds.reserve(1), type, input, isTest };

  const charge = async (trx: Trx) => {
    if (key) await claimKey(trx, key, check.requestId);
    await singleCheck.beginCheck(trx, context, check);
    // A check with a test token is not charged. Its stored rows are unbilled work.
    if (isTest) await allowance.recordUnbilled(trx, accountId, { keptRows: countStoredRows([input]) });
  };
  await context.acceptanceLimit.run(accountId, () => inOpenAccount(db, authorization, charge));
  failPoint('after_charge');

  const timeout = AbortSignal.timeout(Math.max(0, Math.floor(deadlineMs - performance.now())));
  const signal = AbortSignal.any([timeout, context.stopping]);
  const cost = { pages: 0 };
  const outcome = await catchFailure(engines[type].check(request, { accountId, signal, deadlineMs, cost }));
  if (!isTest) metrics.checks.inc({ type, state: outcome.state });
  if (outcome.state === 'failed') {
    const spent = costOfAttempt({ ...(outcome.cost ?? cost), ms: performance.now() - startedMs });
    if (!isTest) await countRefunded(context, check, outcome, spent);
    return refund(context, check, outcome, field);
  }

  const answer = toStoredOutcome<AnswerOf>(outcome, input);
  const toReply = ({ credits, now }: { credits: number; now: Date }) => {
    const body = {
      success: true,
      ...input,
      ...answerBody(answer.outcome, { evidence, results: answer.results, overview: answer.overview }),
      request_id: check.requestId,
      checked_at: timestamp(now),
      credits_remaining: credits,
    };
    return serializeReply({ status: 200, body }, warnings);
  };
  const reply = key
    ? await inTransaction(db, async (trx) => {
        // `recordAnswer` throws if the check is already settled. The key may then belong to another request.
        const answered = toReply(await singleCheck.recordAnswer(trx, check, answer));
        await storeAnswer(trx, secretBox, key, answered);
        return answered;
      })
    : toReply(await singleCheck.recordAnswer(db, check, answer));
  failPoint('before_answer');
  return { result: check, reply };
}

async function catchFailure<A extends object>(check: Promise<Outcome<A>>): Promise<Outcome<A>> {
  try {
    return await check;
  } catch (cause) {
    return { state: 'failed', error: 'checker_failed', isRetryable: true, cause };
  }
}

async function countRefunded(
  { db, allowance, http, log }: Context,
  { accountId, input }: SingleCheck,
  { error }: Failed,
  spent: CheckCost,
): Promise<void> {
  const work = unbilledByRefund({ error, input }, spent, await http.isInDoubt());
  try {
    await allowance.recordUnbilled(db, accountId, work);
  } catch (trouble) {
    log.warn('The unbilled work of a refunded check could not be counted', { accountId, error: trouble });
  }
}

async function refund(context: Context, check: SingleCheck, failure: Failed, field: string): Promise<never> {
  const { accountId, requestId: checkId } = check;
  if (failure.cause) context.log.warn('A single check failed', { accountId, checkId, error: failure.cause });
  await inTransaction(context.db, (trx) => singleCheck.refundCheck(trx, check, failure.error));
  throw failureError(failure, field);
}

/** Returns the error for a refunded check. `field` is the request field with the target. */
function failureError({ error: word }: Failed, field: string): ApiError {
  const { sentence, retryAfterSeconds, ...rest } = failures[word];
  if (word === 'invalid_url' || word === 'target_not_allowed' || word === 'canceled') {
    return validationError({ [field]: [sentence] });
  }
  const seconds = retryAfterSeconds ?? 5;
  const hint = 'isForOperator' in rest ? '' : ` Try again in ${seconds} seconds.`;
  const message = `${sentence} You were not charged.${hint}`;
  return new ApiError(word, message, { retryAfterSeconds: seconds });
}
