import { mock } from 'node:test';
import { expect } from 'chai';
import { freezeClock } from './support/still-clock.ts';

describe('a frozen clock', () => {
  afterEach(() => mock.timers.reset());

  it('loses no timer of an earlier clock', () => {
    freezeClock();
    const earlier = setTimeout(() => {}, 1000);
    mock.timers.reset();
    freezeClock();
    let rang = 0;
    const cleared = setTimeout(() => (rang += 100), 500);
    setTimeout(() => (rang += 1), 1000);
    clearTimeout(earlier);
    clearTimeout(cleared);
    mock.timers.tick(1000);
    expect(rang).to.equal(1);
  });
});
