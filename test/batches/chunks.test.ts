import { expect } from 'chai';
import { splitIntoChunks } from '../../batches/accept.ts';

describe('the chunks of a batch', () => {
  it('are slices of fifty fetches or ten searches, in order', () => {
    const inputs = Array.from({ length: 120 }, (_, position) => ({
      position,
      input: { url: 'https://a.example/' },
    }));
    expect(splitIntoChunks('http', inputs).map(({ length }) => length)).to.deep.equal([50, 50, 20]);
    expect(splitIntoChunks('index', inputs)).to.have.lengthOf(12);
    expect(splitIntoChunks('http', inputs).flat()).to.deep.equal(inputs);
  });

  it('keep equal searches together, even with different tags', () => {
    const inputs = Array.from({ length: 500 }, (_, position) => ({
      position,
      input: { keyword: `search ${position % 50}`, country: 'US', tag: String(position) },
    }));
    const slices = splitIntoChunks('keyword', inputs);
    expect(slices.map(({ length }) => length)).to.deep.equal([100, 100, 100, 100, 100]);
    const homes = inputs.map(
      ({ input }) =>
        slices.filter((slice) => slice.some((other) => other.input.keyword === input.keyword)).length,
    );
    expect(new Set(homes)).to.deep.equal(new Set([1]));
  });

  it('distinguish searches by keyword, country and language', () => {
    const inputs = ['US', 'DE'].flatMap((country) =>
      ['en', 'de'].flatMap((language) =>
        ['a', 'b', 'a'].map((keyword) => ({ input: { keyword, country, language, device: 'mobile' } })),
      ),
    );
    const [slice = []] = splitIntoChunks('keyword', inputs);
    expect(slice.map(({ input }) => input.country + input.language + input.keyword).join(' ')).to.equal(
      'USena USena USenb USdea USdea USdeb DEena DEena DEenb DEdea DEdea DEdeb',
    );
  });
});
