import { expect } from 'chai';
import { checkRank, type RankQuestion } from '../../../checks/search/rank-check.ts';
import type { SerpProvider } from '../../../checks/search/serp.ts';
import { type RankTarget, readRankTarget } from '../../../checks/search/target.ts';
import { pageWith } from '../../support/google-pages.ts';
import { type ProviderServer, startProvider } from '../../support/provider.ts';
import { type Talk, talks } from '../../support/replies.ts';
import { patient, searchWith } from '../../support/serps.ts';

const query = 'red shoes';
const question: RankQuestion = {
  target: readRankTarget('wanted.example') as RankTarget,
  competitors: [],
  isFull: false,
  keyword: query,
  country: 'US',
  language: 'en',
  device: 'desktop',
  startPage: 1,
  endPage: 1,
};
const shown = ['https://other.example/', 'https://wanted.example/'];

/** What a reply must come to: the target's rank, a proven "not ranked", or no answer. */
type Verdict = number | 'no' | 'no answer';

describe('a "no" by Google’s own page', () => {
  let server: ProviderServer;
  let provider: SerpProvider;
  const [brightData] = talks as [Talk];

  before(async () => {
    server = await startProvider();
    provider = brightData.source.make(brightData.env(server.baseUrl), 30_000);
  });
  after(() => server.close());

  const verdictOf = async (html: string, keyword = query): Promise<Verdict> => {
    server.willAnswer({ body: { status_code: 200, headers: {}, body: html } });
    const outcome = await checkRank({ ...question, keyword }, searchWith([provider]), patient);
    return outcome.state === 'failed' ? 'no answer' : (outcome.answer.rank ?? 'no');
  };
  const result = (url: string) => `<div class="tF2Cxc"><a href="${url}"><h3>Shoes</h3></a></div>`;
  const page = (notice: string, box = query) =>
    pageWith(notice, shown.map(result).join('')).replace('>red shoes<', `>${box}<`);

  const quoted = '"red shoes"';
  const notices = [
    ['No results found for', 'Results for', '(without quotes)'],
    ['Keine Ergebnisse für', 'Ergebnisse für', '(ohne Anführungszeichen)'],
    ['に一致する情報は見つかりませんでした', '検索結果', '(引用符なし)'],
  ] as const;
  for (const [none, instead, without] of notices) {
    it(`${none} …: nothing found, whatever is shown instead`, async () => {
      const notice = `<div>${none} <b>"red shoes"</b>.</div><div>${instead} <a href="/search?q=red+shoes&amp;hl=de">red shoes</a> ${without}</div>`;
      expect(await verdictOf(page(notice, quoted), quoted)).to.equal('no');
    });
  }

  for (const [showing, back] of [
    ['Showing results for', 'Search instead for'],
    ['Ergebnisse für', 'Stattdessen suchen nach:'],
    ['次の検索結果を表示しています', '元の検索キーワード'],
  ] as const) {
    it(`${showing} …, ${back} ours: another query was answered`, async () => {
      const notice = `<p>${showing} <a href="/search?q=red+shoe&amp;spell=1">red shoe</a></p><p>${back} <a href="/search?q=red+shoes&amp;nfpr=1">red shoes</a></p>`;
      expect(await verdictOf(page(notice))).to.equal('no answer');
    });
  }

  for (const [none, instead] of [
    ['No results found for', 'Showing results for'],
    ['Keine Ergebnisse für', 'Ergebnisse für'],
    ['Aucun résultat pour', 'Résultats pour'],
  ] as const) {
    it(`${instead} another spelling, for ${none} ours: nothing found`, async () => {
      const notice = `<p>${instead} <a id="fprsl" href="/search?q=red+shoe&amp;spell=1">red shoe</a></p><p>${none} <span>red shoes</span></p>`;
      expect(await verdictOf(page(notice))).to.equal('no');
    });
  }

  it('other words mixed in, with a way to ours alone: another query was answered', async () => {
    const notice = `<p>Mit Ergebnissen für <a id="fprsl" href="/search?q=red+shoe">red shoe</a></p>
      <p>Nur nach <a href="/search?q=red+shoes&amp;nirf=red+shoe">red shoes</a> suchen</p>`;
    expect(await verdictOf(page(notice))).to.equal('no answer');
  });

  it('another spelling only offered, and our words in one language, change nothing', async () => {
    const offers = `<p>Did you mean: <a href="/search?q=red+shoe&amp;spell=1">red shoe</a></p>
      <p><a href="/search?q=red+shoes&amp;lr=lang_uk">Only pages in Ukrainian</a></p>`;
    expect(await verdictOf(page(offers))).to.equal(2);
  });

  it('another query in the search box, or half a page, is no answer', async () => {
    expect(await verdictOf(page(''))).to.equal(2);
    expect(await verdictOf(page('', 'blue shoes'))).to.equal('no answer');
    const whole = page('');
    expect(await verdictOf(whole.slice(0, -40))).to.equal('no answer');
    expect(await verdictOf('<p>Your search did not match any documents</p>')).to.equal('no answer');
    expect(await verdictOf('<body><p>x <em>y</em></p><ul><li>a</li></ul></body>')).to.equal('no answer');
  });
});
