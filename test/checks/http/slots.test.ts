import { expect } from 'chai';
import { type CheckSlot, CheckSlots } from '../../../checks/http/slots.ts';
import { takeSlot as take } from '../../support/target-tools.ts';

const never = new AbortController().signal;
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('check slots', () => {
  it('leave a quarter to other accounts, however many checks of one account wait', async () => {
    const slots = new CheckSlots({ limit: 8, hostLimit: 100 });
    let taken = 0;
    for (let index = 0; index < 20; index++) void take(slots, 1).then(() => taken++);
    await soon();
    expect(taken).to.equal(6);
    await take(slots, 2);
  });

  it('are assigned to the waiting accounts in turn', async () => {
    const slots = new CheckSlots({ limit: 1, hostLimit: 100 });
    const order: number[] = [];
    const hold = await take(slots, 9);
    const work = async (accountId: number) => {
      const slot = await take(slots, accountId);
      order.push(accountId);
      slot.release();
    };
    const all = [3, 3, 3, 3, 1, 1, 2].map(work);
    hold.release();
    await Promise.all(all);
    expect(order).to.deep.equal([3, 1, 2, 3, 1, 3, 3]);
  });

  it('respect the limit of a host, and serve other hosts meanwhile', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 2 });
    const taken: string[] = [];
    const held: CheckSlot[] = [];
    for (const host of ['a', 'a', 'a', 'b']) {
      void take(slots, 1, host).then((slot) => {
        taken.push(host);
        held.push(slot);
      });
    }
    await soon();
    expect(taken).to.deep.equal(['a', 'a', 'b']);
    held[0]?.release();
    held[0]?.release();
    await soon();
    expect(taken).to.deep.equal(['a', 'a', 'b', 'a']);
    expect(slots.inFlight).to.equal(3);
  });

  it('are not given to a check that no longer waits', async () => {
    const slots = new CheckSlots({ limit: 1, hostLimit: 1 });
    const hold = await take(slots, 1);
    const gaveUp = new AbortController();
    const waiting = slots.acquire({ accountId: 1, host: null, signal: gaveUp.signal });
    gaveUp.abort();
    expect(await waiting).to.equal(null);
    hold.release();
    expect(slots.inFlight).to.equal(0);
    expect(await slots.acquire({ accountId: 1, host: null, signal: gaveUp.signal })).to.equal(null);
  });

  for (const greedy of [1, 4, 10, 14]) {
    it(`serve ten checks of another account at once beside ${greedy} accounts whose targets never answer`, async () => {
      const slots = new CheckSlots({ limit: 100, hostLimit: 8 });
      for (let accountId = 1; accountId <= greedy; accountId++) {
        for (let item = 0; item < 100; item++) void take(slots, accountId, `${accountId}-${item}`);
      }
      let done = 0;
      for (let item = 0; item < 10; item++) {
        void take(slots, 999, 'other').then(async (slot) => {
          await soon();
          done += 1;
          slot.release();
        });
      }
      for (let turn = 0; turn < 50; turn++) await soon();
      expect(done).to.equal(10);
      expect(slots.inFlight).to.be.at.least(75).and.at.most(100);
    });
  }
});

describe('the slot of a redirected check', () => {
  const at = ['192.0.2.1'];

  it('waits for the next host, and the waiting accounts take turns', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 2 });
    const order: string[] = [];
    const holders = [await take(slots, 1, 'victim'), await take(slots, 1, 'victim')];
    for (const slot of holders) await slot.moveTo('victim', at, never);
    const redirected = await Promise.all(['a', 'b', 'c'].map((host) => take(slots, 1, host)));
    const moves = redirected.map((slot, index) =>
      slot.moveTo('victim', at, never).then(() => order.push(`redirected ${index}`)),
    );
    const other = await take(slots, 2, 'c');
    moves.push(other.moveTo('victim', at, never).then(() => order.push('of another account')));
    await soon();
    expect(order).to.deep.equal([]);
    for (const slot of holders) slot.release();
    await soon();
    expect(order).to.deep.equal(['of another account', 'redirected 0']);
    other.release();
    for (const slot of redirected) {
      await soon();
      slot.release();
    }
    await Promise.all(moves);
    expect(slots.inFlight).to.equal(0);
  });

  it('never waits forever: checks that redirect back and forth between two hosts complete', async () => {
    const slots = new CheckSlots({ limit: 4, hostLimit: 1 });
    const walk = async (from: string, to: string) => {
      const slot = await take(slots, 1, from);
      for (const host of [to, from, to]) expect(await slot.moveTo(host, [host], never)).to.equal(host);
      slot.release();
    };
    await Promise.all(Array.from({ length: 20 }, (_, nth) => (nth % 2 ? walk('a', 'b') : walk('b', 'a'))));
    expect(slots.inFlight).to.equal(0);
  });

  it('stops waiting at an abort', async () => {
    const slots = new CheckSlots({ limit: 4, hostLimit: 1 });
    const holder = await take(slots, 1, 'victim');
    await holder.moveTo('victim', at, never);
    const slot = await take(slots, 1, 'a');
    const gaveUp = new AbortController();
    const moving = slot.moveTo('victim', at, gaveUp.signal).catch((error) => error);
    gaveUp.abort(new Error('told'));
    expect(await moving).to.have.property('message', 'told');
    holder.release();
    slot.release();
    await (await take(slots, 1, 'victim')).moveTo('victim', at, never);
  });

  it('counts at its first host, so that a site that redirects all to a slow one does not fill the slots', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 2 });
    const redirected = [await take(slots, 1, 'fast'), await take(slots, 1, 'fast')];
    for (const slot of redirected) await slot.moveTo('slow', at, never);
    let begun = 0;
    const next = take(slots, 1, 'fast').then(() => begun++);
    await soon();
    expect(begun).to.equal(0);
    redirected[0]?.release();
    await next;
  });
});
