import { expect } from 'chai';
import { toSerp } from '../../../checks/search/serp.ts';

describe('a genuine page', () => {
  it('limits addresses and titles to the length that is read', () => {
    const long = 'x'.repeat(3_500_000);
    const { results, featuredSnippetUrl } = toSerp([{ url: `https://a.example/${long}`, title: long }], long);
    expect(results[0]?.url).to.have.lengthOf(4_096);
    expect(results[0]?.title).to.have.lengthOf(160);
    expect(featuredSnippetUrl).to.have.lengthOf(4_096);
  });
});
