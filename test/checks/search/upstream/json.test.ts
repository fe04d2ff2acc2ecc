import { expect } from 'chai';
import { ProviderError } from '../../../../checks/search/serp.ts';
import { readJson } from '../../../../checks/search/upstream/json.ts';
import { heldMs } from '../../../support/event-loop.ts';

const mebibytes = (count: number) => count * 1024 * 1024;

describe('JSON of a provider', () => {
  it('is read, a whole page in a string too', () => {
    const page = `<a href="x">${'{[,"\\'.repeat(50_000)}`;
    expect(readJson(JSON.stringify({ page, list: [1, 2] }), 'one')).to.deep.equal({ page, list: [1, 2] });
    expect(readJson('"\\\\"', 'one')).to.equal('\\');
  });

  const worst: Array<[what: string, text: string]> = [
    ['brackets', '['.repeat(mebibytes(8))],
    ['empty objects', `[${'{},'.repeat(mebibytes(8) / 3)}{}]`],
    ['different names', `{${Array.from({ length: 59_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
    ['escapes', `"${'\\"'.repeat(mebibytes(4) - 1)}"`],
    ['backslashes', `"${'\\'.repeat(mebibytes(8))}"`],
    ['an open string', `"${'x'.repeat(mebibytes(8))}`],
  ];
  for (const [what, text] of worst) {
    it(`holds the event loop for at most 50 ms: ${what}`, () => {
      const read = () => {
        try {
          readJson(text, 'one');
        } catch (error) {
          expect(error).to.be.instanceOf(ProviderError);
        }
      };
      expect(heldMs(read, 9)).to.be.below(50);
    });
  }
});
