import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { visibilityAt, visibilityCurve } from '../../schemas/visibility.ts';

describe('visibility', () => {
  it('is 1 in the first place, less in each after it, and 0 from place 21 on', () => {
    const weights = Array.from({ length: 21 }, (_, place) => visibilityAt(place + 1));
    expect(weights[0]).to.equal(1);
    for (const [place, weight] of weights.entries())
      if (place > 0) expect(weight).to.be.lessThan(weights[place - 1] ?? 0);
    expect(weights[20]).to.equal(0);
    expect(visibilityAt(0)).to.equal(0);
  });

  it('follows the curve in the docs', () => {
    const docs = readFileSync('docs/monitors.md', 'utf8');
    const list = /weighs ranks 1 to 20 with ([\d\s.,and]+\d)/.exec(docs)?.[1] ?? '';
    const written = list.split(/[\s,and]+/).map(Number);
    expect(written).to.deep.equal([...visibilityCurve.weights]);
  });
});
