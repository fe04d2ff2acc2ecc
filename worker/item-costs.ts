import type { NewItem } from '../db/items.ts';
import { failures } from '../schemas/failures.ts';

/** What one try at an item has cost, in the allowance's words. */
export interface TryCost {
  upstreamPages: number;
  slotSeconds: number;
}

/** What the items of a chunk have cost that are not recorded yet. */
export class ItemCosts {
  readonly #costs = new Map<number, TryCost>();

  add(requestId: number, { upstreamPages, slotSeconds }: TryCost): void {
    const before = this.#costs.get(requestId) ?? { upstreamPages: 0, slotSeconds: 0 };
    this.#costs.set(requestId, {
      upstreamPages: before.upstreamPages + upstreamPages,
      slotSeconds: before.slotSeconds + slotSeconds,
    });
  }

  /** Takes out what recorded items have cost, and sums up those that are refunded by their caller's doing. */
  takeRefunded(items: NewItem[]): TryCost {
    const refunded = items.filter(
      ({ result }) => 'error' in result && failures[result.error].fault === 'caller',
    );
    const sum = sumOf(refunded.flatMap(({ requestId }) => this.#costs.get(requestId) ?? []));
    for (const { requestId } of items) this.#costs.delete(requestId);
    return sum;
  }

  /** Takes out all there is: nobody will pay for it. */
  takeAll(): TryCost {
    const sum = sumOf([...this.#costs.values()]);
    this.#costs.clear();
    return sum;
  }
}

function sumOf(costs: TryCost[]): TryCost {
  return {
    upstreamPages: costs.reduce((sum, { upstreamPages }) => sum + upstreamPages, 0),
    slotSeconds: costs.reduce((sum, { slotSeconds }) => sum + slotSeconds, 0),
  };
}
