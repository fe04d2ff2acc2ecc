import { expect } from 'chai';
import fc from 'fast-check';
import { candidatesAt, indexOf } from '../../../checks/soft-404/phrase-lookup.ts';

describe('phrases by their beginnings', () => {
  const unit = fc.constantFrom('a', 'b', ' ', '\0', 'é', '页', '面');
  const word = fc.string({ unit, minLength: 1, maxLength: 5 });

  it('are found wherever the first of their literals stands', () => {
    const isFound = (words: string[], text: string): void => {
      const index = indexOf(words.map((literal) => ({ parts: [literal] })));
      for (let at = 0; at < text.length; at++) {
        const found = candidatesAt(index, text, at).map(({ parts }) => parts[0]);
        const standing = words.filter((literal) => text.startsWith(literal, at));
        expect(found, JSON.stringify([text, at])).to.include.members(standing);
      }
    };
    fc.assert(fc.property(fc.array(word, { maxLength: 12 }), fc.string({ unit, maxLength: 40 }), isFound));
  });

  it('are tried only where as much of it stands as four units tell', () => {
    const index = indexOf(
      ['no', 'not found', 'nothing', '页', '页面'].map((literal) => ({ parts: [literal] })),
    );
    const foundIn = (text: string) => candidatesAt(index, text, 0).map(({ parts }) => parts[0]);
    expect(foundIn('not here')).to.have.members(['no', 'not found', 'nothing']);
    expect(foundIn('nobody')).to.deep.equal(['no']);
    expect(foundIn('never')).to.deep.equal([]);
    expect(foundIn('页a')).to.deep.equal(['页']);
    expect(foundIn('页面')).to.have.members(['页', '页面']);
    const long = indexOf(['not found', 'nothing'].map((literal) => ({ parts: [literal] })));
    expect(candidatesAt(long, 'note', 0)).to.deep.equal([]);
    expect(candidatesAt(long, 'not here', 0)).to.have.lengthOf(2);
  });
});
