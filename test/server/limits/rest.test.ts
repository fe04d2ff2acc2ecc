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
    let [beganMs, tookMs] = [0, 0];
    const first = async () => {
      noteAsking(2);
      noteAsking(1);
      beganMs = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 40));
      tookMs = performance.now() - beganMs;
      return 'first';
    };
    const pages = [
      readers.pageInTurn(1, first).then((page) => seen.push(page)),
      readers.pageInTurn(1, async () => {
        seen.push('second');
        // A timer may be a millisecond early.
        expect(performance.now() - beganMs).to.be.at.least(tookMs + Math.min(tookMs, 400) - 2);
      }),
      readers.pageInTurn(2, async () => seen.push('of another')),
    ];
    await Promise.all(pages);
    expect(seen).to.deep.equal(['of another', 'first', 'second']);
    const refused = readers.pageInTurn(1, () => Promise.reject(new Error('no page')));
    expect(await refused.catch(({ message }: Error) => message)).to.equal('no page');
  });
});
