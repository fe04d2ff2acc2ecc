import { expect } from 'chai';
import { normalise } from '../../../checks/page/normalise.ts';
import { expectLinear } from '../../support/growth.ts';

describe('normalising the text of a page', () => {
  it('keeps a letter that has ordinary marks', () => {
    expect(normalise('\u0915\u093f\u0902')).to.equal('\u0915\u093f\u0902');
  });

  it('takes time that grows with a run of marks and no faster', () =>
    expectLinear(normalise, (share) => `a${'\u0315\u0300'.repeat(30_000 * share)}`));
});
