import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createAddressPolicy } from '../../../net/address.ts';
import { readList } from '../../../server/api/read-list.ts';
import { readTargets } from '../../../server/api/targets.ts';
import { FieldFaults } from '../../../server/http/errors.ts';

/** How often somebody else was served while something was read. */
async function turnsDuring(reading: Promise<unknown>): Promise<number> {
  let isRead = false;
  let turns = 0;
  const ended = reading.then(() => {
    isRead = true;
  });
  while (!isRead) {
    await setImmediate();
    turns += 1;
  }
  await ended;
  return turns;
}

const policy = createAddressPolicy([]);
const read = (urls: unknown[]) =>
  readTargets(urls, { policy, dedupe: false, onInvalid: 'skip' }, new FieldFaults());

describe('a list', () => {
  it('of 2,000 lets other requests run a hundred times', async () => {
    const urls = Array.from({ length: 2000 }, (_, n) => `https://example.com/${n}`);
    expect(await turnsDuring(read(urls))).to.be.within(99, 102);
  });

  it('knows repeated entries', async () => {
    const entries = Array.from({ length: 200 }, (_, nth) => ({ url: `a${nth % 100}.example` }));
    const choice = { dedupe: true, onInvalid: 'reject' } as const;
    const { valid, duplicates } = await readList(entries, choice, 'queries', new FieldFaults(), (value) => ({
      value,
      sameAs: JSON.stringify(value),
      faults: null,
    }));
    expect([valid.length, duplicates]).to.deep.equal([100, 100]);
  });

  it('of ten is read at once', async () => {
    expect(await turnsDuring(read(Array(10).fill('https://example.com/')))).to.equal(1);
  });

  it('keeps its order and its places', async () => {
    const urls = Array.from({ length: 500 }, (_, n) => (n % 2 ? 'no' : `https://example.com/${n}`));
    const { valid, skipped } = await read(urls);
    const even = Array.from({ length: 250 }, (_, n) => 2 * n);
    expect(valid.map(({ position }) => position)).to.deep.equal(even);
    expect(skipped).to.have.lengthOf(250);
  });
});
