import { expect } from 'chai';
import { checkIndex } from '../../../checks/search/index-check.ts';
import { checkRank } from '../../../checks/search/rank-check.ts';
import { type Answer, useProvider } from '../../support/provider.ts';
import { makeProvider, type ProviderFormat, providerFormats } from '../../support/replies.ts';
import { noDeadline, rankQuestion, searchWith } from '../../support/serps.ts';

const question = rankQuestion('wanted.example');
const query = question.keyword;
const shown = ['https://other.example/', 'https://wanted.example/'];

/** The outcome of a reply: the target's rank, a proven "not ranked", the failure of a rewritten query, or no answer. */
type Verdict = number | 'no' | 'rewritten' | 'no answer';

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
/** Pages of Google itself, which have no rank. */
const ownEntries = [
  '/search?q=red&tbm=isch',
  'https://m.google.com/search?q=red',
  'https://images.google.com/search?q=red',
  'https://www.google.com/preferences?hl=en',
].map((address) => ({ ...readableEntry, rank_group: 1, rank: 1, link: address, url: address }));
const wantedEntry = { ...readableEntry, link: 'https://wanted.example/', url: 'https://wanted.example/' };

/** Unreadable entries next to a readable one: any of them may be the target. */
const unreadableBeside: [title: string, entry: unknown][] = [
  ['an entry that is null', null],
  ...Object.entries({
    'an entry without a URL': null,
    'a relative URL': '/red',
    'a URL in a list': ['https://a.example/'],
    'a displayed URL, cut': 'https://wanted.ex…',
    'a displayed URL': 'https://wanted.example › red',
    'a link to a captcha': 'https://www.google.com/sorry/index',
    'a URL without a scheme': 'wanted.example',
  }).map(([title, url]): [string, unknown] => [title, { ...readableEntry, link: url, url }]),
];

/** Fields that make a reply a failure, whatever its status. */
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

/** Undocumented fields. Beside an empty page, such a field may be the reason for it. */
const unknowns: object[] = [{ reason: 'x' }, { type: 'interstitial' }, { attempts: 3 }, { hasGoogle: false }];

/** Adds a field to one nested object of a reply at a time. */
function inParts(body: object, member: object): [part: string, body: object][] {
  const isPart = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.entries(body)
    .filter(([, value]) => isPart(value))
    .map(([name, value]) => [name, { ...body, [name]: { ...value, ...member } }]);
}

function cases(format: ProviderFormat): [title: string, answer: Answer | null, verdict: Verdict][] {
  const { reply } = format;
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
    ['an error with an empty page', { body: format.withError(empty) }, 'no answer'],
    ['an error with results', { body: format.withError(full) }, 'no answer'],
    ['another query, nothing found', { body: reply('blue shoes', []) }, 'rewritten'],
    ['another query with its results', { body: reply('blue shoes', shown) }, 'rewritten'],
    ['no query named, nothing found', { body: reply(undefined, []) }, 'no answer'],
    ['no query named, results', { body: reply(undefined, shown) }, 'no answer'],
    ['an empty page with status 202', { status: 202, body: empty }, 'no answer'],
    ['results for another query, marked as such', orNone(format.rewritten(query, shown)), 'rewritten'],
    ['nothing found, other results shown', orNone(format.nothingMatched(query, shown)), 'no'],
    ['a captcha', format.captcha, 'no answer'],
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
    ['an unknown field with results', { body: { ...full, session: 'x' } }, 2],
    ['no list of entries', { body: format.withEntries(full, undefined) }, 'no answer'],
    ...ownEntries.map((entry): [string, Answer, Verdict] => [
      `${entry.link} before the target`,
      { body: format.withEntries(full, [entry, wantedEntry]) },
      1,
    ]),
    ['only pages of Google', { body: format.withEntries(full, ownEntries) }, 'no answer'],
    ['entries in an object', { body: format.withEntries(empty, { 0: readableEntry }) }, 'no answer'],
    [
      'the target, with another spelling of its type',
      {
        body: format.withEntries(full, [
          readableEntry,
          { ...readableEntry, ...wantedAt, type: 'Organic_Result' },
        ]),
      },
      2,
    ],
    ...unreadableBeside.map(([title, entry]): [string, Answer, Verdict] => [
      `${title} beside a readable entry`,
      { body: format.withEntries(full, [readableEntry, entry]) },
      'no answer',
    ]),
    ...unreadableEntries.map(([title, entries]): [string, Answer, Verdict] => [
      title,
      { body: format.withEntries(empty, entries) },
      'no answer',
    ]),
  ];
}

const meanings: Record<string, string> = {
  no: 'proves "not ranked"',
  rewritten: 'says that Google rewrote the query',
  'no answer': 'gives no answer',
};

for (const format of providerFormats) {
  describe(`a reply of ${format.source.name}`, () => {
    const { server, provider } = useProvider((baseUrl) => makeProvider(format, baseUrl));

    const toVerdict = async (answer: Answer): Promise<Verdict> => {
      server.willAnswer(answer);
      const outcome = await checkRank(question, searchWith([provider]), noDeadline);
      if (outcome.state === 'failed') return outcome.error === 'query_rewritten' ? 'rewritten' : 'no answer';
      return outcome.answer.rank ?? 'no';
    };

    for (const [title, answer, verdict] of cases(format)) {
      if (answer === null) continue;
      it(`${meanings[verdict] ?? `gives rank ${verdict}`}: ${title}`, async () => {
        expect(await toVerdict(answer)).to.equal(verdict);
      });
    }

    it('gives no answer if the first page counts results and lists none', async () => {
      for (const [count, verdict] of [
        ['1,200,000', 'no answer'],
        [120, 'no answer'],
        [0, 'no'],
        [null, 'no'],
      ] as const) {
        const counted = format.counting(format.reply(query, []), count);
        if (counted !== null) expect(await toVerdict({ body: counted }), String(count)).to.equal(verdict);
      }
    });

    it('proves "not indexed" only for the requested URL', async () => {
      server.willAnswer({ body: format.reply('shop.example/red', []) });
      const outcome = await checkIndex('https://shop.example/red', searchWith([provider]), noDeadline);
      // The second search, for site:shop.example/red, gets the page of the first one.
      expect(outcome.state).to.equal('failed');
    });
  });
}
