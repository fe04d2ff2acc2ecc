import type { UnpaidWork } from '../accounts/allowance.ts';
import { type CheckCost, sumOf, unpaidBy } from '../accounts/unpaid.ts';
import type { NewItem } from '../db/items.ts';

/** What the items of a chunk have cost that are not recorded yet. */
export class ItemCosts {
  readonly #costs = new Map<number, CheckCost>();
  /** Pages that earlier jobs of the chunk have bought. */
  readonly #pagesBefore = new Map<number, number>();

  addBefore(requestId: number, pages: number): void {
    this.#pagesBefore.set(requestId, pages);
  }

  add(requestId: number, { upstreamPages, slotSeconds }: CheckCost): void {
    const before = this.#costs.get(requestId) ?? { upstreamPages: 0, slotSeconds: 0 };
    this.#costs.set(requestId, {
      upstreamPages: before.upstreamPages + upstreamPages,
      slotSeconds: before.slotSeconds + slotSeconds,
    });
  }

  pagesOf(requestId: number): number {
    return (this.#costs.get(requestId)?.upstreamPages ?? 0) + (this.#pagesBefore.get(requestId) ?? 0);
  }

  /** Takes out what recorded items have cost, and sums up what those without an answer add to the allowance. */
  takeRefunded(items: NewItem[], isNetworkInDoubt: boolean): UnpaidWork {
    const unpaid = items.flatMap(({ requestId, input, result }) => {
      const slotSeconds = this.#costs.get(requestId)?.slotSeconds ?? 0;
      const cost = { slotSeconds, upstreamPages: this.pagesOf(requestId) };
      const isKnown = this.#costs.has(requestId) || this.#pagesBefore.has(requestId);
      this.#costs.delete(requestId);
      this.#pagesBefore.delete(requestId);
      return isKnown && 'error' in result
        ? [unpaidBy({ error: result.error, input }, cost, isNetworkInDoubt)]
        : [];
    });
    return sumOf(unpaid);
  }

  /** Takes out all that this job has cost: nobody will pay for it. What was bought before the cancel has counted. */
  takeAll(): UnpaidWork {
    const sum = sumOf([...this.#costs.values()]);
    this.#costs.clear();
    return sum;
  }
}
