import { expect } from 'chai';
import * as changes from '../../db/monitors/changes.ts';
import * as points from '../../db/monitors/points.ts';
import * as runTallies from '../../db/monitors/run-tallies.ts';
import type { AnswerOf, InputOf } from '../../schemas/check-types.ts';
import { seriesEntryBody } from '../../wire/series.ts';
import { overviewFields } from '../../wire/subjects.ts';
import { rankAnswer } from '../support/answers.ts';
import { type Monitored, monitored } from '../support/monitored.ts';
import { answerWithOverview, type OverviewCase } from '../support/overviews.ts';
import { useProviderServer } from '../support/provider.ts';
import { useReceiver } from '../support/receiver.ts';
import { useRecords } from '../support/records.ts';
import { providerFormats } from '../support/replies.ts';
import { useService } from '../support/service.ts';

const toDate = (day: number) => new Date(Date.UTC(2026, 0, 1 + day, 6));
const query = {
  ...{ keyword: 'red shoes', target_url: 'example.com', country: 'US', language: 'en', device: 'desktop' },
  ...{ start_page: 1, end_page: 1, match: 'site', tag: null, include: ['features', 'ai_overview'] },
} as InputOf<'keyword'>;

type Overview = 'cited' | 'uncited' | 'unread' | 'not_shown' | 'unknown';
type Snippet = 'own' | 'foreign' | 'none' | 'unknown';

/** Creates an answer with this rank, whose results page has an AI Overview and a snippet in these states. */
function answer(rank: number, overview: Overview, snippet: Snippet): AnswerOf<'keyword'> {
  const isRead = overview === 'cited' || overview === 'uncited';
  const block = { type: 'featured_snippet' as const, position: 1, owned: snippet === 'own', urls: [] };
  return {
    ...rankAnswer(rank),
    ai_overview: {
      state: isRead ? 'shown' : overview,
      cited: isRead ? overview === 'cited' : null,
      cited_url: overview === 'cited' ? 'https://example.com/shoes' : null,
      citation: overview === 'cited' ? 1 : null,
    },
    features: snippet === 'own' || snippet === 'foreign' ? [block] : [],
    features_visible: snippet === 'unknown' ? [] : ['featured_snippet'],
  };
}

describe('a monitor with AI Overviews', () => {
  const records = useRecords();
  let accountId: number;
  let monitor: Monitored<'keyword'>;

  beforeEach(async () => {
    accountId = await records.account();
    monitor = await monitored(records, accountId, 'keyword', [query]);
  });

  const listAll = async () =>
    (await changes.list(records.db, accountId, { monitorId: monitor.monitorId, limit: 100 })).toReversed();

  it('reports each change of rank, overview and snippet once, over twelve days', async () => {
    const days: [Parameters<typeof answer>, ...string[]][] = [
      [[5, 'not_shown', 'none']],
      [[5, 'uncited', 'foreign'], 'ai_overview_appeared'],
      [[5, 'cited', 'foreign'], 'ai_cited'],
      [[5, 'unknown', 'unknown']],
      [[1, 'cited', 'own'], 'rank_up', 'snippet_won'],
      [[1, 'unread', 'own']],
      [[1, 'uncited', 'foreign']],
      [[1, 'uncited', 'foreign'], 'ai_uncited', 'snippet_lost'],
      [[1, 'not_shown', 'none'], 'ai_overview_gone'],
      [[1, 'unread', 'none'], 'ai_overview_appeared'],
      [[1, 'cited', 'none'], 'ai_cited'],
      [[1, 'cited', 'none']],
    ];
    const reported: string[][] = [];
    const runIds: string[] = [];
    for (const [day, [state]] of days.entries()) {
      const { runId, counts } = await monitor.run(toDate(day), [answer(...state)]);
      reported.push(Object.keys(counts));
      runIds.push(runId);
    }
    expect(reported).to.deep.equal(days.map(([, ...kinds]) => kinds));
    const stored = await listAll();
    expect(stored.map(({ kind }) => kind)).to.have.members(reported.flat());
    // Losses belong to the run that found them first.
    const losses = stored.filter(({ kind }) => kind === 'ai_uncited' || kind === 'snippet_lost');
    expect(losses.map(({ runId, notifiedBy }) => [runId, notifiedBy])).to.deep.equal(
      Array(2).fill([runIds[6], runIds[7]]),
    );
    const [cited] = stored.filter(({ kind }) => kind === 'ai_cited');
    expect(cited).to.deep.include({
      before: { ai_cited: false, ai_cited_url: null },
      after: { ai_cited: true, ai_cited_url: 'https://example.com/shoes' },
    });
  });

  it('confirms the loss of a citation and of a snippet, and reports neither if the second check disproves it', async () => {
    await monitor.run(toDate(1), [answer(5, 'cited', 'own')]);
    const first = await monitor.run(toDate(2), [answer(5, 'uncited', 'none')]);
    expect(first).to.deep.include({ changes: 0, losses: [monitor.subjects[0]?.subjectId] });
    const disproved = await monitor.run(toDate(2), [answer(5, 'cited', 'own')], { confirms: first.runId });
    expect(disproved.changes).to.equal(0);
    const second = await monitor.run(toDate(3), [answer(5, 'uncited', 'none')]);
    const confirmed = await monitor.run(toDate(3), [answer(5, 'uncited', 'none')], {
      confirms: second.runId,
    });
    expect(confirmed.counts).to.deep.equal({ ai_uncited: 1, snippet_lost: 1 });
    const third = await monitor.run(toDate(4), [answer(5, 'uncited', 'none')]);
    expect(third).to.deep.include({ changes: 0, losses: [] });
    expect(await listAll()).to.have.length(2);
  });

  it('does not say that a citation is lost before a second check confirms it', async () => {
    const { subjectId = 0 } = monitor.subjects[0] ?? {};
    const findLast = async () => {
      const { flags } = (await points.findLast(records.db, accountId, [subjectId])).get(subjectId) ?? {};
      return overviewFields(flags ?? 0);
    };
    await monitor.run(toDate(1), [answer(5, 'cited', 'none')]);
    const lost = await monitor.run(toDate(2), [answer(5, 'uncited', 'none')]);
    expect(await findLast()).to.deep.equal({ ai_overview: 'shown' });
    const tenMinutesLater = new Date(toDate(2).getTime() + 600_000);
    await monitor.run(tenMinutesLater, [answer(5, 'uncited', 'none')], { confirms: lost.runId });
    expect(await findLast()).to.deep.equal({ ai_overview: 'shown', ai_cited: false });
  });

  it('keeps a pending loss over answers that say nothing about it', async () => {
    await monitor.run(toDate(1), [answer(5, 'cited', 'own')]);
    const first = await monitor.run(toDate(2), [answer(5, 'uncited', 'foreign')]);
    await monitor.run(toDate(3), [answer(5, 'unread', 'unknown')]);
    const decided = await monitor.run(toDate(4), [answer(5, 'uncited', 'foreign')]);
    expect(decided.counts).to.deep.equal({ ai_uncited: 1, snippet_lost: 1 });
    expect((await listAll()).map(({ runId }) => runId)).to.deep.equal([first.runId, first.runId]);
  });

  it('has series of coverage and citations, without unconfirmed losses', async () => {
    const inputs = ['a', 'b', 'c', 'd'].map((keyword) => ({
      ...query,
      keyword,
      tag: keyword < 'c' ? 'x' : null,
    }));
    monitor = await monitored(records, accountId, 'keyword', inputs);
    const states: Overview[] = ['cited', 'uncited', 'unread', 'not_shown'];
    await monitor.run(
      toDate(1),
      states.map((state) => answer(5, state, 'none')),
    );
    const lost = await monitor.run(toDate(2), [
      answer(5, 'uncited', 'none'),
      null,
      null,
      answer(5, 'unknown', 'none'),
    ]);
    const series = async (filter = {}) =>
      (await runTallies.list(records.db, monitor, { limit: 10, ...filter }))
        .toReversed()
        .map((row) => seriesEntryBody('keyword', row, filter))
        .map(({ ai_coverage: coverage, ai_citation_rate: rate }) => [coverage, rate]);
    expect(await series()).to.deep.equal([
      [0.75, 0.5],
      [null, null],
    ]);
    expect(await series({ tag: 'x' })).to.deep.equal([
      [1, 0.5],
      [undefined, undefined],
    ]);
    await monitor.run(toDate(2), [answer(5, 'uncited', 'none')], { confirms: lost.runId, only: lost.losses });
    expect((await series())[1]).to.deep.equal([1, 0]);
  });
});

describe('a monitor of SerpApi’s overviews', () => {
  const google: Record<string, { state: OverviewCase; sources: string[] }> = {};
  const server = useProviderServer();
  const receiver = useReceiver();
  const service = useService(
    () => {
      server.willAnswer(
        answerWithOverview(providerFormats[1]!, {
          pages: () => [['https://www.example.com/', 'https://other.example/']],
          overview: (keyword) => google[keyword]?.state ?? 'none',
          sources: (keyword) => google[keyword]?.sources ?? [],
        }),
      );
      return {
        SERP_PROVIDERS: 'serpapi',
        SERPAPI_API_KEY: 'k',
        SERPAPI_BASE_URL: server.baseUrl,
        SERP_REUSE_SECONDS: '0',
      };
    },
    { worker: true },
  );
  afterEach(async () => expect(await service.problems()).to.deep.equal([]));

  it('charges the maximum, refunds what was not read, names changes in webhooks, and lists sources', async () => {
    const account = await service.account(1_000);
    const call = async (path: string, options: object = {}) =>
      (await service.call(path, { token: account.token, ...options })).body;
    const include = ['ai_overview'];
    const competitors = ['rival.example'];
    const queries = ['red', 'blue'].map((keyword) => ({
      url: 'example.com',
      keyword,
      include,
      competitors,
      end_page: 1,
    }));
    const { monitor } = await call('/monitors', {
      body: {
        ...{
          name: 'Shop',
          type: 'keyword',
          schedule: { every: 'day' },
          confirm_losses: false,
          notify: { webhook_url: receiver.url, email: false },
        },
        queries: [...queries, { url: 'example.com', keyword: 'plain' }],
      },
    });
    expect(monitor).to.include({ subjects: 3, credits_per_run: 5 });
    const run = async () => {
      const { run: started } = await call(`/monitors/${monitor.monitor_id}/run`, { body: {} });
      expect(started.credits_charged).to.equal(5);
      const before = await service.credits(account.accountId);
      await service.quiet();
      return (await service.credits(account.accountId)) - before;
    };
    google.red = { state: 'later', sources: ['https://www.example.com/a', 'https://rival.example/'] };
    google.blue = { state: 'none', sources: [] };
    expect(await run()).to.equal(1);
    google.red.sources = ['https://rival.example/', 'https://wiki.example/'];
    google.blue = { state: 'inline', sources: ['https://blog.example.com/', 'https://wiki.example/'] };
    expect(await run()).to.equal(0);
    const bodies = receiver.received.map(({ body }) => body as { event: string; counts: object });
    const changed = bodies.find(({ event }) => event === 'monitor.changed');
    expect(changed?.counts).to.deep.equal({ ai_uncited: 1, ai_overview_appeared: 1 });
    const { data: listed } = await call(`/monitors/${monitor.monitor_id}/changes?kind=ai_uncited`);
    expect(listed).to.have.length(1);
    const { data: series } = await call(`/monitors/${monitor.monitor_id}/series`);
    expect(
      series.map((one: { ai_coverage: number; ai_citation_rate: number }) => [
        one.ai_coverage,
        one.ai_citation_rate,
      ]),
    ).to.deep.equal([
      [1, 0.5],
      [0.5, 1],
    ]);
    const { data: sources } = await call(`/monitors/${monitor.monitor_id}/sources`);
    expect(sources).to.deep.equal([
      { domain: 'example.com', share: 0.6667, is_target: true, is_competitor: false },
      { domain: 'rival.example', share: 0.6667, is_target: false, is_competitor: true },
      { domain: 'wiki.example', share: 0.6667, is_target: false, is_competitor: false },
    ]);
    const none = await call(`/monitors/${monitor.monitor_id}/sources?to=2020-01-01`);
    expect(none).to.deep.equal({ success: true, data: [] });
  });
});
