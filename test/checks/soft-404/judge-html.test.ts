import { resolve } from 'node:path';
import { expect } from 'chai';
import { pageCharsMax, readingCharsMax } from '../../../checks/page/read-page.ts';
import { judgingCharsMax } from '../../../checks/soft-404/sentences.ts';
import { judgeHtml } from '../../../checks/soft-404/soft-404.ts';
import { ownRecordings } from '../../../judge/soft-404.ts';
import { filled, worstPages } from '../../support/worst-pages.ts';

const urls = { url: 'https://a.example/b/c', finalUrl: 'https://a.example/b/c', redirected: false };
// The last step may exceed the budget. In reading, it is a slice of tags and the joined page; in judging, a sentence.
const lastReading = 50_000 + pageCharsMax;
const lastJudging = 25_000;

describe('judgeHtml', () => {
  for (const [what, html] of Object.entries(worstPages)) {
    it(`reads and judges ${what} within its budgets`, () => {
      const { visited } = judgeHtml(html, urls);
      expect(visited.reading).to.be.below(readingCharsMax + lastReading);
      expect(visited.judging).to.be.below(judgingCharsMax + lastJudging);
    });
  }

  it('judges an ordinary page with much budget left', () => {
    const pages = ownRecordings(resolve(import.meta.dirname, '../../..'));
    for (const { name, bytes } of pages) {
      const html = Buffer.from(bytes()).toString();
      const { reading, judging } = judgeHtml(html, urls).visited;
      expect(reading, name).to.be.below(500 + 4 * html.length);
      expect(judging, name).to.be.below(judgingCharsMax / 4);
    }
  });

  it('decides early only once about a page that looks missing', () => {
    const head = '<title>404 not found</title><h1>404 not found</h1>';
    const { visited } = judgeHtml(
      head + filled('<p>no page of twenty words, not found by one, two, three'),
      urls,
    );
    const unasked = judgeHtml(head, urls).visited;
    expect(visited.judging).to.be.below(unasked.judging + 5 * 12_000);
  });

  it('finds a phrase behind a long text that contains only its first letters', () => {
    const nearly = `<nav></nav><p><a href="/x">${'pro-'.repeat(985)}</a>`;
    const { visited, verdict } = judgeHtml(
      `<title>Shop</title>${nearly}. Sorry, this page was not found.</p>`,
      urls,
    );
    expect(visited.judging).to.be.below(judgingCharsMax / 4);
    expect(verdict.isSoft404).to.equal(true);
  });

  it('judges a page that exceeds its budget, using only the part that was read', () => {
    const missing = '<title>Page not found</title><h1>Page not found</h1><p>Sorry.</p>';
    const spent = judgeHtml(missing + filled('<b></b>'), urls);
    expect(spent.visited.reading).to.be.above(readingCharsMax);
    expect(spent.verdict).to.include({ isChecked: true, isSoft404: true });
  });
});
