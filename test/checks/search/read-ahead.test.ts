import { expect } from 'chai';
import { readAhead } from '../../../checks/search/reader.ts';

/** Reads pages that take `pageMs` each, on a simulated clock. Returns how many requests were in flight at most. */
async function read(pageMs: number, deadlineMs: number | null, wanted = 10) {
  let now = 0;
  let inFlight = 0;
  const together: number[] = [];
  const waiting: { until: number; arrive: () => void }[] = [];
  const ask = (page: number) => {
    inFlight += 1;
    together.push(inFlight);
    return new Promise<number>((resolve) => {
      const arrive = () => {
        inFlight -= 1;
        resolve(page);
      };
      waiting.push({ until: now + pageMs, arrive });
    });
  };
  const pages: number[] = [];
  const reading = readAhead({ from: 1, to: 10 }, deadlineMs, ask, () => now);
  while (pages.length < wanted) {
    const next = reading.next();
    // Requests are sent by the next turn of the loop.
    await new Promise(setImmediate);
    for (const first = waiting[0]?.until ?? now; (waiting[0]?.until ?? Infinity) <= first; ) {
      now = first;
      waiting.shift()?.arrive();
    }
    const { value, done } = await next;
    if (done) break;
    pages.push(value);
  }
  return { pages, asked: together.length, most: Math.max(...together), endedMs: now };
}

describe('read-ahead', () => {
  it('requests one page after the other in a batch, and when the rest fits the time', async () => {
    for (const deadlineMs of [null, 24_000]) {
      const { pages, most } = await read(1_500, deadlineMs);
      expect(pages).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(most).to.equal(1);
    }
    expect((await read(1_500, 24_000, 3)).asked).to.equal(3);
  });

  it('requests as many at once as needed to finish in time', async () => {
    for (const [pageMs, atMost] of [
      [2_500, 2],
      [5_000, 4],
      [8_000, 9],
    ] as const) {
      const { pages, most, endedMs } = await read(pageMs, 24_000);
      expect(pages).to.have.lengthOf(10);
      expect(endedMs).to.be.at.most(24_000);
      expect(most).to.be.within(2, atMost);
    }
  });

  it('requests all the rest at once when there is time for only one', async () => {
    expect((await read(13_000, 24_000)).most).to.equal(9);
  });

  it('ignores a page that is not needed, also when it fails', async () => {
    const ask = async (page: number) => {
      if (page > 1) throw new Error('fails');
      return page;
    };
    for await (const page of readAhead({ from: 1, to: 3 }, 0, ask)) {
      expect(page).to.equal(1);
      break;
    }
  });
});
