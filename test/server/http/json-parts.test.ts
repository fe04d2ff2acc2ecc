import { expect } from 'chai';
import fc from 'fast-check';
import { hasMoreParts } from '../../../server/http/json-parts.ts';

/** Values and keys, counted the dear way; the outermost value comes after nothing. */
function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  const own = Array.isArray(value) ? inner.length : inner.length * 2;
  return inner.reduce<number>((sum, one) => sum + partsOf(one), Math.max(1, own));
}

describe('the parts of a body', () => {
  it('are counted without making them', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const parts = partsOf(JSON.parse(json));
        expect(hasMoreParts(Buffer.from(json), parts)).to.equal(false);
        if (parts > 0) expect(hasMoreParts(Buffer.from(json), parts - 1)).to.equal(true);
      }),
    );
  });

  it('are not looked for in texts', () => {
    for (const text of [',:[{'.repeat(9), '\\'.repeat(7), '",'.repeat(9), 'é"\\"'])
      expect(hasMoreParts(Buffer.from(JSON.stringify(['a', text])), 2), text).to.equal(false);
  });
});
