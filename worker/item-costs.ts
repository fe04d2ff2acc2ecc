import type { UnpaidWork } from '../accounts/allowance.ts';
import { type CheckCost, sumOf, unpaidBy } from '../accounts/unpaid.ts';
import type { NewItem } from '../db/batches/items.ts';

/** Costs of the items of a chunk that are not recorded yet. */
export class ItemCosts {
  readonly #costs = new Map<number, CheckCost>();
  /** Costs in earlier jobs of the chunk. */
  readonly #before = new Map<number, CheckCost>();

  addBefore(requestId: number, cost: CheckCost): void {
    this.#before.set(requestId, cost);
  }

  add(requestId: number, cost: CheckCost): void {
    this.#costs.set(requestId, together(this.#costs.get(requestId), cost));
  }

  /** In all jobs of the chunk so far. */
  costOf(requestId: number): CheckCost {
    return together(this.#costs.get(requestId), this.#before.get(requestId));
  }

  /** Takes out what recorded items have cost, and sums up what those without an answer add to the allowance. */
  takeRefunded(items: NewItem[], isNetworkInDoubt: boolean): UnpaidWork {
    const unpaid = items.flatMap(({ requestId, input, result }) => {
      const cost = this.costOf(requestId);
      const isKnown = this.#costs.has(requestId) || this.#before.has(requestId);
      this.#costs.delete(requestId);
      this.#before.delete(requestId);
      return isKnown && 'error' in result
        ? [unpaidBy({ error: result.error, input }, cost, isNetworkInDoubt)]
        : [];
    });
    return sumOf(unpaid);
  }

  /** Takes out all that this job has cost: nobody will pay for it. The cancel has counted what earlier ones have. */
  takeAll(): UnpaidWork {
    const sum = sumOf([...this.#costs.values()]);
    this.#costs.clear();
    return sum;
  }
}

const nothing: CheckCost = { upstreamPages: 0, slotSeconds: 0 };

function together(one = nothing, other = nothing): CheckCost {
  return {
    upstreamPages: one.upstreamPages + other.upstreamPages,
    slotSeconds: one.slotSeconds + other.slotSeconds,
  };
}
