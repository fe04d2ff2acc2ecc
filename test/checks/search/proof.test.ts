import { expect } from 'chai';
import { checkIndex } from '../../../checks/search/index-check.ts';
import { checkRank, type RankQuestion } from '../../../checks/search/rank-check.ts';
import type { SerpProvider } from '../../../checks/search/serp.ts';
import { type RankTarget, readRankTarget } from '../../../checks/search/target.ts';
import { pageWith } from '../../support/google-pages.ts';
import { type Answer, type ProviderServer, startProvider } from '../../support/provider.ts';
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

const unreadableEntries: [title: string, entries: unknown][] = [
  ['entries without an address', [{ title: 'One' }]],
  ['entries that are null', [null, null]],
  [
    'relative addresses',
    [{ link: '/red', url: '/red', type: 'organic', engines: ['google'], rank_group: 1 }],
  ],
  [
    'the address under another key',
    [{ href: 'https://wanted.example/', type: 'organic', engines: ['google'] }],
  ],
];

const readableEntry = {
  ...{ link: 'https://other.example/', url: 'https://other.example/', title: 'One' },
  ...{ type: 'organic', engine: 'google', engines: ['google'], rank_group: 1, rank: 1 },
};

const ownEntry = { ...readableEntry, link: '/search?q=red&tbm=isch', url: '/search?q=red&tbm=isch' };

/** Beside an entry that can be read: one of them may be the target's. */
const unreadableBeside: [title: string, entry: unknown][] = [
  ['an entry without an address', { ...readableEntry, link: null, url: undefined }],
  ['an entry that is null', null],
  ['a relative address', { ...readableEntry, link: '/red', url: '/red' }],
  ['an address in a list', { ...readableEntry, link: ['https://a.example/'], url: ['https://a.example/'] }],
  ['an address without a scheme', { ...readableEntry, link: 'wanted.example', url: 'wanted.example' }],
];

/** Members by which a reply says that it is none, whatever its status. */
const troubles: object[] = [
  { success: false },
  { ok: false },
  { status: 'error' },
  { status: 'failed' },
  { status: 'Processing' },
  { state: 'timeout' },
  { statusCode: 500 },
  { code: 429 },
  { errorMessage: 'blocked' },
  { error_description: 'blocked' },
  { detail: 'Not authenticated' },
  { failed: true },
  { is_blocked: true },
  { captcha: true },
];

function cases(talk: Talk): [title: string, answer: Answer | null, verdict: Verdict][] {
  const { reply } = talk;
  const full = reply(query, shown);
  const empty = reply(query, []);
  const orNone = (body: object | null) => body && { body };
  return [
    ['results', { body: full }, 2],
    ['an empty page as documented', { body: empty }, 'no'],
    ['an empty object', { body: {} }, 'no answer'],
    ['a list in place of an object', { body: [] }, 'no answer'],
    ['an empty body', { body: '' }, 'no answer'],
    ['half a body', { body: JSON.stringify(full).slice(0, -20) }, 'no answer'],
    ['an error beside an empty page', { body: talk.withError(empty) }, 'no answer'],
    ['an error beside results', { body: talk.withError(full) }, 'no answer'],
    ['another query, nothing found', { body: reply('blue shoes', []) }, 'no answer'],
    ['another query with its results', { body: reply('blue shoes', shown) }, 'no answer'],
    ['no query named, nothing found', { body: reply(undefined, []) }, 'no answer'],
    ['no query named, results', { body: reply(undefined, shown) }, 'no answer'],
    ['an empty page with status 202', { status: 202, body: empty }, 'no answer'],
    ['results for other words, told so', orNone(talk.rewritten(query, shown)), 'no answer'],
    ['nothing found, other results shown', orNone(talk.nothingMatched(query, shown)), 'no'],
    ['a captcha', talk.captcha, 'no answer'],
    ...troubles.flatMap((trouble): [string, Answer, Verdict][] => [
      [`${JSON.stringify(trouble)} beside an empty page`, { body: { ...empty, ...trouble } }, 'no answer'],
      [`${JSON.stringify(trouble)} beside results`, { body: { ...full, ...trouble } }, 'no answer'],
    ]),
    ['no list of entries, and no word of none', { body: talk.withEntries(full, undefined) }, 'no answer'],
    ['an entry of Google’s own', { body: talk.withEntries(full, [readableEntry, ownEntry]) }, 'no'],
    ['entries in an object', { body: talk.withEntries(empty, { 0: readableEntry }) }, 'no answer'],
    ...unreadableBeside.map(([title, entry]): [string, Answer, Verdict] => [
      `${title} beside one that can be read`,
      { body: talk.withEntries(full, [readableEntry, entry]) },
      'no answer',
    ]),
    ...unreadableEntries.map(([title, entries]): [string, Answer, Verdict] => [
      title,
      { body: talk.withEntries(empty, entries) },
      'no answer',
    ]),
  ];
}

for (const talk of talks) {
  describe(`a "no" by ${talk.source.name}`, () => {
    let server: ProviderServer;
    let provider: SerpProvider;

    before(async () => {
      server = await startProvider();
      provider = talk.source.make(talk.env(server.baseUrl), 30_000);
    });
    after(() => server.close());

    const verdictOf = async (answer: Answer): Promise<Verdict> => {
      server.willAnswer(answer);
      const outcome = await checkRank(question, searchWith([provider]), patient);
      if (outcome.state === 'failed') return 'no answer';
      return outcome.answer.rank ?? 'no';
    };

    for (const [title, answer, verdict] of cases(talk)) {
      if (answer === null) continue;
      it(`${title}: ${verdict === 'no' ? 'not ranked' : verdict}`, async () => {
        expect(await verdictOf(answer)).to.equal(verdict);
      });
    }

    it('says "not indexed" only of the address asked for', async () => {
      server.willAnswer({ body: talk.reply('shop.example/red', []) });
      const outcome = await checkIndex('https://shop.example/red', searchWith([provider]), patient);
      // The second search is for site:shop.example/red, and is answered with the first one's page.
      expect(outcome.state).to.equal('failed');
    });

    it('compares a very long echo at once', async () => {
      expect(await verdictOf({ body: talk.reply('\ufdfa'.repeat(1_200_000), []) })).to.equal('no answer');
    });
  });
}

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
