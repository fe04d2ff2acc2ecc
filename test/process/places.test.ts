import { expect } from 'chai';
import { Places } from '../../process/places.ts';

/** Gives accounts as many places as they get while they go on asking in turn. */
function fill(places: Places, accounts: number[]): void {
  for (let gave = true; gave; ) {
    gave = false;
    for (const accountId of accounts) {
      if (!places.hasFor(accountId)) continue;
      places.take(accountId);
      gave = true;
    }
  }
}

describe('places', () => {
  const greedy = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  for (const count of [1, 4, 20, 100]) {
    it(`have one for whoever holds none, beside ${count} accounts that take what they get`, () => {
      const places = new Places({ limit: 400, perAccount: 5, forNewcomers: 340 });
      fill(places, greedy(count));
      expect(places.hasFor(1)).to.equal(false);
      expect(places.hasFor(count + 1)).to.equal(true);
    });
  }

  for (const count of [1, 4, 20, 100]) {
    it(`for deliveries are shared by ${count}, and one account gets twelve at most`, () => {
      const places = new Places({ limit: 60, perAccount: 12, forNewcomers: 12 });
      fill(places, greedy(count));
      expect(places.held).to.equal(count === 1 ? 12 : Math.min(60, Math.max(48, count)));
      expect(places.hasFor(999)).to.equal(places.held < 60);
    });
  }

  it('are shared evenly, up to what one may hold, outside of those for newcomers', () => {
    const places = new Places({ limit: 60, perAccount: 12, forNewcomers: 12 });
    fill(places, greedy(4));
    expect(places.held).to.equal(48);
    expect(places.full()).to.deep.equal([1, 2, 3, 4]);
    for (const newcomer of [5, 6]) {
      places.take(newcomer);
      expect(places.hasFor(newcomer)).to.equal(false);
    }
    for (let index = 0; index < 3; index++) places.leave(1);
    expect(places.full()).to.deep.equal([2, 3, 4]);
  });

  it('come to an end', () => {
    const places = new Places({ limit: 3, perAccount: 2, forNewcomers: 2 });
    fill(places, greedy(5));
    expect(places.isFull).to.equal(true);
    expect(places.hasFor(9)).to.equal(false);
  });
});
