import { expect } from 'chai';
import { ProviderError } from '../../../../checks/search/serp.ts';
import { parseJson } from '../../../../checks/search/upstream/request.ts';
import { expectLinear } from '../../../support/growth.ts';
import { worstJson } from '../../../support/worst-serps.ts';

describe('JSON of a provider', () => {
  it('is parsed, also with a whole page in a string', () => {
    const page = `<a href="x">${'{[,"\\'.repeat(50_000)}`;
    expect(parseJson(JSON.stringify({ page, list: [1, 2] }), 'one')).to.deep.equal({ page, list: [1, 2] });
    expect(parseJson('"\\\\"', 'one')).to.equal('\\');
    for (const text of ['', '<html></html>', '{"organic":[{"link":"https://one'])
      expect(() => parseJson(text, 'one'), text)
        .to.throw(ProviderError)
        .with.property('kind', 'unreadable');
  });
});

describe('JSON that would block the event loop', () => {
  it('is rejected for too many values', () => {
    for (const text of [`[${'1,'.repeat(100_000)}1]`, `[${'{"a":1},'.repeat(40_000)}1]`])
      expect(() => parseJson(text, 'one')).to.throw(ProviderError, 'JSON with more than');
    expect(parseJson(`"${'\\"'.repeat(400_000)}"`, 'one')).to.have.length(400_000);
  });
});

describe('the worst JSON', function () {
  this.retries(2);

  for (const [what, text] of Object.entries(worstJson)) {
    it(`takes linear time: ${what}`, () => expectLinear(readOrRefuse, text));
  }
});

function readOrRefuse(text: string): void {
  try {
    parseJson(text, 'one');
  } catch (error) {
    expect(error).to.be.instanceOf(ProviderError);
  }
}
