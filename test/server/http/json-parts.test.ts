import { expect } from 'chai';
import fc from 'fast-check';
import { PartsLook } from '../../../server/http/json-parts.ts';

/** Values and keys, counted the dear way; the outermost value comes after nothing. */
function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  const own = Array.isArray(value) ? inner.length : inner.length * 2;
  return inner.reduce<number>((sum, one) => sum + partsOf(one), Math.max(1, own));
}

const hasMoreParts = (json: Buffer, parts: number, fields = Number.POSITIVE_INFINITY) =>
  look([json], parts, fields).hasMore;

function look(pieces: Buffer[], parts: number, fields: number, step?: number) {
  const found = new PartsLook({ parts, fields }, step);
  const read = pieces.findIndex((piece) => !found.read(piece));
  return { hasMore: read !== -1, piecesRead: read === -1 ? pieces.length : read + 1, seams: found.seams };
}

/** Cut into pieces of some bytes each. */
function cut(json: Buffer, bytes: number): Buffer[] {
  const count = Math.ceil(json.length / bytes);
  return Array.from({ length: count }, (_, nth) => json.subarray(nth * bytes, (nth + 1) * bytes));
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

  it('are the same however the text comes in pieces', () => {
    const odd = fc.stringMatching(/^["\\\\,[{:}x]*$/);
    const json = fc.oneof(
      fc.json(),
      fc.dictionary(odd, fc.array(odd, { maxLength: 9 }), { maxKeys: 4 }).map((body) => JSON.stringify(body)),
    );
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 9 }), fc.nat(40), (text, bytes, parts) => {
        const whole = Buffer.from(text);
        const [asOne, inPieces] = [[whole], cut(whole, bytes)].map((pieces) => look(pieces, parts, 3, 5));
        expect(inPieces?.hasMore).to.equal(asOne?.hasMore);
        expect(inPieces?.seams).to.deep.equal(asOne?.seams);
      }),
    );
  });

  it('are counted as the text comes: what follows the one too many is not looked at', () => {
    const empty = Buffer.from(`{"urls":[${'{},'.repeat(2_000_000)}{}]}`);
    const kibibyte = 1024;
    // Two parts to three bytes: a brace and a comma.
    expect(look(cut(empty, kibibyte), 100_000, 100)).to.include({
      hasMore: true,
      piecesRead: 147,
    });
    const fields = Buffer.from(`{${Array.from({ length: 48_000 }, (_, nth) => `"k${nth}":1`).join()}}`);
    expect(look(cut(fields, kibibyte), 100_000, 100)).to.include({ hasMore: true, piecesRead: 1 });
  });

  it('are not looked for in texts', () => {
    for (const text of [',:[{'.repeat(9), '\\'.repeat(7), '",'.repeat(9), 'é"\\"'])
      expect(hasMoreParts(Buffer.from(JSON.stringify(['a', text])), 2), text).to.equal(false);
  });
});
