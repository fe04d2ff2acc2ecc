import { expect } from 'chai';
import { FairLimit, type Slot } from '../../process/fair-limit.ts';

/** Waits until settled promises have run their continuations. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function take(limit: FairLimit, accountId: number, count: number): Slot[] {
  return Array.from({ length: count }, () => limit.tryAcquire(accountId)).filter((slot) => slot !== null);
}

/** Queues waiters and records the order in which they get their slots. */
function queueUp(
  limit: FairLimit,
  accountIds: number[],
  options = {},
): Array<{ accountId: number; slot: Slot }> {
  const granted: Array<{ accountId: number; slot: Slot }> = [];
  for (const accountId of accountIds) {
    void limit.acquire(accountId, options).then((slot) => granted.push({ accountId, slot }));
  }
  return granted;
}

describe('FairLimit', () => {
  it('grants an account no more than its share, and keeps the reserve for accounts without a slot', () => {
    const limit = new FairLimit({ total: 10, perAccount: 7, reserved: 2 });
    expect(take(limit, 1, 10)).length(7);
    expect(take(limit, 2, 10)).length(1);
    expect(limit.accountsAtLimit()).deep.equal([1, 2]);
    expect(take(limit, 3, 10)).length(1);
    expect(take(limit, 4, 10)).length(1);
    expect(take(limit, 5, 10)).length(0);
  });

  it('gives a free slot to the waiting account that holds the fewest', async () => {
    const limit = new FairLimit({ total: 4 });
    const [first] = take(limit, 1, 3);
    const [other] = take(limit, 2, 1);
    const granted = queueUp(limit, [1, 1, 2, 3]);
    first?.release();
    await turn();
    expect(granted.map(({ accountId }) => accountId)).deep.equal([3]);
    other?.release();
    await turn();
    expect(granted.map(({ accountId }) => accountId)).deep.equal([3, 2]);
  });

  it('gives equal parts to accounts that always wait', async () => {
    const limit = new FairLimit({ total: 4 });
    const granted = queueUp(limit, [...Array(60).fill(1), ...Array(60).fill(2)]);
    for (let round = 0; round < 10; round++) {
      await turn();
      for (const { slot } of granted) slot.release();
    }
    const counts = [1, 2].map((id) => granted.filter(({ accountId }) => accountId === id).length);
    expect(Math.abs((counts[0] ?? 0) - (counts[1] ?? 0))).below(5);
  });

  it('skips waiters of a full target until there is room again', async () => {
    const room = new Map([
      ['full.example', 0],
      ['open.example', 1],
    ]);
    const targets = {
      hasFreeSlot: (target: string) => (room.get(target) ?? 0) > 0,
      onGrant: (target: string) => room.set(target, (room.get(target) ?? 0) - 1),
    };
    const limit = new FairLimit({ total: 5, targets });
    const full = queueUp(limit, [1, 1], { target: 'full.example' });
    const open = queueUp(limit, [1, 2], { target: 'open.example' });
    await turn();
    expect(full).length(0);
    expect(open.map(({ accountId }) => accountId)).deep.equal([1]);
    room.set('full.example', 1);
    limit.grantFreeSlots();
    await turn();
    expect(full).length(1);
    expect(limit.tryAcquire(3, 'full.example')).equal(null);
  });

  it('ignores a second release of a slot', () => {
    const limit = new FairLimit({ total: 2 });
    const [slot] = take(limit, 1, 2);
    slot?.release();
    slot?.release();
    expect(limit.inUse).equal(1);
  });

  it('releases a slot when its holder throws', async () => {
    const limit = new FairLimit({ total: 1 });
    const failed = await limit.run(1, () => Promise.reject(new Error('no'))).catch((error: Error) => error);
    expect(failed).property('message', 'no');
    expect(limit.inUse).equal(0);
  });
});
