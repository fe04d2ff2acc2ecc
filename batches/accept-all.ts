import type { Act } from '../db/act.ts';
import { type Accepted, accept, type BatchRequest, type Desk, priceOf, requireCredits } from './accept.ts';

/**
 * Accepts the batches of one submission, all of one account, whole or not at all. All are written before the first is
 * charged: the account's row is locked from then on. Throws InsufficientCreditsError for the sum.
 */
export function acceptAll(desk: Desk, requests: BatchRequest[]): Act<Accepted[]> {
  const acts = requests.map((request) => accept(desk, request));
  return {
    before: async () => {
      for (const act of acts) await act.before?.();
    },
    perform: async (trx) => {
      const [first] = requests;
      if (!first) return [];
      const needed = requests.reduce((sum, request) => sum + priceOf(request), 0);
      await requireCredits(trx, first.accountId, needed);
      await desk.spend?.(trx, needed);
      for (const act of acts) await act.write(trx);
      const accepted: Accepted[] = [];
      for (const act of acts) accepted.push(await act.pay(trx));
      for (const act of acts) await act.enqueue(trx);
      return accepted;
    },
  };
}
