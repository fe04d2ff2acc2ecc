import type { Allowance } from '../accounts/allowance.ts';
import { mayCost } from '../accounts/unpaid.ts';
import type { Act } from '../db/act.ts';
import type { Trx } from '../db/connect.ts';
import * as idempotency from '../db/idempotency.ts';
import * as items from '../db/items.ts';
import * as ledger from '../db/ledger.ts';
import type { RequestIds } from '../db/request-ids.ts';
import * as singleChecks from '../db/single-checks.ts';
import { Refused } from '../refused.ts';
import type { CheckType, InputOf } from '../schemas/check-types.ts';

const inFlightMax = 20;

/**
 * Begins a single check: noted as a chunk of one and charged. Whoever dies before it is settled is found by
 * the sweep, which refunds. Refused when too many of the account's are in flight, or more than its allowance has room
 * for should none bring an answer. Throws InsufficientCreditsError.
 */
export function begin(
  { requestIds, allowance }: { requestIds: RequestIds; allowance: Pick<Allowance, 'admit'> },
  { accountId, type, input }: { accountId: number; type: CheckType; input: InputOf },
): Act<singleChecks.SingleCheck> {
  let requestId = 0;
  return {
    before: async () => {
      requestId = await requestIds.take(1);
    },
    perform: async (trx) => {
      const check = { accountId, requestId, type, input };
      await singleChecks.open(trx, check);
      await ledger.charge(trx, accountId, 1, { requestId });
      // The account row is locked since the charge, so the count is exact.
      const inFlight = await singleChecks.countInFlight(trx, accountId);
      if (inFlight > inFlightMax) throw tooManyInFlight();
      // A check is counted before it is settled, so nothing slips between the two.
      if (inFlight > 1) await allowance.admit(accountId, { mayCost: mayCost(input, inFlight - 1), trx });
      return check;
    },
  };
}

/**
 * Settles a single check with its outcome, once. False when it was settled before: then the caller's result
 * does not count. A failure gives the credit back and frees the check's idempotency key.
 */
export async function settle(
  trx: Trx,
  check: singleChecks.SingleCheck,
  result: items.ItemResult,
): Promise<boolean> {
  const { accountId, requestId, type, input } = check;
  if ('error' in result) await idempotency.forget(trx, accountId, requestId);
  if (!(await singleChecks.close(trx, check))) return false;
  const item = { requestId, chunkId: requestId, position: null, input, result };
  await items.insert(trx, { accountId, batchId: null, type }, [item]);
  if ('error' in result) await ledger.refund(trx, accountId, 1, { requestId });
  return true;
}

/** The same where a result that comes too late is refused. */
export async function settleOrRefuse(
  trx: Trx,
  check: singleChecks.SingleCheck,
  result: items.ItemResult,
): Promise<void> {
  if (await settle(trx, check, result)) return;
  throw new Refused('check_given_up', 'This check took too long and was given up. Nothing was charged.', {
    retryAfterSeconds: 5,
  });
}

function tooManyInFlight(): Refused {
  const message = `At most ${inFlightMax} single checks at a time; use the bulk endpoints for more. Nothing was charged.`;
  return new Refused('too_many_in_flight', message, { retryAfterSeconds: 1 });
}
