import { requireOpen } from '../db/accounts/open-account.ts';
import * as idempotency from '../db/batches/idempotency.ts';
import * as items from '../db/batches/items.ts';
import * as singleChecks from '../db/batches/single-checks.ts';
import * as ledger from '../db/ledger/ledger.ts';
import * as spending from '../db/ledger/token-spending.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import { ApiError } from '../process/api-error.ts';
import type { ItemError } from '../schemas/failures.ts';

const inFlightMax = 20;

/**
 * Begins a single check: charged, unless it is a test, and stored as a chunk of one. If the process dies before it is
 * settled, the sweep refunds it. Refused when too many of the account's are in flight, which also bounds how far they
 * can exceed its allowance. Throws InsufficientCreditsError, TokenLimitError and AccountClosedError.
 */
export async function begin(
  trx: Trx,
  { spender = null }: { spender?: spending.Spender | null },
  check: singleChecks.SingleCheck,
): Promise<void> {
  const { accountId, isTest = false } = check;
  const counted = isTest ? null : spender;
  const begun = await singleChecks.begin(trx, { ...check, tokenId: counted?.tokenId ?? null });
  if (begun === null) {
    await requireOpen(trx, accountId);
    throw new ledger.InsufficientCreditsError(1, await ledger.balance(trx, accountId));
  }
  if (begun.inFlight > inFlightMax) throw tooManyInFlight();
  await spending.spend(trx, counted, 1);
}

/**
 * Settles a single check with its answer, once, in one statement. Returns the balance and the time. Refused when the
 * check was settled before: then nothing of the transaction counts.
 */
export async function answer(
  db: Db | Trx,
  check: singleChecks.SingleCheck,
  result: items.ItemAnswer,
): Promise<{ credits: number; now: Date }> {
  try {
    return await singleChecks.answer(db, check, result);
  } catch (error) {
    throw singleChecks.isSettledBefore(error) ? givenUp() : error;
  }
}

/**
 * Settles a single check without an answer, once: its credit goes back, where it cost one, its idempotency key is
 * free. False when it was settled before.
 */
export async function giveBack(
  trx: Trx,
  check: singleChecks.SingleCheck,
  error: ItemError,
): Promise<boolean> {
  const { accountId, requestId, type, input, isTest } = check;
  // The check before its key, in the order in which an answer locks them; an answered one keeps its key.
  const closed = await singleChecks.close(trx, check);
  if (!closed) return false;
  await idempotency.forget(trx, accountId, requestId);
  const item = { requestId, chunkId: requestId, position: null, input, result: { error } };
  await items.insert(trx, { accountId, batchId: null, type, isTest }, [item]);
  if (isTest) return true;
  await ledger.refund(trx, accountId, 1, { requestId });
  const { tokenId, month } = closed;
  if (tokenId !== null) await spending.giveBack(trx, { tokenId, month }, 1);
  return true;
}

function givenUp(): ApiError {
  return new ApiError('check_given_up', 'This check took too long and was given up. Nothing was charged.', {
    retryAfterSeconds: 5,
  });
}

function tooManyInFlight(): ApiError {
  const message = `At most ${inFlightMax} single checks at a time; use the bulk endpoints for more. Nothing was charged.`;
  return new ApiError('too_many_in_flight', message, { retryAfterSeconds: 1 });
}
