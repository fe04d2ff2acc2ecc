import { mock } from 'node:test';
import { expect } from 'chai';
import { type CheckSlot, CheckSlots } from '../../../checks/http/slots.ts';
import { takeSlot } from '../../support/target-tools.ts';

/**
 * Freezes dates and timers until `mock.timers.tick`. Earlier code in this process may clear a timer of an earlier
 * clock. Node would then clear a different timer of this clock. Therefore, only timers of this clock can be cleared.
 */
function freezeClock(): void {
  mock.timers.enable({ apis: ['Date', 'setTimeout'] });
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const timers = new WeakSet<object>();
  const setOurs = (...asked: Parameters<typeof set>) => {
    const timer = set(...asked);
    timers.add(timer);
    return timer;
  };
  globalThis.setTimeout = setOurs as typeof set;
  globalThis.clearTimeout = (timer) => {
    if (typeof timer === 'object' && timers.has(timer)) clear(timer);
  };
}

const never = new AbortController().signal;
const soon = () => new Promise((resolve) => setImmediate(resolve));
const newcomer = 999;

interface At {
  accountId: number;
  address: string;
  slot: CheckSlot;
}

/** Sends checks to addresses and records those that have arrived. */
function travelTo(slots: CheckSlots) {
  const there: At[] = [];
  const go = async (accountId: number, host: string, addresses = ['192.0.2.1']) => {
    const slot = await takeSlot(slots, accountId, host);
    there.push({ accountId, slot, address: await slot.moveTo(host, addresses, never) });
  };
  return { there, go };
}

describe('the limit of an address', () => {
  /** Takes up to 32 slots: 24 for the first account, 4 for the second, and one for each other account. */
  async function crowd(accounts: number) {
    const { there, go } = travelTo(new CheckSlots({ limit: 1000, hostLimit: 8 }));
    for (let accountId = 1; accountId <= accounts; accountId++) {
      const wanted = accountId > 2 ? 2 : 30;
      for (let item = 0; item < wanted; item++) void go(accountId, `${accountId}-${item}.example`);
      await soon();
    }
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
    it(`has a slot at once for an account that holds none, beside ${accounts} others`, async () => {
      const crowded = await crowd(accounts);
      expect(crowded.held).to.equal(held);
      expect(crowded.there.at(-1)?.accountId).to.equal(newcomer);
    });
  }

  it('gives the next slot to an account that holds none, beside 100 others', async () => {
    const { held, there } = await crowd(100);
    expect([held, there.length]).to.deep.equal([32, 32]);
    there[0]?.slot.release();
    await soon();
    expect(there[32]?.accountId).to.be.above(2);
  });

  it('reserves a slot for other accounts also if an address has only four slots', async () => {
    const { there, go } = travelTo(new CheckSlots({ limit: 100, hostLimit: 1 }));
    for (let item = 0; item < 5; item++) void go(1, `host${item}`);
    await soon();
    expect(there).to.have.lengthOf(3);
    await go(2, 'host');
  });

  it('tries other addresses of a name, and holds one only', async () => {
    const { there, go } = travelTo(new CheckSlots({ limit: 100, hostLimit: 2 }));
    const addresses = Array.from({ length: 8 }, (_, index) => `192.0.2.${index + 1}`);
    const [first = '', second = '', third = '', last = ''] = [
      ...addresses.slice(0, 3),
      ...addresses.slice(7),
    ];
    // One account takes six slots at the first address, which is its maximum. Two other accounts take the last two
    // slots.
    for (let index = 0; index < 8; index++) await go(index < 6 ? 1 : index, `host${index}`, [first]);
    for (let index = 0; index < 8; index++) await go(3, `other${index}`, addresses);
    const taken = (address: string) => there.filter((one) => one.address === address).length;
    expect([first, second, third, last].map(taken)).to.deep.equal([8, 6, 2, 0]);
    for (let index = 0; index < 8; index++) await go(10 + index, `last${index}`, [last]);
  });
});

describe('the limit of a host that asked for a pause', () => {
  // Only the clock is frozen: promises still run.
  beforeEach(() => freezeClock());
  afterEach(() => mock.timers.reset());

  const take = (slots: CheckSlots, signal = never) => slots.acquire({ accountId: 1, host: 'a', signal });

  it('is zero until the pause is over, then half', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 4 });
    slots.pause('a', 10);
    let taken = 0;
    for (let index = 0; index < 4; index++) void take(slots).then(() => taken++);
    const redirected = await slots.acquire({ accountId: 1, host: 'b', signal: never });
    void redirected?.moveTo('a', ['192.0.2.1'], never).then(() => taken++);
    mock.timers.tick(9_900);
    await soon();
    expect(taken).to.equal(0);
    mock.timers.tick(200);
    await soon();
    expect(taken).to.equal(3);
  });

  it('is zero until the end of the longest pause', async () => {
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

  it('is halved once per pause, and rises again with time', async () => {
    const slots = new CheckSlots({ limit: 100, hostLimit: 8 });
    const together = async () => {
      const gaveUp = new AbortController();
      const taking = Array.from({ length: 8 }, () => take(slots, gaveUp.signal));
      await soon();
      gaveUp.abort();
      const held = (await Promise.all(taking)).filter((slot) => slot !== null);
      for (const slot of held) slot.release();
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
