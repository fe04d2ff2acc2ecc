import { expect } from 'chai';
import { checkIndex } from '../../../checks/search/index-check.ts';
import type { SerpRequest } from '../../../checks/search/serp.ts';
import { noDeadline, type ScriptedPage, scriptProvider, searchWith } from '../../support/serps.ts';

const url = 'https://www.example.com/shoes?utm_source=x&id=7#top';

describe('an index check', () => {
  const check = (answer: (request: SerpRequest) => ScriptedPage, of = url) => {
    const provider = scriptProvider('one', answer);
    return checkIndex(of, searchWith([provider]), noDeadline).then((outcome) => ({ outcome, provider }));
  };
  const getAnswer = async (answer: (request: SerpRequest) => ScriptedPage, of = url) => {
    const { outcome } = await check(answer, of);
    if (outcome.state === 'failed') throw new Error(outcome.error);
    return outcome.answer;
  };

  it('sends an unfiltered desktop search in English from the US, for the address without parts that Google ignores', async () => {
    const { provider } = await check(() => []);
    const always = { country: 'US', language: 'en', device: 'desktop', page: 1, isUnfiltered: true };
    expect(provider.asked).to.deep.equal([
      { ...always, query: 'example.com/shoes?id=7' },
      { ...always, query: 'site:example.com/shoes?id=7' },
    ]);
  });

  it('reports with which query the page was found, and how closely it matches', async () => {
    expect(await getAnswer(() => ['https://other.example/', 'https://example.com/shoes?id=7'])).to.include({
      is_indexed: true,
      engine: 'google',
      match: 'variant',
      matched_url: 'https://example.com/shoes?id=7',
      found_by: 'url',
      similar_url: null,
      provider: 'one',
    });
    expect(await getAnswer(() => ['https://example.com/a'], 'https://example.com/a')).to.include({
      match: 'exact',
    });
    const bySite = await getAnswer(({ query }) =>
      query.startsWith('site:') ? ['https://example.com/shoes?id=7'] : [],
    );
    expect(bySite).to.include({ is_indexed: true, found_by: 'site' });
  });

  it('stores the queries, with the number of results of each', async () => {
    const { outcome } = await check(({ query }) => (query.startsWith('site:') ? [] : ['https://a.example/']));
    expect(outcome)
      .to.have.property('asked')
      .that.deep.equals([
        { query: 'example.com/shoes?id=7', provider: 'one', results: 1 },
        { query: 'site:example.com/shoes?id=7', provider: 'one', results: 0 },
      ]);
    expect(outcome.cost).to.deep.equal({ pages: 2 });
  });

  it('stops after a match', async () => {
    const { provider } = await check(() => ['https://example.com/shoes?id=7']);
    expect(provider.asked).to.have.lengthOf(1);
  });

  it('reports the page that Google shows instead', async () => {
    const answer = await getAnswer(() => [
      'https://www.example.com/shoes?id=8',
      'https://example.com/shoes/red',
    ]);
    expect(answer).to.include({
      is_indexed: false,
      match: null,
      matched_url: null,
      found_by: null,
      similar_url: 'https://www.example.com/shoes?id=8',
    });
  });

  it('does not match a page below, or one with the same beginning', async () => {
    const below = [
      'https://example.com/shoes/?id=7&x=1',
      'https://example.com/shoes-sale',
      'https://shop.example.com/shoes?id=7',
    ];
    expect(await getAnswer(() => below)).to.include({ is_indexed: false });
  });

  for (const kind of ['blocked', 'rewritten', 'unreadable'] as const) {
    it(`is an error if either page is ${kind}`, async () => {
      const first = await check(() => kind);
      expect(first.outcome.state).to.equal('failed');
      const second = await check(({ query }) => (query.startsWith('site:') ? kind : []));
      expect(second.outcome.state).to.equal('failed');
    });
  }

  it('is "not indexed" only for a query that Google used in full', async () => {
    const long = `https://example.com/${Array.from({ length: 33 }, (_, index) => `w${index}`).join('-')}`;
    const { outcome } = await check(() => [], long);
    expect(outcome).to.include({ state: 'failed', error: 'query_rewritten' });
    expect(await getAnswer(() => [long], long)).to.include({ is_indexed: true });
  });
});
