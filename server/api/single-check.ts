import type { Request, Response } from 'express';
import { type CheckCost, costOfTry, unpaidBy } from '../../accounts/unpaid.ts';
import * as singleCheck from '../../batches/single-check.ts';
import { type Failed, type KeptOutcome, keptOutcome, type Outcome } from '../../checks/outcome.ts';
import { deadlines } from '../../config/deadlines.ts';
import { type Authorization, requireRight } from '../../db/accounts/rights.ts';
import * as idempotency from '../../db/batches/idempotency.ts';
import type { SingleCheck } from '../../db/batches/single-checks.ts';
import { inTransaction, type Trx } from '../../db/postgres/connect.ts';
import { inOneTrip, inPromptTransaction, sideBySide } from '../../db/postgres/prompt-transaction.ts';
import type { AnswerOf, CheckType, InputOf, OptionsOf } from '../../schemas/check-types.ts';
import { failures } from '../../schemas/failures.ts';
import { answerBody, timestamp } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { callerOf } from '../http/authenticate.ts';
import { type ApiError, tryAgain, validationError } from '../http/errors.ts';
import { claim, type KeptReply, type Key, keep, keyOf } from '../http/idempotency.ts';
import { type Done, sendDone, unlessKept } from '../http/once.ts';
import { authorizationOf } from '../http/permit.ts';
import { textOf } from '../http/reply.ts';
import { deskOf } from './desk.ts';
import { readInclude } from './include.ts';

/** What is asked of one check while the caller waits. */
export interface SingleRequest<T extends CheckType> {
  type: T;
  input: InputOf<T>;
  options: OptionsOf<T>;
  /** The field of the request that a refusal of the target names. */
  field: string;
  warnings: string[];
}

/** The same by one caller. */
interface Asked<T extends CheckType> extends SingleRequest<T> {
  evidence: boolean;
  /** By a test token. */
  isTest: boolean;
}

/**
 * Answers one check: charged and committed, then checked with no transaction open, then settled in a second
 * one, once per Idempotency-Key. Whoever dies in between is found by the sweep, which refunds. A closed
 * connection changes nothing.
 */
export async function answerSingle<T extends CheckType>(
  context: Context,
  req: Request,
  res: Response,
  request: SingleRequest<T>,
): Promise<void> {
  const { isTest } = callerOf(req);
  const by = authorizationOf(req);
  const key = keyOf(req);
  const { evidence } = readInclude(req);
  const done = await unlessKept(context, by, key, () =>
    checkNow(deskOf(context, req), by, key, { ...request, evidence, isTest }),
  );
  sendDone(res, done);
}

async function checkNow<T extends CheckType>(
  context: ReturnType<typeof deskOf>,
  by: Authorization,
  key: Key | null,
  request: Asked<T>,
): Promise<Done<SingleCheck>> {
  const { accountId } = by;
  await context.allowance.admit(accountId);
  const startedMs = performance.now();
  const deadlineMs = startedMs + deadlines.singleCheckMs;
  const check = await begin(context, by, key, request);
  context.failPoint('after_charge');
  const timeout = AbortSignal.timeout(Math.max(0, Math.floor(deadlineMs - performance.now())));
  const signal = AbortSignal.any([timeout, context.stopping]);
  const engine = context.engines[request.type];
  const cost = { pages: 0 };
  const outcome = await settled(engine.check(request, { accountId, signal, deadlineMs, cost }));
  // What is invented is no use of the service.
  if (!request.isTest) context.metrics.checks.inc({ type: request.type, state: outcome.state });
  if (outcome.state === 'failed') {
    const spent = costOfTry({ ...(outcome.cost ?? cost), ms: performance.now() - startedMs });
    if (!request.isTest) await countRefunded(context, check, outcome, spent);
    return giveBack(context, check, outcome, request.field);
  }
  const reply = await settle(context, check, key, {
    answer: keptOutcome<AnswerOf>(outcome, request.input),
    evidence: request.evidence,
    warnings: request.warnings,
  });
  context.failPoint('before_answer');
  return { result: check, reply };
}

interface Settling {
  answer: KeptOutcome<AnswerOf>;
  evidence: boolean;
  warnings: string[];
}

/** Settles a check that has its answer. One that is settled by now leaves its key alone, which may be another's. */
async function settle(
  { db, box }: Context,
  check: SingleCheck,
  key: Key | null,
  { answer, evidence, warnings }: Settling,
): Promise<KeptReply> {
  const textAt = ({ credits, now }: { credits: number; now: Date }) => {
    const body = {
      success: true,
      ...check.input,
      ...answerBody(answer.outcome, { evidence, results: answer.results }),
      request_id: check.requestId,
      checked_at: timestamp(now),
      credits_remaining: credits,
    };
    return textOf({ status: 200, body }, warnings);
  };
  const ask = (trx: Trx) => singleCheck.answer(trx, check, answer);
  if (key === null) return textAt(await inOneTrip(db, ask));
  return inPromptTransaction(
    db,
    async (trx) => textAt(await ask(trx)),
    (trx, text) => keep(trx, box, key, text),
    // An answer without the key that repeats it would be none to who asks again.
    { isBegunFirst: true },
  );
}

async function begin<T extends CheckType>(
  context: ReturnType<typeof deskOf>,
  by: Authorization,
  key: Key | null,
  { type, input, isTest }: Asked<T>,
): Promise<SingleCheck> {
  const { accountId } = by;
  const act = singleCheck.begin(context, { accountId, type, input, isTest });
  await act.before?.();
  return context.acceptance(() =>
    inPromptTransaction(
      context.db,
      async (trx) => {
        // In this order: what comes after a right that is gone, or a key that another has taken, is rolled back.
        const claimed = () => (key ? claim(trx, key) : Promise.resolve());
        const [, , check] = await sideBySide([requireRight(trx, by), claimed(), act.perform(trx)]);
        return check;
      },
      async (trx, { requestId }) => {
        if (key) await idempotency.keep(trx, key, { requestId });
      },
      { isBegunFirst: key !== null },
    ),
  );
}

/** Whatever an engine throws is our failure: nobody pays for it. */
async function settled<A extends object>(check: Promise<Outcome<A>>): Promise<Outcome<A>> {
  try {
    return await check;
  } catch (cause) {
    return { state: 'failed', error: 'checker_failed', isRetryable: true, cause };
  }
}

/** What has been done without an answer and is refunded. */
async function countRefunded(
  { allowance, http, log }: Context,
  { accountId, input }: SingleCheck,
  { error }: Failed,
  spent: CheckCost,
): Promise<void> {
  const work = unpaidBy({ error, input }, spent, await http.isInDoubt());
  try {
    await allowance.spend(accountId, work);
  } catch (trouble) {
    log.warn('What a refunded check has cost could not be counted', { accountId, error: trouble });
  }
}

async function giveBack(
  context: Context,
  check: SingleCheck,
  failure: Failed,
  field: string,
): Promise<never> {
  const { accountId, requestId: checkId } = check;
  if (failure.cause) context.log.warn('A single check failed', { accountId, checkId, error: failure.cause });
  await inTransaction(context.db, (trx) => singleCheck.giveBack(trx, check, failure.error));
  throw failureError(failure, field);
}

/**
 * What a caller who waits is told when a check brought no answer; the credit is back by then. `field`: what
 * was asked.
 */
function failureError({ error: word }: Failed, field: string): ApiError {
  const { sentence, retryAfterSeconds, ...rest } = failures[word];
  if (word === 'invalid_url' || word === 'target_not_allowed' || word === 'canceled') {
    return validationError({ [field]: [sentence] });
  }
  const seconds = retryAfterSeconds ?? 5;
  const hint = 'isForOperator' in rest ? '' : ` Try again in ${seconds} seconds.`;
  return tryAgain(`${sentence} Nothing was charged.${hint}`, word, seconds);
}
