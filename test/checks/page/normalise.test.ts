import { expect } from 'chai';
import { normalise } from '../../../checks/page/normalise.ts';
import { expectLinear } from '../../support/growth.ts';

describe('normalise', () => {
  it('keeps a letter that has ordinary marks', () => {
    expect(normalise('\u0915\u093f\u0902')).to.equal('\u0915\u093f\u0902');
  });

  it('takes linear time for a run of marks', () =>
    expectLinear(normalise, (share) => `a${'\u0315\u0300'.repeat(30_000 * share)}`));
});
