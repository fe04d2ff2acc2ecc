import { expect } from 'chai';
import { checkIndex } from '../../../../checks/search/index-check.ts';
import { sandbox } from '../../../../checks/search/providers/sandbox.ts';
import { askOnePage, expectFailure } from '../../../support/provider.ts';
import { deadlineIn, searchWith } from '../../../support/serps.ts';

describe('the sandbox provider', () => {
  const provider = sandbox.create({}, 1_000);
  const search = (query: string, changes = {}) => askOnePage(provider, { query, ...changes });

  it('finds indexed.example, by its address and by site:', async () => {
    for (const query of ['indexed.example', 'site:indexed.example', 'www.indexed.example/a?b=1']) {
      const { results, isSimulated } = await search(query);
      expect(results[0]?.url).to.equal(`https://${query.replace('site:', '')}`);
      expect(isSimulated).to.equal(true);
    }
  });

  it('does not find not-indexed.example', async () => {
    const serp = await search('site:not-indexed.example/a');
    expect(serp).to.deep.equal({
      results: [],
      featuredSnippetUrl: null,
      isSimulated: true,
    });
  });

  it('decides any other address by its hash, both ways', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => search(`shop.example/${n}`)));
    const again = await Promise.all(Array.from({ length: 40 }, (_, n) => search(`site:shop.example/${n}`)));
    const found = answers.map((serp) => serp.results.length);
    expect(new Set(found)).to.deep.equal(new Set([0, 1]));
    expect(again.map((serp) => serp.results.length)).to.deep.equal(found);
  });

  it('ranks rank-7.example seventh and rank-23.example on the third page, for any keyword', async () => {
    const first = await search('red shoes', { device: 'mobile', country: 'DE', language: 'de' });
    expect(first.results[6]?.url).to.equal('https://rank-7.example/');
    const third = await search('red shoes', { page: 3 });
    expect(third.results[2]?.url).to.equal('https://rank-23.example/');
    expect((await search('red shoes', { page: 11 })).results).to.deep.equal([]);
  });

  it('is blocked for blocked.example', () =>
    expectFailure('blocked', () => search('site:blocked.example/a')));

  it('is too slow at slow.example for a caller with a short deadline', async () => {
    const outcome = await checkIndex('https://slow.example/', searchWith([provider]), deadlineIn(30));
    expect(outcome).to.include({ state: 'failed', error: 'google_unreadable' });
  });
});
