import { expect } from 'chai';
import fc from 'fast-check';
import { PartsLook } from '../../../server/http/json-parts.ts';
import { parseInPieces } from '../../../server/http/json-pieces.ts';

const max = { parts: 1_000_000, fields: 1_000_000 };

function last<T>(work: Generator<void, T>): { value: T; stops: number } {
  for (let stops = 0; ; stops++) {
    const { done, value } = work.next();
    if (done) return { value, stops };
  }
}

function parsed(json: string, step: number): { value: unknown; stops: number } {
  const bytes = Buffer.from(json);
  const look = new PartsLook(max, step);
  look.read(bytes);
  return last(parseInPieces(bytes, look.seams));
}

function orError(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    expect(error).to.be.instanceOf(SyntaxError);
    return 'no JSON';
  }
}

describe('JSON in pieces', () => {
  const body = fc.dictionary(fc.string(), fc.array(fc.jsonValue(), { maxLength: 12 }), { maxKeys: 4 });
  const spaces = fc.constantFrom(undefined, 1);

  it('is what it is as a whole', () => {
    fc.assert(
      fc.property(body, spaces, fc.nat(9), (value, space, step) => {
        const json = JSON.stringify(value, null, space);
        expect(parsed(json, step).value).to.deep.equal(JSON.parse(json));
      }),
    );
  });

  it('is none where it would be none as a whole', () => {
    fc.assert(
      fc.property(
        body,
        fc.nat(),
        fc.constantFrom('', ',', ']', '}', '[', '{', '"', '\ufeff', ' ,'),
        fc.nat(9),
        (value, where, put, step) => {
          const json = JSON.stringify(value);
          const at = where % json.length;
          const broken = json.slice(0, at) + put + json.slice(at + 1);
          expect(orError(() => parsed(broken, step).value)).to.deep.equal(orError(() => JSON.parse(broken)));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('has the last of two fields of one name', () => {
    expect(parsed('{"urls":[1,2,3,4,5],"urls":[6,7,8,9]}', 1).value).to.deep.equal({ urls: [6, 7, 8, 9] });
    expect(parsed('{"urls":[1,2,3,4,5],"urls":null}', 1).value).to.deep.equal({ urls: null });
  });

  it('leaves the bytes as they came, whose brackets it lends to each piece', () => {
    const json = JSON.stringify({ urls: Array(200).fill('x'.repeat(997)), reference: 'r' });
    for (const text of [json, json.replace('x",', 'x" x,')]) {
      const bytes = Buffer.from(text);
      const look = new PartsLook(max, 64 * 1024);
      look.read(bytes);
      expect(look.seams).to.have.length.above(1);
      orError(() => last(parseInPieces(bytes, look.seams)));
      expect(bytes.equals(Buffer.from(text))).to.equal(true);
    }
  });

  it('stops between them', () => {
    const json = JSON.stringify({ urls: Array(2000).fill('x'.repeat(997)) });
    expect(parsed(json, 64 * 1024).stops).to.be.within(28, 30);
    expect(parsed(JSON.stringify(Array(2000).fill('x'.repeat(997))), 64 * 1024).stops).to.equal(0);
  });
});
