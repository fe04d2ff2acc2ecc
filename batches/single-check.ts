import { requireOpen } from '../db/accounts/open-account.ts';
import * as idempotency from '../db/batches/idempotency.ts';
import * as items from '../db/batches/items.ts';
import * as resultPages from '../db/batches/result-pages.ts';
import * as singleChecks from '../db/batches/single-checks.ts';
import * as ledger from '../db/ledger/ledger.ts';
import * as spending from '../db/ledger/token-spending.ts';
import { type Db, inTransaction, type Trx } from '../db/postgres/connect.ts';
import type { ItemAnswer } from '../db/tables.ts';
import { ApiError } from '../process/api-error.ts';
import type { ItemError } from '../schemas/failures.ts';
import { getAnswerPrice, getPrice, wantsOverview } from '../schemas/features.ts';

/**
 * Maximum number of single checks that an account can run at a time. The unbilled work of a check is counted only when
 * the check ends. Running checks can therefore exceed the allowance (accounts/allowance.ts). This constant limits the
 * excess.
 */
const inFlightMax = 20;

/**
 * Stores a single check as a chunk with one input. Charges the check if it is not a test. If the process dies before
 * the check is settled, the sweep refunds the check. Throws ApiError if the account has too many checks in flight. Also
 * throws InsufficientCreditsError, TokenLimitError and AccountClosedError.
 */
export async function beginCheck(
  trx: Trx,
  { spender = null }: { spender?: spending.LimitedToken | null },
  check: singleChecks.SingleCheck,
): Promise<void> {
  const { accountId, isTest = false } = check;
  const price = getPrice(check.input);
  const counted = isTest ? null : spender;
  const inFlight = await singleChecks.begin(trx, { ...check, tokenId: counted?.tokenId ?? null });
  if (inFlight === null) {
    await requireOpen(trx, accountId);
    throw new ledger.InsufficientCreditsError(price, await ledger.balance(trx, accountId));
  }
  if (inFlight > inFlightMax) throw tooManyInFlight();
  await spending.spend(trx, counted, price);
}

/**
 * Settles a single check with its answer. A check that asks for no AI Overview is settled in one statement. Returns the
 * balance and the time. Throws ApiError if the check is already settled. In that case, the caller must roll back the
 * transaction.
 */
export async function recordAnswer(
  db: Db,
  check: singleChecks.SingleCheck,
  result: ItemAnswer,
): Promise<{ credits: number; now: Date }> {
  const record = (trx: Trx) => recordOverview(trx, check, result);
  try {
    if (!wantsOverview(check.input)) return await singleChecks.answer(db, check, result);
    return await (db.isTransaction ? record(db as Trx) : inTransaction(db, record));
  } catch (error) {
    throw singleChecks.isAlreadySettled(error) ? createGivenUpError() : error;
  }
}

/**
 * Settles a check that asked for an AI Overview, and stores the overview. Refunds the credit of the overview if Google
 * showed no overview, or if its sources were not read.
 */
async function recordOverview(
  trx: Trx,
  check: singleChecks.SingleCheck,
  { results, overview, ...answer }: ItemAnswer,
): Promise<{ credits: number; now: Date }> {
  const { accountId, requestId, input, isTest } = check;
  const { credits, now } = await singleChecks.answer(trx, check, answer);
  if (results || overview) await resultPages.save(trx, accountId, [{ requestId, results, overview }]);
  const refunded = getPrice(input) - getAnswerPrice(answer.outcome);
  if (isTest || refunded === 0) return { credits, now };
  const balance = await ledger.refund(trx, accountId, refunded, requestId);
  await spending.refund(trx, await singleChecks.findTokenCharge(trx, check), refunded);
  return { credits: balance, now };
}

/**
 * Settles a single check without an answer: refunds its credits and frees its idempotency key. Returns false if the
 * check is already settled.
 */
export async function refundCheck(
  trx: Trx,
  check: singleChecks.SingleCheck,
  error: ItemError,
): Promise<boolean> {
  const { accountId, requestId, type, input, isTest } = check;
  // The check is locked before its idempotency key, in the same order as in `answer`. An answered check keeps its key.
  const settled = await singleChecks.settle(trx, check);
  if (!settled) return false;
  await idempotency.remove(trx, accountId, requestId);
  const item = { requestId, chunkId: requestId, position: null, input, result: { error } };
  await items.insert(trx, { accountId, batchId: null, type, isTest }, [item]);
  if (isTest) return true;
  const price = getPrice(input);
  await ledger.refund(trx, accountId, price, requestId);
  await spending.refund(trx, settled, price);
  return true;
}

function createGivenUpError(): ApiError {
  return new ApiError('check_given_up', 'This check took too long and was canceled. You were not charged.', {
    retryAfterSeconds: 5,
  });
}

function tooManyInFlight(): ApiError {
  const message = `You can run ${inFlightMax} single checks at a time. Use a bulk endpoint for more. You were not charged.`;
  return new ApiError('too_many_in_flight', message, { retryAfterSeconds: 1 });
}
