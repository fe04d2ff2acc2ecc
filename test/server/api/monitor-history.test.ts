import { expect } from 'chai';
import type { AnswerOf } from '../../../schemas/check-types.ts';
import { httpAnswer, rankAnswer, rankQuery } from '../../support/answers.ts';
import { monitored } from '../../support/monitored.ts';
import { useAccount, useService } from '../../support/service.ts';

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const daysAgo = (days: number) => new Date(today - days * dayMs);
const iso = (at: Date) => `${at.toISOString().slice(0, 19)}+00:00`;

const queries = [
  rankQuery({ keyword: 'shoes', tag: 'brand', competitor_urls: ['rival.example'] }),
  rankQuery({ keyword: 'boots', device: 'mobile' }),
];

describe('the history of a monitor', () => {
  const service = useService();
  const account = useAccount(service);
  let ranks: string;
  let pages: string;
  const runIds: string[] = [];

  before(async () => {
    const { accountId } = account;
    const monitor = await monitored(service, accountId, 'keyword', queries, { confirmLosses: false });
    ranks = monitor.monitorId;
    const shoes = (rank: number, rival: number | null) =>
      rankAnswer(rank, { competitors: [{ url: 'rival.example', rank: rival, ranked_url: null }] });
    const found: Array<[number, Array<AnswerOf<'keyword'> | null>]> = [
      [8, [shoes(5, 3), rankAnswer(null)]],
      [7, [shoes(5, 3), rankAnswer(12)]],
      [1, [shoes(4, 2), null]],
      [0, [shoes(1, null), rankAnswer(15)]],
    ];
    for (const [days, answers] of found) runIds.push((await monitor.run(daysAgo(days), answers)).runId);

    const http = await monitored(service, accountId, 'http', [
      { url: 'https://example.com/a' },
      { url: 'https://example.com/b' },
    ]);
    pages = http.monitorId;
    const walled = httpAnswer({ status: 403, bot_wall: 'cloudflare' });
    await http.run(daysAgo(1), [httpAnswer(), httpAnswer()]);
    await http.run(daysAgo(0), [httpAnswer({ status: 404, soft404_checked: false }), walled]);
  });

  const get = async (path: string) => service.call(`/monitors/${path}`, { token: account.token });
  const getData = async (path: string) => (await get(path)).body.data;

  it('lists changes, newest first, filtered by kind and subject', async () => {
    const { status, body } = await get(`${ranks}/changes`);
    expect(status).to.equal(200);
    const told = body.data.map((each: { kind: string; subject: { keyword: string } }) => [
      each.subject.keyword,
      each.kind,
    ]);
    expect(told).to.deep.equal([
      ['boots', 'rank_down'],
      ['shoes', 'rank_up'],
      ['boots', 'ranked'],
    ]);
    expect(body.data[1]).to.deep.include({ run_id: runIds[3], before: { rank: 5 }, after: { rank: 1 } });
    const kinds = async (query: string) =>
      (await getData(`${ranks}/changes?${query}`)).map(({ kind }: { kind: string }) => kind);
    expect(await kinds('kind=ranked')).to.deep.equal(['ranked']);
    expect(await kinds(`run_id=${runIds[3]}`)).to.deep.equal(['rank_down', 'rank_up']);
    expect(await kinds('tag=brand')).to.deep.equal(['rank_up']);
    expect(await kinds('device=mobile&country=us')).to.deep.equal(['rank_down', 'ranked']);
    expect(await kinds(`subject_id=${body.data[1].subject_id}`)).to.deep.equal(['rank_up']);
    expect(await kinds('to=2020-01-01')).to.deep.equal([]);
    const first = (await get(`${ranks}/changes?per_page=1`)).body;
    const rest = await getData(`${ranks}/changes?cursor=${first.next_cursor}`);
    expect([...first.data, ...rest]).to.deep.equal(body.data);
  });

  it('lists subjects with their points, best rank and differences', async () => {
    const [shoes, boots] = await getData(`${ranks}/subjects`);
    expect(shoes.latest).to.deep.equal({
      from: iso(daysAgo(0)),
      until: iso(daysAgo(0)),
      rank: 1,
      competitors: [{ url: 'rival.example', rank: null }],
      unconfirmed: false,
    });
    expect(
      shoes.points.map((point: { rank: number; from: string; until: string }) => [
        point.rank,
        point.from,
        point.until,
      ]),
    ).to.deep.equal([
      [5, iso(daysAgo(8)), iso(daysAgo(7))],
      [4, iso(daysAgo(1)), iso(daysAgo(1))],
      [1, iso(daysAgo(0)), iso(daysAgo(0))],
    ]);
    expect(shoes.best).to.deep.equal({ rank: 1, at: iso(daysAgo(0)) });
    expect(shoes.differences).to.deep.equal({
      day_1: { rank: 4, difference: -3 },
      day_7: { rank: 5, difference: -4 },
      day_30: null,
    });
    // The check of one day ago failed, and the previous one is a week old.
    expect(boots.differences.day_1).to.equal(null);
    expect(boots.differences.day_7).to.deep.equal({ rank: 12, difference: 3 });
    expect(await getData(`${ranks}/subjects?tag=brand&from=${iso(daysAgo(0)).slice(0, 10)}`)).to.deep.equal([
      { ...shoes, points: [shoes.latest] },
    ]);
    // A period that began earlier is included as a whole. One that begins at the end is not included.
    const week = `from=${daysAgo(7).toISOString()}&to=${daysAgo(1).toISOString()}`;
    expect((await getData(`${ranks}/subjects?${week}&tag=brand`))[0].points).to.deep.equal([shoes.points[0]]);
    expect((await getData(`${ranks}/subjects?to=2020-01-01`))[0].points).to.deep.equal([]);
    const [gone, behind] = await getData(`${pages}/subjects`);
    expect(gone.latest).to.include({
      status: 404,
      is_soft404: false,
      soft404_checked: false,
      bot_wall: false,
    });
    expect(behind.latest).to.include({ status: 403, bot_wall: true });
    const first = (await get(`${ranks}/subjects?per_page=1`)).body;
    expect(first.total).to.equal(2);
    expect((await getData(`${ranks}/subjects?cursor=${first.next_cursor}`))[0].subject_id).to.equal(
      boots.subject_id,
    );
  });

  it('lists the counts and the coverage of each run', async () => {
    const [latest, failed] = await getData(`${ranks}/series?per_page=366`);
    expect(latest).to.deep.include({ run_id: runIds[3], subjects: 2, answered: 2, coverage: 1 });
    expect(latest.changes).to.deep.equal({ rank_up: 1, rank_down: 1 });
    expect(latest.ranks).to.deep.equal({
      top_3: 1,
      top_10: 1,
      top_20: 2,
      top_100: 2,
      not_ranked: 0,
      // 30 of 30 for rank 1, and 1 for rank 15, of 2 × 30.
      visibility: 0.5167,
      average_rank: 8,
      differences: {
        day_1: { queries: 1, average_rank_before: 4, average_rank_now: 1 },
        day_7: { queries: 2, average_rank_before: 8.5, average_rank_now: 8 },
        day_30: null,
      },
    });
    expect(latest.competitors).to.have.lengthOf(1);
    expect(latest.competitors[0]).to.include({ url: 'rival.example', not_ranked: 1, visibility: 0 });
    expect(failed).to.deep.include({ answered: 1, failed: 1, coverage: 0.5 });
    expect(failed.competitors[0]).to.deep.include({ top_3: 1, average_rank: 2 });

    const mobile = await getData(`${ranks}/series?device=mobile`);
    expect(mobile[0]).to.deep.include({ subjects: 1, answered: 1 });
    expect(mobile[0].ranks.average_rank).to.equal(15);
    expect(mobile[0]).to.not.have.property('competitors');
    const nobody = await getData(`${ranks}/series?tag=nobody`);
    expect(nobody[0]).to.deep.include({ subjects: 0, coverage: null });

    const [now, yesterday] = await getData(`${pages}/series`);
    expect(now).to.deep.include({ answered: 2, dead: 1, bot_wall: 1, share_dead: 1 });
    expect(yesterday).to.deep.include({ dead: 0, share_dead: 0, share_soft404: 0 });
    const first = (await get(`${ranks}/series?per_page=3`)).body;
    expect(await getData(`${ranks}/series?cursor=${first.next_cursor}`)).to.have.lengthOf(1);
    expect(await getData(`${ranks}/series?from=${daysAgo(1).toISOString().slice(0, 10)}`)).to.have.lengthOf(
      2,
    );
  });

  it('rejects invalid parameters', async () => {
    for (const list of ['changes', 'subjects', 'series', 'sources']) {
      expect((await get(`${ranks}/${list}?from=soon`)).body.errors).to.have.keys('from');
    }
    expect((await get(`${ranks}/changes?kind=better`)).body.errors).to.have.keys('kind');
    expect((await get(`${ranks}/subjects?subject_id=-1`)).body.errors).to.have.keys('subject_id');
    expect((await get(`${ranks}/series?per_page=367`)).body.errors).to.have.keys('per_page');
    expect((await get(`${pages}/series?device=mobile`)).body.errors).to.have.keys('device');
  });
});
