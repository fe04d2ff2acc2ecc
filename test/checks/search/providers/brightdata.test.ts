import { expect } from 'chai';
import { apiToken, brightDataAt, fullAnswer, inEnvelope, light } from '../../../support/brightdata.ts';
import { layouts, nothingMatchesPage, organicResults } from '../../../support/google-pages.ts';
import { type Answer, expectFailure, useProvider } from '../../../support/provider.ts';

const answers: [title: string, answer: Answer, urls: string[]][] = [
  ['parsed in full', inEnvelope(200, fullAnswer), ['https://one.example/', 'https://two.example/']],
  [
    'parsed in full, without the envelope',
    { body: fullAnswer },
    ['https://one.example/', 'https://two.example/'],
  ],
  ['parsed lightly, without ranks', inEnvelope(200, light), ['https://one.example/']],
  ['not parsed: Google’s page', inEnvelope(200, layouts[4]!.html), organicResults],
  ['not parsed, without the envelope', { body: layouts[7]!.html }, organicResults],
  ['nothing matches', inEnvelope(200, { general: { query: 'red shoes', results_cnt: 0 }, organic: [] }), []],
  [
    'nothing matches, on a phone, without a count',
    inEnvelope(200, { general: { query: 'red shoes', mobile: true }, organic: [] }),
    [],
  ],
  [
    'nothing matches, counted and not listed',
    inEnvelope(200, { general: { query: 'red shoes', results_cnt: 0 } }),
    [],
  ],
  ['nothing matches, parsed lightly', inEnvelope(200, { general: { query: 'Red  shoes' }, organic: [] }), []],
  [
    'nothing after the last page, with links to earlier pages',
    inEnvelope(200, {
      general: { query: 'red shoes' },
      organic: [],
      pagination: { current_page: 3, pages: [{ page: 1 }, { page: 2 }] },
    }),
    [],
  ],
  ['nothing matches the exact words', inEnvelope(200, { ...light, spelling: { original_empty: true } }), []],
  [
    'nothing matches, not parsed',
    { body: nothingMatchesPage(['Your search -', '- did not match any documents.'], 'en') },
    [],
  ],
];

describe('Bright Data', () => {
  const { server, search } = useProvider(brightDataAt);

  it('takes the requested page for the page number when the answer has none', async () => {
    const listed = {
      general: { query: 'red shoes' },
      organic: [],
      pagination: { pages: [{ page: 1 }, { page: 2 }] },
    };
    server.willAnswer(inEnvelope(200, listed));
    expect((await search({ page: 3 })).results).to.deep.equal([]);
    const failure = await search({ page: 1 }).catch((error) => error);
    expect(failure).to.include({ kind: 'unreadable' });
  });

  it('ignores a page number in the answer that is below the requested page', async () => {
    const numbered = (current_page: number, page: number) =>
      inEnvelope(200, {
        general: { query: 'red shoes' },
        organic: [],
        pagination: { current_page, pages: [{ page: 1 }, { page }] },
      });
    server.willAnswer(numbered(1, 2));
    expect((await search({ page: 3 })).results).to.deep.equal([]);
    server.willAnswer(numbered(1, 4));
    await expectFailure('unreadable', () => search({ page: 3 }));
  });

  it('sends Google’s address, the query first', async () => {
    const query = 'site:shop.example/red shoes?a=1&b=2';
    server.willAnswer(inEnvelope(200, { ...fullAnswer, general: { query } }));
    await search({ query, country: 'GB', language: 'zh-CN', device: 'mobile', page: 3 });
    const [seen] = server.seen;
    expect(seen).to.include({ method: 'POST' });
    expect(seen?.url.pathname).to.equal('/proxy/request');
    expect(seen?.headers.authorization).to.equal(`Bearer ${apiToken}`);
    const { zone, url } = JSON.parse(seen?.body ?? '');
    expect(zone).to.equal('serp1');
    expect(url).to.match(/^https:\/\/www\.google\.com\/search\?q=site%3Ashop\.example%2Fred\+shoes/);
    expect(Object.fromEntries(new URL(url).searchParams)).to.deep.equal({
      q: 'site:shop.example/red shoes?a=1&b=2',
      gl: 'gb',
      hl: 'zh-CN',
      start: '20',
      filter: '0',
      safe: 'off',
      pws: '0',
      nfpr: '1',
      brd_mobile: '1',
      brd_json: '1',
    });
  });

  it('keeps Google’s filters when the request asks for them', async () => {
    server.willAnswer(inEnvelope(200, fullAnswer));
    await search({ isUnfiltered: false });
    const parameters = [...new URL(JSON.parse(server.seen[0]?.body ?? '').url).searchParams.keys()];
    expect(parameters).to.deep.equal(['q', 'gl', 'hl', 'brd_json']);
  });

  for (const [title, answer, urls] of answers) {
    it(`reads an answer: ${title}`, async () => {
      server.willAnswer(answer);
      const serp = await search();
      expect(serp.results.map((result) => result.url)).to.deep.equal(urls);
    });
  }

  it('takes an empty later page for the end of the results', async () => {
    server.willAnswer(inEnvelope(200, { general: { query: 'red shoes' }, organic: [] }));
    expect((await search({ page: 4 })).results).to.deep.equal([]);
  });
});
