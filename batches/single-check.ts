import type { Allowance } from '../accounts/allowance.ts';
import { keptRows, mayCost } from '../accounts/unpaid.ts';
import { requireOpen } from '../db/accounts/open-account.ts';
import * as history from '../db/batches/history.ts';
import * as idempotency from '../db/batches/idempotency.ts';
import * as items from '../db/batches/items.ts';
import * as resultPages from '../db/batches/result-pages.ts';
import * as singleChecks from '../db/batches/single-checks.ts';
import * as ledger from '../db/ledger/ledger.ts';
import * as spending from '../db/ledger/token-spending.ts';
import type { Act } from '../db/postgres/act.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { sideBySide } from '../db/postgres/prompt-transaction.ts';
import { Refused } from '../process/refused.ts';
import { isHistoryType } from '../schemas/check-types.ts';
import type { ItemError } from '../schemas/failures.ts';
import type { Desk } from './accept.ts';

const inFlightMax = 20;

/**
 * Begins a single check: noted as a chunk of one and charged, unless it is a test. If the process dies before
 * it is settled, the sweep refunds it. Refused when too many of the account's are in flight, or more than its
 * allowance has room for should none bring an answer. Throws InsufficientCreditsError, and AccountClosedError.
 */
export function begin(
  {
    requestIds,
    allowance,
    spender = null,
  }: Pick<Desk, 'requestIds' | 'spender'> & { allowance: Pick<Allowance, 'admit' | 'level' | 'take'> },
  {
    accountId,
    type,
    input,
    isTest,
  }: Pick<singleChecks.SingleCheck, 'accountId' | 'type' | 'input' | 'isTest'>,
): Act<singleChecks.SingleCheck> {
  let requestId = 0;
  return {
    before: async () => {
      // No answer pays for what is kept of a test.
      if (isTest) await allowance.take(accountId, { keptRows: keptRows([input]) });
      requestId = await requestIds.take(1);
    },
    perform: async (trx) => {
      const check = { accountId, requestId, type, input, isTest };
      if (!isTest) await spending.requireLeft(trx, spender, 1);
      // Counted before it is settled, and the level read after that, so nothing slips between the two.
      const [begun, level] = await sideBySide([
        singleChecks.begin(trx, { ...check, tokenId: isTest ? null : (spender?.tokenId ?? null) }),
        allowance.level(accountId, trx),
      ]);
      if (begun === null) {
        await requireOpen(trx, accountId);
        throw new ledger.InsufficientCreditsError(1, await ledger.balance(trx, accountId));
      }
      const { inFlight } = begun;
      if (inFlight > inFlightMax) throw tooManyInFlight();
      if (inFlight > 1 && !isTest)
        await allowance.admit(accountId, { mayCost: mayCost(input, inFlight - 1), level, trx });
      if (!isTest) await spending.spend(trx, spender, 1);
      return check;
    },
  };
}

/**
 * Settles a single check with its answer, once, and tells the balance and the moment of that. All it asks of
 * Postgres is sent before it first waits. Refused when the check was settled before: then nothing of the
 * transaction counts.
 */
export async function answer(
  trx: Trx,
  check: singleChecks.SingleCheck,
  result: items.ItemAnswer,
): Promise<{ credits: number; now: Date }> {
  const { accountId, requestId, type, input, isTest } = check;
  const found = result.results ? [{ requestId, results: result.results }] : [];
  try {
    const [settled] = await sideBySide([
      singleChecks.answer(trx, check, result.outcome),
      isHistoryType(type) && !isTest
        ? history.keep(trx, { accountId, batchId: null, type }, [{ requestId, input, result }])
        : Promise.resolve(),
      resultPages.keep(trx, accountId, found),
    ]);
    return settled;
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

function givenUp(): Refused {
  return new Refused('check_given_up', 'This check took too long and was given up. Nothing was charged.', {
    retryAfterSeconds: 5,
  });
}

function tooManyInFlight(): Refused {
  const message = `At most ${inFlightMax} single checks at a time; use the bulk endpoints for more. Nothing was charged.`;
  return new Refused('too_many_in_flight', message, { retryAfterSeconds: 1 });
}
