import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createAddressPolicy } from '../../../net/address.ts';
import { createTargetParser } from '../../../server/api/queries.ts';
import { readList } from '../../../server/api/read-list.ts';
import { readTargets } from '../../../server/api/targets.ts';
import { FieldErrorCollector } from '../../../server/http/errors.ts';
import { expectLinear } from '../../support/growth.ts';
import { countParses } from '../../support/parses.ts';

/** Counts the turns of the event loop that other work got during a read. */
async function countTurns(reading: Promise<unknown>): Promise<number> {
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
  readTargets(urls, { policy, dedupe: false, onInvalid: 'skip' }, new FieldErrorCollector());

describe('reading a list', () => {
  it('lets other requests run between expensive entries', async () => {
    const choice = { dedupe: false, onInvalid: 'reject' } as const;
    const reading = readList(Array(20).fill('a'), choice, new FieldErrorCollector(), {
      field: 'urls',
      read: (entry) => {
        const endMs = performance.now() + 2;
        while (performance.now() < endMs);
        return { value: entry, sameAs: String(entry), faults: null };
      },
      toSkipped: String,
    });
    expect(await countTurns(reading)).to.be.at.least(19);
  });

  it('compares long entries of one length in linear time', () =>
    expectLinear(
      (ends) => read(ends.split(' ').map((end) => 'x'.repeat(17_000) + end)),
      (share) => Array.from({ length: 1_600 * share }, (_, nth) => 1_000 + nth).join(' '),
    ));

  it('keeps order and positions', async () => {
    const urls = Array.from({ length: 500 }, (_, n) => (n % 2 ? 'no' : `https://example.com/${n}`));
    const { valid, skipped } = await read(urls);
    const even = Array.from({ length: 250 }, (_, n) => 2 * n);
    expect(valid.map(({ position }) => position)).to.deep.equal(even);
    expect(skipped).to.have.lengthOf(250);
  });
});

describe('parsing the targets of a list', () => {
  it('caches up to 1,000 targets', () => {
    const targets = createTargetParser();
    const of = (text: string) => targets.parseMatch(text);
    const competitors = Array.from({ length: 1000 }, (_, n) => `bücher${n}.example`);
    expect(countParses(() => competitors.map(of)).parses).to.equal(1000);
    expect(countParses(() => competitors.map(of)).parses).to.equal(0);
    expect(countParses(() => ['a.de', 'a.de'].map(of)).parses).to.equal(2);
  });

  it('detects the match type, or uses the requested one', () => {
    const targets = createTargetParser();
    for (const text of ['a.de', 'a.de/x', 'com', 'a.de']) {
      const implied = { 'a.de': 'site', 'a.de/x': 'page' }[text] ?? null;
      expect(targets.parseMatch(text)).to.equal(implied);
      expect(targets.parseMatch(text, 'prefix')).to.equal(implied && 'prefix');
    }
  });
});
