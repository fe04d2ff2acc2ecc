import { expect } from 'chai';
import { readGoogleHtml } from '../../../../checks/search/google/html.ts';
import type { ProviderErrorKind } from '../../../../checks/search/serp.ts';
import { pageWith, resultList } from '../../../support/google-pages.ts';
import { expectFailure } from '../../../support/provider.ts';

const asked = '"rote shuhe"';
const search = (query: string, more = '') => `/search?q=${encodeURIComponent(query)}&amp;hl=de${more}`;

const read = (notice: string) =>
  readGoogleHtml(pageWith(notice, resultList, asked), 'brightdata', { query: asked });

/** A notice as googler has read it since 2016: the query without results, then the query whose results follow. */
const instead = (nothing: string, results: string) =>
  `<div id="topstuff"><div class="med card-section"><div>${nothing}</div><div role="heading">${results}</div></div></div>`;

const nothingMatches: [title: string, notice: string][] = [
  [
    'in German',
    instead('Keine Ergebnisse für <b>"rote shuhe"</b> gefunden', 'Ergebnisse für <b>rote shuhe</b>:'),
  ],
  ['in Japanese', instead('<b>“rote shuhe”</b>はありません', '<b>rote schuhe</b>の検索結果')],
  ['in English', '<div>No results found for <b>"rote shuhe"</b>.</div>'],
  [
    'by the link to the words without quotation marks',
    `<div>… <a href="${search('rote shuhe')}">rote shuhe</a> (…):</div>`,
  ],
  [
    'with the advice of an empty page',
    '<div id="topstuff"><div><p>… <em>rote shuhe</em> …</p><p>…</p><ul><li>…</li><li>…</li></ul></div></div>',
  ],
  [
    'with another spelling, and no link to ours',
    `<p>… <a id="fprsl" href="${search('rote schuhe', '&amp;spell=1')}"><b><i>rote schuhe</i></b></a><br>… <span><b>"rote shuhe"</b></span></p>`,
  ],
  [
    'with another spelling, and ours at the end of a sentence',
    `<p>… <a id="fprsl" href="${search('rote schuhe', '&amp;spell=1')}">rote schuhe</a></p><p>Aucun résultat pour "rote shuhe".</p>`,
  ],
];

const rewritten: [title: string, notice: string][] = [
  [
    'results for another query',
    `<p>… <a href="${search('rote schuhe', '&amp;spell=1')}">rote schuhe</a> … <a href="${search(asked, '&amp;nfpr=1')}">rote shuhe</a></p>`,
  ],
  [
    'results that include those for another query',
    `<p>… <a href="${search(asked, '&amp;nirf=rote+shuhe')}">rote shuhe</a></p>`,
  ],
  ['another query, and no link to ours', `<a id="fprsl" href="${search('rote schuhe')}">rote schuhe</a>`],
  [
    'results of another query mixed in, with a link to our query only',
    `<p>… <a id="fprsl" href="${search('rote schuhe')}">rote schuhe</a></p><p>Nur nach <a href="${search(asked, '&amp;nirf=rote+schuhe')}">rote shuhe</a> suchen</p>`,
  ],
];

const links: [title: string, href: string][] = [
  ['in one language only', search(asked, '&amp;lr=lang_de&amp;nfpr=1')],
  ['for pictures', search(asked, '&amp;udm=2&amp;nfpr=1')],
  ['for more of a kind', search(asked, '&amp;stick=H4s&amp;nfpr=1')],
  ['on the next page', search(asked, '&amp;start=10&amp;nfpr=1')],
  ['for what may have been meant', search('rote schuhe', '&amp;nfpr=1&amp;spell=1')],
  ['for something related', search('rote stiefel', '&amp;nfpr=1')],
];

describe('a notice of Google', () => {
  for (const [title, notice] of nothingMatches) {
    it(`says that nothing was found: ${title}`, () => {
      expect(read(notice).results).to.deep.equal([]);
    });
  }

  for (const [title, notice] of rewritten) {
    it(`says that Google searched for another query: ${title}`, () =>
      expectFailure('rewritten', () => read(notice)));
  }

  for (const [title, href] of links) {
    it(`is not a link ${title}`, () => {
      expect(read(`<div><b>rote</b> <a href="${href}"><b>shuhe</b></a></div>`).results).to.have.length(1);
    });
  }

  it('is not recognised in a few bold words', () => {
    const place = '<div id="topstuff"><b>"rote shuhe"</b> <b>Berlin</b> <b>…</b></div>';
    expect(read(place).results).to.have.length(1);
  });
});

describe('a result page for a query', () => {
  const nothing = '<div id="result-stats">0 results</div>';
  const withBox = (query: string, list: string) => pageWith('', list, query);
  const judge = (html: string, query?: string) =>
    readGoogleHtml(html, 'brightdata', { query }).results.length;

  it('is accepted with the query in any case and with any quotation marks', () => {
    expect(judge(withBox('“Rote  Shuhe”', resultList), asked)).to.equal(1);
    expect(judge(withBox(asked, nothing), asked)).to.equal(0);
  });

  const unproven: [title: string, kind: ProviderErrorKind, html: string][] = [
    ['results for another query', 'rewritten', withBox('blue shoes', resultList)],
    ['an empty list for another query', 'rewritten', withBox('blue shoes', nothing)],
    ['an empty list for an unknown query', 'unreadable', withBox('', nothing)],
  ];
  for (const [title, kind, html] of unproven) {
    it(`is rejected with ${title}`, () => expectFailure(kind, () => judge(html, asked)));
  }

  it('is accepted with any query if the caller gives none', () => {
    expect(judge(withBox('blue shoes', resultList))).to.equal(1);
    expect(judge(withBox('', nothing))).to.equal(0);
  });

  it('is accepted without results if its list ends with a link to omitted ones', async () => {
    const end = `<p id="ofr"><i>… <a href="${search(asked, '&amp;filter=0')}">…</a></i></p>`;
    expect(judge(withBox(asked, end), asked)).to.equal(0);
    await expectFailure('unreadable', () => judge(withBox(asked, '<p>…</p>'), asked));
    const cut = withBox(asked, resultList).slice(0, -40);
    await expectFailure('unreadable', () => judge(cut, asked));
  });
});
