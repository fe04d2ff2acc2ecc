import { expect } from 'chai';
import { createReaders } from '../../../server/limits/readers.ts';
import { noteAsking, restMs } from '../../../server/limits/rest.ts';

describe('the rest between two long acts of an account', () => {
  // As if nobody had asked for anything.
  const forget = () => {
    for (const account of [-1, -2]) noteAsking(account, Number.NEGATIVE_INFINITY);
  };
  beforeEach(forget);
  after(forget);

  it('is as long as the first took while others ask, 0.4 s at most', () => {
    noteAsking(2, 1000);
    noteAsking(1, 1001);
    expect(restMs(1, 1001, 1021)).to.equal(20);
    noteAsking(1, 1010);
    expect(restMs(1, 1001, 1021)).to.equal(20);
    expect(restMs(1, 1001, 9000)).to.equal(400);
    expect(restMs(2, 1001, 1021), 'of the other').to.equal(20);
  });

  it('is none for who is alone, and for whom nobody else has asked beside for a second', () => {
    noteAsking(1, 1000);
    expect(restMs(1, 1000, 1020)).to.equal(0);
    noteAsking(2, 1500);
    noteAsking(1, 2600);
    expect(restMs(1, 2600, 2620)).to.equal(0);
    expect(restMs(1, 2500, 2620)).to.equal(120);
  });

  it('holds back the next page, and nobody who has got his', async () => {
    const readers = createReaders({} as never, 0);
    const seen: string[] = [];
    let tookMs = 0;
    const first = async () => {
      noteAsking(2);
      noteAsking(1);
      const beganMs = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 40));
      tookMs = performance.now() - beganMs;
      return 'first';
    };
    let doneMs = 0;
    const pages = [
      readers.pageInTurn(1, first).then((page) => {
        doneMs = performance.now();
        seen.push(page);
      }),
      readers.pageInTurn(1, async () => {
        seen.push('second');
        // A timer may be a millisecond early.
        expect(performance.now() - doneMs).to.be.at.least(Math.min(tookMs, 400) - 2);
      }),
      readers.pageInTurn(2, async () => seen.push('of another')),
    ];
    await Promise.all(pages);
    expect(seen).to.deep.equal(['of another', 'first', 'second']);
    await expectRejection(readers.pageInTurn(1, () => Promise.reject(new Error('no page'))));
  });

  async function expectRejection(page: Promise<unknown>): Promise<void> {
    const problem = await page.catch((error: Error) => error.message);
    expect(problem).to.equal('no page');
  }
});
