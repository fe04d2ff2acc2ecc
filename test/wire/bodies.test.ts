import { expect } from 'chai';
import { checkTypeNames, getCheckType } from '../../schemas/check-types.ts';

describe('the body of an item', () => {
  it('has no field of the answer that hides another one', () => {
    for (const type of checkTypeNames) {
      const { input, answer } = getCheckType(type);
      const always = ['request_id', 'state', 'credits', 'checked_at', 'results', 'reference', 'message'];
      const all = [...Object.keys(input.properties), ...always];
      const { results: _, ...kept } = answer.properties;
      expect(Object.keys(kept).filter((name) => all.includes(name))).to.deep.equal([]);
    }
  });
});
