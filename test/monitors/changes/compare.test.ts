import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Comparison, compare, isLoss } from '../../../monitors/changes/compare.ts';
import { type FactsOf, toFacts } from '../../../monitors/changes/facts.ts';
import { changeKindNames, changeKinds } from '../../../schemas/change-kinds.ts';
import type { AnswerOf } from '../../../schemas/check-types.ts';
import { httpAnswer, indexAnswer, rankAnswer, rankQuery } from '../../support/answers.ts';

const page = readFileSync('docs/monitors.md', 'utf8');
const telling = { rankThreshold: 3 };
const shoes = { url: 'https://example.com/shoes' };

type HttpRow = [before: Partial<AnswerOf<'http'>>, now: Partial<AnswerOf<'http'>>, kind: string | null];

const gone = { status: 0, error: 'connect_timeout', soft404_checked: false, title: null } as const;
const missing = { status: 404, soft404_checked: false, title: null };
const walled = { status: 403, bot_wall: 'cloudflare', soft404_checked: false, title: 'Just a moment...' };
const shell = { soft404_checked: false, title: null };

const httpRows: HttpRow[] = [
  [{}, {}, null],
  [{}, gone, 'unreachable'],
  [gone, { ...gone, error: 'dns_not_found' }, null],
  [gone, {}, 'recovered'],
  [gone, missing, 'recovered'],
  [{}, missing, 'status_changed'],
  [missing, { status: 410, soft404_checked: false }, 'status_changed'],
  [{}, { is_soft404: true }, 'soft404_appeared'],
  [{ is_soft404: true }, {}, 'soft404_cleared'],
  [{}, { noindex: 'meta' }, 'noindex_appeared'],
  [{ noindex: 'header' }, {}, 'noindex_cleared'],
  [{ noindex: 'header' }, { noindex: 'meta' }, null],
  [{}, { final_url: 'https://example.com/boots', initial_status: 301 }, 'redirect_changed'],
  [
    { final_url: 'https://example.com/boots', initial_status: 301 },
    { final_url: 'https://example.com/boots', initial_status: 302 },
    'redirect_changed',
  ],
  [{ final_url: 'https://example.com/shoes#top' }, {}, null],
  [{}, { canonical: 'https://example.com/boots' }, 'canonical_changed'],
  [{}, { title: 'Boots' }, 'title_changed'],
  // If several kinds match, the first counts.
  [{}, { is_soft404: true, noindex: 'meta', title: 'Not found' }, 'soft404_appeared'],
  [{}, { ...missing, final_url: 'https://example.com/404' }, 'status_changed'],
  // An answer of a bot wall has no values to compare, be it the earlier or the later answer.
  [{}, walled, null],
  [walled, missing, null],
  // If a page was not judged, soft 404 is unknown. If a page was not read, its texts are unknown.
  [{ is_soft404: true }, shell, null],
  [{ noindex: 'meta', canonical: 'https://example.com/boots' }, shell, null],
  [{ noindex: 'header' }, { ...shell, content_type: 'application/pdf' }, 'noindex_cleared'],
  [shell, { ...shell, noindex: 'header' }, null],
  [{ noindex: null }, { ...shell, noindex: 'header' }, 'noindex_appeared'],
];

const partKinds = [
  ...['ai_overview_appeared', 'ai_overview_gone', 'ai_cited', 'ai_uncited'],
  ...['snippet_won', 'snippet_lost'],
];

type RankRow = [before: RankSaid, now: RankSaid, kind: string | null, isLoss?: boolean];
type RankSaid = [rank: number | null, pages?: number, results?: number, landing?: string];

const rankRows: RankRow[] = [
  [[12], [14], null],
  [[12], [15], 'rank_down', false],
  [[15], [12], 'rank_up', false],
  // A change across rank 3, 10 or 20 counts even if it is smaller than the threshold.
  [[3], [4], 'rank_down', false],
  [[4], [3], 'rank_up', false],
  [[10], [11], 'rank_down', false],
  [[21], [20], 'rank_up', false],
  [[11], [12], null],
  [[11], [20], 'rank_down', false],
  [[11], [21], 'rank_down', true],
  [[null], [7], 'ranked', false],
  [[7], [null], 'not_ranked', true],
  // Nothing is reported if one of the answers was not read down to the rank of the other.
  [[45], [null, 3, 24], null],
  [[95], [null, 10, 80], null],
  [[25], [null, 10, 80], 'not_ranked', true],
  [[null, 2, 19], [25], null],
  [[null, 10, 84], [25], 'ranked', false],
  // Results that end on page 1 count as read down to rank 10.
  [[9], [null, 1, 4], 'not_ranked', true],
  [[5], [5, 1, 10, 'https://www.example.com/shoes/?srsltid=AfmBO'], null],
  [[5], [5, 1, 10, 'https://example.com/boots'], 'ranked_url_changed', false],
  [[5], [1, 1, 10, 'https://example.com/boots'], 'rank_up', false],
];

describe('compare', () => {
  it('reports for an address the first kind that matches', () => {
    const told = httpRows.map(([before, now]) => kindBetween(http(before), http(now), 'http'));
    expect(told).to.deep.equal(httpRows.map(([, , kind]) => kind));
  });

  it('reports rank changes that are large enough, and only as deep as was read', () => {
    const told = rankRows.map(([before, now]) => {
      const { change } = compare('keyword', rank(before), rank(now), telling);
      return change ? [change.kind, isLoss(change)] : [null, undefined];
    });
    expect(told).to.deep.equal(rankRows.map(([, , kind, loss]) => [kind, loss]));
  });

  it('reports additions and removals for an index', () => {
    expect(kindBetween(index(true), index(false), 'index')).to.equal('deindexed');
    expect(kindBetween(index(false), index(true), 'index')).to.equal('indexed');
    expect(kindBetween(index(true), index(true), 'index')).to.equal(null);
  });

  it('takes the first answer as the baseline and reports nothing', () => {
    expect(compare('http', null, http({}), telling)).to.deep.equal({ change: null, baseline: http({}) });
  });

  it('keeps the baseline until a report, so that slow changes are reported when they have added up', () => {
    const ranks = [11, 12, 13, 14, 15, 16, 17];
    let baseline: FactsOf<'keyword'> | null = null;
    const told: string[] = [];
    for (const each of ranks) {
      const compared: Comparison<'keyword'> = compare('keyword', baseline, rank([each]), telling);
      const { change } = compared;
      if (change) told.push(`${change.before.rank} → ${change.after.rank}`);
      baseline = compared.baseline;
    }
    expect(told).to.deep.equal(['11 → 14', '14 → 17']);
  });

  it('shows only the differences', () => {
    const { change } = compare('http', http({}), http({ is_soft404: true, title: 'Not found' }), telling);
    expect(change).to.deep.equal({
      kind: 'soft404_appeared',
      before: { is_soft404: false, title: 'Shoes' },
      after: { is_soft404: true, title: 'Not found' },
    });
  });

  it('adds values to the baseline that were missing before', () => {
    const first = compare('http', null, http(walled), telling).baseline;
    const second = compare('http', first, http({}), telling);
    expect(second.change).to.equal(null);
    expect(kindBetween(second.baseline, http(missing), 'http')).to.equal('status_changed');
    // The baseline keeps the last values of a dead page.
    const dead = compare('http', http({}), http(gone), telling).baseline;
    const back = compare('http', dead, http({ title: 'Boots' }), telling).change;
    expect(back?.after).to.deep.equal({ status: 200, error: null, title: 'Boots' });
  });

  it('keeps the greatest depth to which a missing rank was searched', () => {
    const shallow = compare('keyword', rank([null, 10, 90]), rank([null, 2, 19]), telling).baseline;
    expect(compare('keyword', shallow, rank([50]), telling).change?.kind).to.equal('ranked');
  });

  it('takes a rank beyond the searched depth as the baseline, so that later moves are reported', () => {
    const answers: RankSaid[] = [
      [null, 3, 30],
      [44, 5],
      [50, 5],
      [49, 5],
      [null, 3, 30],
      [38, 4],
      [null, 5, 50],
    ];
    let baseline: FactsOf<'keyword'> | null = null;
    const told: string[] = [];
    for (const each of answers) {
      const compared: Comparison<'keyword'> = compare('keyword', baseline, rank(each), telling);
      const { change } = compared;
      if (change) told.push(`${change.kind} ${change.before.rank} → ${change.after.rank}`);
      baseline = compared.baseline;
    }
    expect(told).to.deep.equal(['rank_down 44 → 50', 'rank_up 50 → 38', 'not_ranked 38 → null']);
  });

  it('compares overviews and snippets only if both answers say something about them', () => {
    const shown = { ai_overview: 'shown', ai_cited: false } as const;
    const cited = { ai_overview: 'shown', ai_cited: true } as const;
    const unread = { ai_overview: 'shown' } as const;
    const none = { ai_overview: 'not_shown' } as const;
    const kindOf = (before: FactsOf<'overview'>, now: FactsOf<'overview'>) =>
      compare('overview', before, now, telling).change?.kind ?? null;
    const kinds = [kindOf(none, shown), kindOf(cited, none), kindOf(shown, cited), kindOf(cited, shown)];
    expect(kinds).to.deep.equal(partKinds.slice(0, 4));
    const silent = [kindOf(cited, unread), kindOf(unread, shown), kindOf(cited, {}), kindOf({}, none)];
    expect(silent).to.deep.equal([null, null, null, null]);
    const [own, foreign] = [{ snippet_owned: true }, { snippet_owned: false }];
    const snippets = [compare('snippet', foreign, own, telling), compare('snippet', own, foreign, telling)];
    expect(snippets.map(({ change }) => change?.kind)).to.deep.equal(partKinds.slice(4));
    expect(compare('snippet', own, {}, telling).change).to.equal(null);
  });

  it('can report every kind that an answer can cause', () => {
    const told = new Set([
      ...[...httpRows, ...rankRows].map(([, , kind]) => kind),
      ...partKinds,
      'indexed',
      'deindexed',
      // Caused by a sitemap, not by an answer.
      'joined_sitemap',
      'left_sitemap',
    ]);
    expect(changeKindNames.filter((kind) => !told.has(kind))).to.deep.equal([]);
  });

  it('is documented kind by kind, in the order of the first match', () => {
    const rows = [...page.matchAll(/^\| (?:`(\w+)`|a sitemap)? +\| `(\w+)`/gm)];
    let type: string | null = null;
    const written = rows.map(([row, named = null, kind]) => {
      if (named || row.startsWith('| a sitemap')) type = named;
      return [kind, type];
    });
    expect(written).to.deep.equal(changeKindNames.map((kind) => [kind, changeKinds[kind].type]));
  });
});

function http(over: Partial<AnswerOf<'http'>>) {
  return toFacts('http', httpAnswer(over), shoes);
}

function index(isIndexed: boolean) {
  return toFacts('index', indexAnswer(isIndexed), shoes);
}

function rank([place, pages = 10, results = 100, landing]: RankSaid) {
  return toFacts('keyword', rankAnswer(place, { pages, results, landing }), rankQuery());
}

function kindBetween<T extends 'http' | 'index'>(before: FactsOf<T>, now: FactsOf<T>, type: T) {
  return compare(type, before, now, telling).change?.kind ?? null;
}
