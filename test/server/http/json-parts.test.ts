import { expect } from 'chai';
import fc from 'fast-check';
import { lookAtParts } from '../../../server/http/json-parts.ts';

/** Values and keys, counted the dear way; the outermost value comes after nothing. */
function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  const own = Array.isArray(value) ? inner.length : inner.length * 2;
  return inner.reduce<number>((sum, one) => sum + partsOf(one), Math.max(1, own));
}

const hasMoreParts = (json: Buffer, parts: number, fields = Number.POSITIVE_INFINITY) =>
  stepsOf(json, parts, fields).answer;

function stepsOf(json: Buffer, parts: number, fields: number): { steps: number; answer: boolean } {
  const look = lookAtParts(json, { parts, fields });
  for (let steps = 0; ; steps++) {
    const { done, value } = look.next();
    if (done) return { steps, answer: value.hasMore };
  }
}

/** The most fields of any one object, counted the dear way. */
function fieldsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Math.max(own, ...Object.values(value).map(fieldsOf));
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

  it('are counted by the object too', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const fields = fieldsOf(JSON.parse(json));
        const plain = Buffer.from(JSON.stringify(JSON.parse(json)));
        expect(hasMoreParts(plain, Number.POSITIVE_INFINITY, Math.max(1, fields))).to.equal(false);
        if (fields > 1) expect(hasMoreParts(plain, Number.POSITIVE_INFINITY, fields - 1)).to.equal(true);
      }),
    );
  });

  it('are counted in steps, so that others are served between', () => {
    const long = Buffer.from(JSON.stringify({ a: ' '.repeat(100_000), b: Array(500_000).fill(1) }));
    expect(stepsOf(long, 1_000_000, 100)).to.deep.equal({ steps: 16, answer: false });
  });

  it('are not looked for in texts', () => {
    for (const text of [',:[{'.repeat(9), '\\'.repeat(7), '",'.repeat(9), 'é"\\"'])
      expect(hasMoreParts(Buffer.from(JSON.stringify(['a', text])), 2), text).to.equal(false);
  });
});
