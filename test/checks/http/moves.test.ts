import { expect } from 'chai';
import type { HeldSlot } from '../../../checks/http/held-slot.ts';
import { CheckSlots } from '../../../checks/http/slots.ts';

const never = new AbortController().signal;
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('a check that is sent on', () => {
  const take = async (slots: CheckSlots, host: string, accountId = 1): Promise<HeldSlot> => {
    const slot = await slots.take({ accountId, lane: 0, host, signal: never });
    if (!slot) throw new Error('no slot');
    return slot;
  };

  it('gives its place back and takes one where it goes, in turn with others', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 2 });
    const order: string[] = [];
    const atVictim = [await take(slots, 'victim'), await take(slots, 'victim')];
    const sent = await Promise.all(['a', 'b', 'c'].map((host) => take(slots, host)));
    const moves = sent.map((slot, index) =>
      slot.moveTo('victim', [], { signal: never }).then(() => order.push(`sent ${index}`)),
    );
    const other = take(slots, 'victim', 2).then((slot) => {
      order.push('of another account');
      return slot;
    });
    await soon();
    expect(order).to.deep.equal([]);
    for (const slot of atVictim) slot.giveBack();
    await soon();
    expect(order).to.have.members(['sent 0', 'of another account']);
    (await other).giveBack();
    for (const slot of sent) {
      await soon();
      slot.giveBack();
    }
    await Promise.all(moves);
    expect(slots.inFlight).to.equal(0);
  });

  it('never waits for ever: checks that go to and fro between two hosts come through', async () => {
    const slots = new CheckSlots({ limit: 4, hostLimit: 1 });
    const walk = async (from: string, to: string) => {
      const slot = await take(slots, from);
      for (const host of [to, from, to])
        expect(await slot.moveTo(host, [host], { signal: never })).to.deep.equal({ host, address: host });
      slot.giveBack();
    };
    const walks = Array.from({ length: 20 }, (_, index) => (index % 2 ? walk('a', 'b') : walk('b', 'a')));
    await Promise.all(walks);
    expect(slots.inFlight).to.equal(0);
  });

  it('gives up when told, and may not go on after its end', async () => {
    const slots = new CheckSlots({ limit: 4, hostLimit: 1 });
    const holder = await take(slots, 'victim');
    const slot = await take(slots, 'a');
    const gaveUp = new AbortController();
    const moving = slot.moveTo('victim', [], gaveUp);
    gaveUp.abort();
    expect(await moving).to.equal(null);
    holder.giveBack();
    slot.giveBack();
    expect(await slot.moveTo('victim', [], { signal: never })).to.equal(null);
    (await take(slots, 'victim')).giveBack();
  });

  it('keeps others from a host that sends all to where no place is', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 2 });
    const holders = [await take(slots, 'slow'), await take(slots, 'slow')];
    const sent = [await take(slots, 'fast'), await take(slots, 'fast')];
    const moves = sent.map((slot) => slot.moveTo('slow', [], { signal: never }));
    let begun = 0;
    const next = take(slots, 'fast').then((slot) => {
      begun += 1;
      return slot;
    });
    await soon();
    expect(begun).to.equal(0);
    holders[0]?.giveBack();
    (await next).giveBack();
    holders[1]?.giveBack();
    await Promise.all(moves);
  });

  it('finds four times the places of a host at an address, and one account three quarters of them', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 2 });
    let there = 0;
    const go = async (host: string, accountId: number) => {
      const slot = await take(slots, host, accountId);
      await slot.moveTo(host, ['192.0.2.1'], { signal: never });
      there += 1;
      return slot;
    };
    const first = Array.from({ length: 10 }, (_, index) => go(`host${index}`, 1));
    await soon();
    expect(there).to.equal(6);
    const others = Array.from({ length: 10 }, (_, index) => go(`other${index}`, index + 2));
    await soon();
    expect(there).to.equal(8);
    await Promise.all([...first, ...others].map((going) => going.then((slot) => slot.giveBack())));
    expect(there).to.equal(20);
    expect(slots.inFlight).to.equal(0);
  });

  it('is let in where any address of a name has room, and holds that one alone', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 2 });
    const addresses = Array.from({ length: 8 }, (_, index) => `192.0.2.${index + 1}`);
    const go = async (host: string, accountId: number, to = addresses) =>
      (await take(slots, host, accountId)).moveTo(host, to, { signal: never });
    const [first = ''] = addresses;
    // One account takes the six places it may have at the first address, and two others the two that are left.
    for (let index = 0; index < 8; index++) await go(`host${index}`, index < 6 ? 1 : index, [first]);
    let there = 0;
    const victims = Array.from({ length: 8 }, async (_, index) => {
      const place = await go(`victim${index}`, 3);
      there += 1;
      return place?.address;
    });
    await soon();
    expect(there).to.equal(8);
    const used = await Promise.all(victims);
    expect(used.filter((address) => address === addresses[1])).to.have.lengthOf(6);
    expect(used.filter((address) => address === addresses[2])).to.have.lengthOf(2);
    // The last address was never gone to: it has all its places.
    const atLast = Array.from({ length: 8 }, (_, index) =>
      go(`last${index}`, 10 + index, addresses.slice(7)),
    );
    expect(await Promise.all(atLast)).to.have.lengthOf(8);
  });
});
