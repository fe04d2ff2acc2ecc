import { mock } from 'node:test';
import { expect } from 'chai';
import type { HeldSlot } from '../../../checks/http/held-slot.ts';
import { CheckSlots } from '../../../checks/http/slots.ts';
import { AddressLimits } from '../../../checks/http/target-places.ts';
import { standStill } from '../../support/still-clock.ts';

const never = new AbortController().signal;
const at = ['192.0.2.1'];
const soon = () => new Promise((resolve) => setImmediate(resolve));
const newcomer = 999;

describe('places at an address beside accounts that take what they get', () => {
  beforeEach(() => standStill());
  afterEach(() => mock.timers.reset());

  /** Of the 32 places there the first account gets 24, the second what is left of 28, each other one that is free. */
  async function crowd(accounts: number) {
    const slots = new CheckSlots({ limit: 1000, hostLimit: 8 });
    const there: Array<{ accountId: number; slot: HeldSlot }> = [];
    const go = async (accountId: number, host: string) => {
      const slot = await slots.take({ accountId, lane: 0, host, signal: never });
      if (await slot?.moveTo(host, at, { signal: never })) there.push({ accountId, slot: slot as HeldSlot });
    };
    for (let accountId = 1; accountId <= accounts; accountId++) {
      const wanted = accountId > 2 ? 2 : 30;
      for (let item = 0; item < wanted; item++) void go(accountId, `${accountId}-${item}.example`);
      await soon();
    }
    mock.timers.tick(1000);
    const held = there.length;
    void go(newcomer, 'mine.example');
    await soon();
    return { held, there };
  }

  for (const [accounts, held] of [
    [1, 24],
    [2, 28],
    [4, 30],
  ] as const) {
    it(`has one at once for whoever holds none, with ${accounts} of them`, async () => {
      const crowded = await crowd(accounts);
      expect(crowded.held).to.equal(held);
      expect(crowded.there.at(-1)?.accountId).to.equal(newcomer);
    });
  }

  for (const accounts of [20, 100]) {
    it(`has the next that is free for whoever holds none, with ${accounts} of them`, async () => {
      const { held, there } = await crowd(accounts);
      expect([held, there.length]).to.deep.equal([32, 32]);
      there[0]?.slot.giveBack();
      await soon();
      expect(there[32]?.accountId).to.equal(newcomer);
    });
  }

  it('keeps one back also where there are four', () => {
    const limits = new AddressLimits(1);
    for (const accountId of [1, 1, 1]) limits.enter('192.0.2.1', accountId);
    limits.leave('192.0.2.1', 1);
    limits.enter('192.0.2.1', 2);
    expect([1, 2, 3].map((accountId) => limits.firstOpen(at, accountId))).to.deep.equal([null, null, ...at]);
  });
});
