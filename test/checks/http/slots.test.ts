import { mock } from 'node:test';
import { expect } from 'chai';
import type { HeldSlot } from '../../../checks/http/held-slot.ts';
import { CheckSlots } from '../../../checks/http/slots.ts';
import { standStill } from '../../support/still-clock.ts';

const never = new AbortController().signal;
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('check slots', () => {
  it('leave a quarter to others, however many one account waits for', async () => {
    const slots = new CheckSlots({ limit: 8, hostLimit: 100 });
    const taken: HeldSlot[] = [];
    for (let index = 0; index < 20; index++) {
      void slots
        .take({ accountId: 1, lane: 0, host: null, signal: never })
        .then((slot) => slot && taken.push(slot));
    }
    await soon();
    expect(taken).to.have.lengthOf(6);
    expect(await slots.take({ accountId: 2, lane: 0, host: null, signal: never })).to.respondTo('giveBack');
  });

  it('go in turn over the accounts that wait', async () => {
    const slots = new CheckSlots({ limit: 1, hostLimit: 100 });
    const order: number[] = [];
    const hold = await slots.take({ accountId: 9, lane: 0, host: null, signal: never });
    const work = async (accountId: number) => {
      const slot = await slots.take({ accountId, lane: 0, host: null, signal: never });
      order.push(accountId);
      slot?.giveBack();
    };
    const all = [1, 1, 1, 1, 2, 2, 3].map(work);
    hold?.giveBack();
    await Promise.all(all);
    expect(order).to.deep.equal([1, 2, 3, 1, 2, 1, 1]);
  });

  it('go in turn over the lanes of an account', async () => {
    const slots = new CheckSlots({ limit: 1, hostLimit: 100 });
    const order: number[] = [];
    const hold = await slots.take({ accountId: 9, lane: 0, host: null, signal: never });
    const work = async (lane: number) => {
      const slot = await slots.take({ accountId: 1, lane, host: null, signal: never });
      order.push(lane);
      slot?.giveBack();
    };
    const all = [5, 5, 5, 6, 6, 7].map(work);
    hold?.giveBack();
    await Promise.all(all);
    expect(order).to.deep.equal([5, 6, 7, 5, 6, 5]);
  });

  it('keep to the limit of a host, and serve others past it', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 2 });
    const taken: string[] = [];
    const held: HeldSlot[] = [];
    for (const host of ['a', 'a', 'a', 'b']) {
      void slots.take({ accountId: 1, lane: 0, host, signal: never }).then((slot) => {
        taken.push(host);
        if (slot) held.push(slot);
      });
    }
    await soon();
    expect(taken).to.deep.equal(['a', 'a', 'b']);
    held[0]?.giveBack();
    held[0]?.giveBack();
    await soon();
    expect(taken).to.deep.equal(['a', 'a', 'b', 'a']);
    expect(slots.inFlight).to.equal(3);
  });

  it('are withdrawn when nobody waits any more', async () => {
    const slots = new CheckSlots({ limit: 1, hostLimit: 1 });
    const hold = await slots.take({ accountId: 1, lane: 0, host: null, signal: never });
    const gaveUp = new AbortController();
    const waiting = slots.take({ accountId: 1, lane: 0, host: null, signal: gaveUp.signal });
    gaveUp.abort();
    expect(await waiting).to.equal(null);
    hold?.giveBack();
    expect(slots.inFlight).to.equal(0);
    expect(await slots.take({ accountId: 1, lane: 0, host: null, signal: gaveUp.signal })).to.equal(null);
  });
});

describe('check slots beside accounts whose targets never answer', () => {
  beforeEach(() => standStill());
  afterEach(() => mock.timers.reset());

  for (const greedy of [1, 4, 20, 100]) {
    it(`serve ten checks of another within two seconds, with ${greedy} of them`, async () => {
      const slots = new CheckSlots({ limit: 100, hostLimit: 8 });
      for (let accountId = 1; accountId <= greedy; accountId++) {
        for (let item = 0; item < 100; item++) {
          const { signal } = new AbortController();
          void slots.take({ accountId, lane: 0, host: `${accountId}-${item}`, signal });
        }
      }
      let done = 0;
      for (let item = 0; item < 10; item++) {
        void slots.take({ accountId: 999, lane: 0, host: 'victim', signal: never }).then(async (slot) => {
          await soon();
          done += 1;
          slot?.giveBack();
        });
      }
      for (let passedMs = 0; passedMs < 2000; passedMs += 500) mock.timers.tick(500);
      for (let turn = 0; turn < 50; turn++) await soon();
      expect(done).to.equal(10);
      expect(slots.inFlight).to.be.at.least(75).and.at.most(400);
    });
  }

  it('go to whoever has held them for the shortest time', async () => {
    const slots = new CheckSlots({ limit: 1, hostLimit: 100 });
    const order: number[] = [];
    const work = async (accountId: number, ms: number) => {
      const slot = await slots.take({ accountId, lane: 0, host: null, signal: never });
      order.push(accountId);
      setTimeout(() => slot?.giveBack(), ms);
    };
    const all = [work(1, 1000), work(1, 1000), work(2, 300), work(2, 300), work(2, 300), work(2, 300)];
    for (let index = 0; index < 60; index++) {
      mock.timers.tick(100);
      await soon();
    }
    await Promise.all(all);
    expect(order).to.deep.equal([1, 2, 2, 2, 2, 1]);
  });

  it('are given on by so many checks and no more', async () => {
    const slots = new CheckSlots({ limit: 10, hostLimit: 100 });
    for (let accountId = 1; accountId <= 100; accountId++) {
      void slots.take({ accountId, lane: 0, host: null, signal: never });
    }
    for (let passedMs = 0; passedMs < 20_000; passedMs += 1000) {
      mock.timers.tick(1000);
      await soon();
    }
    expect(slots.inFlight).to.equal(40);
  });
});

describe('check slots of a host that asked for a pause', () => {
  // Only the clock stands still: what is resolved is resolved as ever.
  beforeEach(() => standStill());
  afterEach(() => mock.timers.reset());

  const take = (slots: CheckSlots, signal = never) =>
    slots.take({ accountId: 1, lane: 0, host: 'a', signal });

  it('are kept back until it is over, then given at half', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 4 });
    slots.pause('a', 10);
    let taken = 0;
    for (let index = 0; index < 4; index++) void take(slots).then(() => taken++);
    mock.timers.tick(9_900);
    await soon();
    expect(taken).to.equal(0);
    mock.timers.tick(200);
    await soon();
    expect(taken).to.equal(2);
  });

  it('are given out again when a pause is over that was prolonged', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 4 });
    slots.pause('a', 5);
    slots.pause('a', 15);
    let taken = 0;
    void take(slots).then(() => taken++);
    mock.timers.tick(14_900);
    await soon();
    expect(taken).to.equal(0);
    mock.timers.tick(200);
    await soon();
    expect(taken).to.equal(1);
  });

  it('are halved once however often it complains, and trusted to it again in time', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 8 });
    const together = async () => {
      const gaveUp = new AbortController();
      const taking = Array.from({ length: 8 }, () => take(slots, gaveUp.signal));
      await soon();
      gaveUp.abort();
      const held = (await Promise.all(taking)).filter((slot) => slot !== null);
      for (const slot of held) slot.giveBack();
      return held.length;
    };
    expect(await together()).to.equal(8);
    for (let complaint = 0; complaint < 3; complaint++) {
      slots.pause('a', 1);
      mock.timers.tick(1_100);
      expect(await together()).to.equal(4);
    }
    for (let checks = 4; checks < 20; checks += 4) expect(await together()).to.equal(4);
    expect(await together()).to.equal(8);
  });
});
