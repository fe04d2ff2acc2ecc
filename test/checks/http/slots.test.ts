import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { CheckSlots, type Release } from '../../../checks/http/slots.ts';

const never = new AbortController().signal;
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('check slots', () => {
  it('leave a quarter to others, however many one account waits for', async () => {
    const slots = new CheckSlots({ limit: 8, hostLimit: 100 });
    const taken: Release[] = [];
    for (let index = 0; index < 20; index++) {
      void slots
        .take({ accountId: 1, lane: 0, host: null, signal: never })
        .then((release) => release && taken.push(release));
    }
    await soon();
    expect(taken).to.have.lengthOf(6);
    expect(await slots.take({ accountId: 2, lane: 0, host: null, signal: never })).to.be.a('function');
  });

  it('go in turn over the accounts that wait', async () => {
    const slots = new CheckSlots({ limit: 1, hostLimit: 100 });
    const order: number[] = [];
    const hold = await slots.take({ accountId: 9, lane: 0, host: null, signal: never });
    const work = async (accountId: number) => {
      const release = await slots.take({ accountId, lane: 0, host: null, signal: never });
      order.push(accountId);
      release?.();
    };
    const all = [1, 1, 1, 1, 2, 2, 3].map(work);
    hold?.();
    await Promise.all(all);
    expect(order).to.deep.equal([1, 2, 3, 1, 2, 1, 1]);
  });

  it('go in turn over the lanes of an account', async () => {
    const slots = new CheckSlots({ limit: 1, hostLimit: 100 });
    const order: number[] = [];
    const hold = await slots.take({ accountId: 9, lane: 0, host: null, signal: never });
    const work = async (lane: number) => {
      const release = await slots.take({ accountId: 1, lane, host: null, signal: never });
      order.push(lane);
      release?.();
    };
    const all = [5, 5, 5, 6, 6, 7].map(work);
    hold?.();
    await Promise.all(all);
    expect(order).to.deep.equal([5, 6, 7, 5, 6, 5]);
  });

  it('keep to the limit of a host, and serve others past it', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 2 });
    const taken: string[] = [];
    const releases: Release[] = [];
    for (const host of ['a', 'a', 'a', 'b']) {
      void slots.take({ accountId: 1, lane: 0, host, signal: never }).then((release) => {
        taken.push(host);
        if (release) releases.push(release);
      });
    }
    await soon();
    expect(taken).to.deep.equal(['a', 'a', 'b']);
    releases[0]?.();
    releases[0]?.();
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
    hold?.();
    expect(slots.inFlight).to.equal(0);
    expect(await slots.take({ accountId: 1, lane: 0, host: null, signal: gaveUp.signal })).to.equal(null);
  });

  it('leave a host alone that asked for it, then go on at half', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 4 });
    slots.pause('a', 0.1);
    const startedMs = performance.now();
    const taken: number[] = [];
    for (let index = 0; index < 4; index++) {
      void slots
        .take({ accountId: 1, lane: 0, host: 'a', signal: never })
        .then(() => taken.push(performance.now() - startedMs));
    }
    await soon();
    expect(taken).to.deep.equal([]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(taken).to.have.lengthOf(2);
    expect(taken[0]).to.be.greaterThan(95);
  });

  it('are given out again when a pause is over that was prolonged', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 4 });
    slots.pause('a', 0.05);
    slots.pause('a', 0.15);
    const startedMs = performance.now();
    const signal = AbortSignal.timeout(1000);
    expect(await slots.take({ accountId: 1, lane: 0, host: 'a', signal })).to.be.a('function');
    expect(performance.now() - startedMs).to.be.within(140, 600);
  });

  it('are halved once for a host however often it complains, and trusted to it again in time', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 8 });
    const together = async () => {
      const signal = AbortSignal.timeout(20);
      const taking = Array.from({ length: 8 }, () =>
        slots.take({ accountId: 1, lane: 0, host: 'a', signal }),
      );
      const releases = (await Promise.all(taking)).filter((release) => release !== null);
      for (const release of releases) release();
      return releases.length;
    };
    expect(await together()).to.equal(8);
    for (let complaint = 0; complaint < 3; complaint++) {
      slots.pause('a', 0.01);
      await pause(30);
      expect(await together()).to.equal(4);
    }
    for (let checks = 4; checks < 20; checks += 4) expect(await together()).to.equal(4);
    expect(await together()).to.equal(8);
  });
});
