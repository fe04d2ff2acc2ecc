import type { Failed, Outcome } from '../../checks/outcome.ts';
import { inTransaction, type Trx } from '../../db/connect.ts';
import type * as items from '../../db/items.ts';
import * as ledger from '../../db/ledger.ts';
import * as singleChecks from '../../db/single-checks.ts';
import type { Context } from '../context.ts';
import { ApiError, tryAgain } from '../http/errors.ts';
import type { KeyClaim } from '../http/idempotency.ts';
import type { Reply } from '../http/reply.ts';

export interface SingleRequest {
  accountId: number;
  type: singleChecks.SingleCheck['type'];
  input: Record<string, unknown>;
  key: KeyClaim;
  /** Makes the check; its signal is aborted when time is up. */
  check(asking: { accountId: number; signal: AbortSignal; deadlineMs: number }): Promise<Outcome>;
  /** The answer as it goes over the wire. */
  toBody(item: items.ItemRow, creditsRemaining: number): object;
  /** A failure as the error to answer with; the credit is back by then. */
  toError(failure: Failed): ApiError;
}

/** The interface promises an answer within 25 s; the last is for the transactions around the check. */
const checkTimeoutMs = 24_000;
const inFlightMax = 20;

/**
 * One check while the caller waits: charged and committed, then checked with no transaction open, then settled in a
 * second one. Whoever dies in between is found by the sweep, which refunds. A closed connection changes nothing.
 */
export async function runSingleCheck(context: Context, request: SingleRequest): Promise<Reply> {
  const deadlineMs = performance.now() + checkTimeoutMs;
  const check = await begin(context, request);
  context.pass('after_charge');
  const timeout = AbortSignal.timeout(Math.max(0, Math.floor(deadlineMs - performance.now())));
  const signal = AbortSignal.any([timeout, context.stopping]);
  const outcome = await settled(request.check({ accountId: request.accountId, signal, deadlineMs }));
  context.metrics.checks.inc({ type: request.type, state: outcome.state });
  if (outcome.state === 'failed') return giveBack(context, request, check, outcome);
  const reply = await keepAnswer(context, request, check, outcome);
  context.pass('before_answer');
  return reply;
}

async function begin(context: Context, { accountId, type, input, key }: SingleRequest) {
  const requestId = await context.requestIds.take(1);
  const check = { accountId, requestId, type, input };
  await context.acceptance(() =>
    inTransaction(context.db, async (trx) => {
      await key.claim(trx);
      await singleChecks.open(trx, check);
      await ledger.charge(trx, accountId, 1, { requestId });
      // The account row is locked since the charge, so the count is exact.
      if ((await singleChecks.countInFlight(trx, accountId)) > inFlightMax) throw tooManyInFlight();
      await key.keep(trx, { requestId });
    }),
  );
  return check;
}

/** Whatever an engine throws is our failure: nobody pays for it. */
async function settled(check: Promise<Outcome>): Promise<Outcome> {
  try {
    return await check;
  } catch (cause) {
    return {
      state: 'failed',
      error: 'checker_failed',
      message: 'The check could not be finished in time.',
      isRetryable: true,
      cause,
    };
  }
}

async function keepAnswer(
  context: Context,
  request: SingleRequest,
  check: singleChecks.SingleCheck,
  { answer, tally }: Extract<Outcome, { state: 'success' }>,
): Promise<Reply> {
  return inTransaction(context.db, async (trx) => {
    const reply = await replyOf(trx, request, { ...check, outcome: answer });
    await request.key.keep(trx, { requestId: check.requestId, reply });
    // Thrown inside, so that the key, which may be another check's by now, is left alone.
    if (!(await singleChecks.settle(trx, check, { outcome: answer, tally }))) throw givenUp();
    return reply;
  });
}

async function replyOf(
  trx: Trx,
  { accountId, type, input, toBody }: SingleRequest,
  { requestId, outcome }: { requestId: number; outcome: object },
): Promise<Reply> {
  const { credits, now } = await ledger.balanceNow(trx, accountId);
  const item: items.ItemRow = {
    requestId,
    batchId: null,
    position: null,
    type,
    state: 'success',
    input,
    outcome: { ...outcome },
    error: null,
    checkedAt: now,
  };
  return { status: 200, body: toBody(item, credits) };
}

async function giveBack(
  context: Context,
  request: SingleRequest,
  check: singleChecks.SingleCheck,
  failure: Failed,
): Promise<never> {
  if (failure.cause) context.log.warn('A single check failed', { ...idsOf(check), error: failure.cause });
  await inTransaction(context.db, (trx) => singleChecks.settle(trx, check, { error: failure.error }));
  throw request.toError(failure);
}

function givenUp(): ApiError {
  return tryAgain('This check took too long and was given up. Nothing was charged.', 'check_given_up');
}

function idsOf({ accountId, requestId }: singleChecks.SingleCheck) {
  return { accountId, checkId: requestId };
}

function tooManyInFlight(): ApiError {
  const message = `At most ${inFlightMax} single checks at a time; use the bulk endpoints for more. Nothing was charged.`;
  return new ApiError(429, 'too_many_in_flight', message, { headers: { 'Retry-After': '1' } });
}
