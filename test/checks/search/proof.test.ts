import { expect } from 'chai';
import { checkIndex } from '../../../checks/search/index-check.ts';
import { checkRank, type RankQuestion } from '../../../checks/search/rank-check.ts';
import type { SerpProvider } from '../../../checks/search/serp.ts';
import { type RankTarget, readRankTarget } from '../../../checks/search/target.ts';
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

const wantedAt = { link: 'https://wanted.example/', url: 'https://wanted.example/', rank_group: 2, rank: 2 };
/** Google's own, which hold no rank. */
const ownEntries = [
  '/search?q=red&tbm=isch',
  'https://m.google.com/search?q=red',
  'https://images.google.com/search?q=red',
  'https://www.google.com/preferences?hl=en',
].map((address) => ({ ...readableEntry, rank_group: 1, rank: 1, link: address, url: address }));
const wantedEntry = { ...readableEntry, link: 'https://wanted.example/', url: 'https://wanted.example/' };

/** Beside an entry that can be read: one of them may be the target's. */
const unreadableBeside: [title: string, entry: unknown][] = [
  ['an entry without an address', { ...readableEntry, link: null, url: undefined }],
  ['an entry that is null', null],
  ['a relative address', { ...readableEntry, link: '/red', url: '/red' }],
  ['an address in a list', { ...readableEntry, link: ['https://a.example/'], url: ['https://a.example/'] }],
  [
    'an address as it is shown, cut',
    { ...readableEntry, link: 'https://wanted.ex…', url: 'https://wanted.ex…' },
  ],
  [
    'an address as it is shown',
    { ...readableEntry, link: 'https://wanted.example › red', url: 'https://wanted.example › red' },
  ],
  [
    'a way to a captcha',
    {
      ...readableEntry,
      link: 'https://www.google.com/sorry/index',
      url: 'https://www.google.com/sorry/index',
    },
  ],
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
  { success: 'False' },
  { isOk: 'no' },
  { error_type: 'captcha' },
  { upstreamError: { code: 1 } },
  { warnings: ['page not loaded'] },
  { partial: true },
];

/** Members that nobody documents: beside results one more field, beside an empty page maybe the reason for it. */
const unknowns: object[] = [{ reason: 'x' }, { type: 'interstitial' }, { attempts: 3 }, { hasGoogle: false }];

/** The same in each part of a reply that is no list. */
function inParts(body: object, member: object): [part: string, body: object][] {
  const isPart = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.entries(body)
    .filter(([, value]) => isPart(value))
    .map(([name, value]) => [name, { ...body, [name]: { ...value, ...member } }]);
}

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
    ...inParts(empty, { success: false }).map(([part, body]): [string, Answer, Verdict] => [
      `success: false in ${part} of an empty page`,
      { body },
      'no answer',
    ]),
    ...unknowns.map((unknown): [string, Answer, Verdict] => [
      `${JSON.stringify(unknown)} beside an empty page`,
      { body: { ...empty, ...unknown } },
      'no answer',
    ]),
    ['a member that nobody knows beside results', { body: { ...full, session: 'x' } }, 2],
    ['no list of entries, and no word of none', { body: talk.withEntries(full, undefined) }, 'no answer'],
    ...ownEntries.map((entry): [string, Answer, Verdict] => [
      `${entry.link} before what is wanted`,
      { body: talk.withEntries(full, [entry, wantedEntry]) },
      1,
    ]),
    ['nothing but entries of Google’s own', { body: talk.withEntries(full, ownEntries) }, 'no answer'],
    ['entries in an object', { body: talk.withEntries(empty, { 0: readableEntry }) }, 'no answer'],
    [
      'what is wanted, of a type spelt otherwise',
      {
        body: talk.withEntries(full, [
          readableEntry,
          { ...readableEntry, ...wantedAt, type: 'Organic_Result' },
        ]),
      },
      2,
    ],
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

    it('says nothing of a first page that counts results and lists none', async () => {
      for (const [count, verdict] of [
        ['1,200,000', 'no answer'],
        [120, 'no answer'],
        [0, 'no'],
        [null, 'no'],
      ] as const) {
        const counted = talk.counting(talk.reply(query, []), count);
        if (counted !== null) expect(await verdictOf({ body: counted }), String(count)).to.equal(verdict);
      }
    });

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
