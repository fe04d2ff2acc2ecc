import { expect } from 'chai';
import { ProviderError } from '../../../../checks/search/serp.ts';
import { readJson } from '../../../../checks/search/upstream/json.ts';

const mebibytes = (count: number) => count * 1024 * 1024;

describe('JSON of a provider', () => {
  it('is read, a whole page in a string too', () => {
    const page = `<a href="x">${'{[,"\\'.repeat(50_000)}`;
    expect(readJson(JSON.stringify({ page, list: [1, 2] }), 'one')).to.deep.equal({ page, list: [1, 2] });
    expect(readJson('"\\\\"', 'one')).to.equal('\\');
  });

  const tooMany: Array<[what: string, text: string]> = [
    ['brackets', '['.repeat(mebibytes(8))],
    ['empty objects', `[${'{},'.repeat(mebibytes(8) / 3)}{}]`],
    ['different names', `{${Array.from({ length: 61_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
  ];
  for (const [what, text] of tooMany) {
    it(`is refused for what it holds before it is parsed: ${what}`, () => {
      expect(() => readJson(text, 'one')).to.throw(ProviderError, 'more than 60000 values');
    });
  }

  const long: Array<[what: string, text: string, isWhole: boolean]> = [
    ['escapes', `"${'\\"'.repeat(mebibytes(4) - 1)}"`, true],
    ['backslashes', `"${'\\'.repeat(mebibytes(8))}"`, true],
    ['an open string', `"${'x'.repeat(mebibytes(8))}`, false],
  ];
  for (const [what, text, isWhole] of long) {
    it(`is leapt over where it is one string: ${what}`, () => {
      if (isWhole) expect(readJson(text, 'one')).to.be.a('string');
      else expect(() => readJson(text, 'one')).to.throw(ProviderError, 'not JSON');
    });
  }
});
