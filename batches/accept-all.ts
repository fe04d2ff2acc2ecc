import { InsufficientCreditsError } from '../db/ledger/ledger.ts';
import * as spending from '../db/ledger/token-spending.ts';
import type { Act } from '../db/postgres/act.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { sideBySide } from '../db/postgres/prompt-transaction.ts';
import * as turns from '../db/queue/turns.ts';
import { type Accepted, accept, type BatchRequest, type Desk, priceOf, requireCredits } from './accept.ts';

/**
 * Accepts the batches of one submission, all of one account, whole or not at all. All are written before the first is
 * charged: the account's row is locked from then on. Throws InsufficientCreditsError for the sum. `isCovered`: the
 * caller has seen in that transaction that the balance is enough, and nothing is written otherwise.
 */
export function acceptAll(desk: Desk, requests: BatchRequest[], { isCovered = false } = {}): Act<Accepted[]> {
  const acts = requests.map((request) => accept(desk, request));
  return {
    before: async () => {
      if (requests[0]) await desk.allowance.admit(requests[0].accountId);
      for (const act of acts) await act.before?.();
    },
    perform: async (trx) => {
      const [first] = requests;
      if (!first) return [];
      const needed = requests.reduce((sum, request) => sum + priceOf(request), 0);
      if (!isCovered) await requireCredits(trx, first.accountId, needed);
      await spending.requireLeft(trx, desk.spender ?? null, needed);
      for (const act of acts) await act.write(trx, async () => {});
      const serving = await servingOf(trx);
      const paying = acts.map((act) => act.pay(trx, serving.get(act.queue) ?? 0));
      try {
        const [accepted] = await sideBySide([sideBySide(paying), enqueueAll(trx)]);
        await spending.spend(trx, desk.spender ?? null, needed);
        return accepted;
      } catch (error) {
        throw await forAll(error, paying, needed);
      }
    },
  };

  /** Where the queue of each type is. */
  async function servingOf(trx: Trx): Promise<Map<string, number>> {
    const queues = [...new Set(acts.map(({ queue }) => queue))];
    const served = await sideBySide(queues.map((queue) => turns.nowServing(trx, queue)));
    return new Map(queues.map((queue, nth) => [queue, served[nth] ?? 0]));
  }

  async function enqueueAll(trx: Trx): Promise<void> {
    for (const act of acts) await act.enqueue(trx);
  }
}

/** Creates the error for a submission of which one batch cannot be paid: all of it is rolled back. */
async function forAll(error: unknown, paying: Array<Promise<Accepted>>, needed: number): Promise<unknown> {
  if (!(error instanceof InsufficientCreditsError)) return error;
  const settled = await Promise.allSettled(paying);
  const paid = settled.map((one) => (one.status === 'fulfilled' ? priceOf(one.value.request) : 0));
  return new InsufficientCreditsError(
    needed,
    paid.reduce((sum, price) => sum + price, error.available),
  );
}
