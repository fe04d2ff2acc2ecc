import { expect } from 'chai';
import { ItemCosts } from '../../worker/item-costs.ts';

describe('what the items of a chunk have cost', () => {
  const input = { url: 'https://example.com/' };
  const refunded = {
    requestId: 1,
    chunkId: 1,
    position: 0,
    input,
    result: { error: 'query_rewritten' as const },
  };

  it('has the cost of earlier jobs in it where an item is refunded, and only its own where the batch has ended', () => {
    const costs = new ItemCosts();
    for (const requestId of [1, 2]) {
      costs.addBefore(requestId, { upstreamPages: 3, slotSeconds: 20 });
      costs.add(requestId, { upstreamPages: 2, slotSeconds: 1 });
    }
    const all = { upstreamPages: 5, slotSeconds: 21 };
    expect(costs.costOf(1)).to.deep.equal(all);
    expect(costs.takeRefunded([refunded], false)).to.include(all);
    expect(costs.takeAll()).to.deep.equal({ upstreamPages: 2, slotSeconds: 1 });
  });
});
