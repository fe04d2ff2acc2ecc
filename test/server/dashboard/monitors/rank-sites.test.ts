import { expect } from 'chai';
import { parse as parseCsv } from 'csv-parse/sync';
import { sql } from 'kysely';
import { type HTMLElement, parse } from 'node-html-parser';
import type { Subject } from '../../../../db/monitors/subjects.ts';
import type { RankQuery } from '../../../../schemas/keyword.ts';
import { weekdays } from '../../../../schemas/monitor-types.ts';
import { day } from '../../../../server/dashboard/format.ts';
import { rankAnswer, rankQuery } from '../../../support/answers.ts';
import { toText, useVisit, visit } from '../../../support/dashboard.ts';
import { monitored } from '../../../support/monitored.ts';
import { useAccount, useService } from '../../../support/service.ts';

const dayMs = 86_400_000;

describe('the pages of tracked sites', () => {
  const service = useService();
  const account = useAccount(service, 0, { isForEach: true });
  const browser = useVisit(service, account, { isForEach: true });

  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs - 60_000);
  const texts = (page: HTMLElement, selector: string) => page.querySelectorAll(selector).map(toText);
  const open = (path: string) => browser.open(path);

  /** Creates a monitor, and runs it with ranks by days ago. */
  const track = async (
    queries: Partial<RankQuery>[],
    runs: Record<number, Array<number | null>>,
    rivals: (rank: number | null) => Array<number | null> = () => [],
  ) => {
    const inputs = queries.map((query) => rankQuery({ target_url: 'shop.example', ...query }));
    const monitor = await monitored(service, account.accountId, 'keyword', inputs, { confirmLosses: false });
    const oldestFirst = Object.entries(runs).sort(([a], [b]) => Number(b) - Number(a));
    for (const [days, ranks] of oldestFirst) {
      const answers = ranks.map((rank, place) => {
        const urls = inputs[place]?.competitor_urls;
        const competitors = urls?.map((url, nth) => ({ url, rank: rivals(rank)[nth] ?? null }) as never);
        return rankAnswer(rank, { landing: 'https://shop.example/shoes', competitors });
      });
      await monitor.run(daysAgo(Number(days)), answers);
    }
    return monitor;
  };

  it('sort keywords by their first hundred characters', async () => {
    const long = 'a'.repeat(100);
    await track(
      [`${long}z`, `${long}b`, 'b', 'Ab'].map((keyword) => ({ keyword })),
      { 0: [1, 2, 3, 4] },
    );
    const page = await open('/ranks/shop.example?sort=keyword');
    const names = texts(page, 'tbody a[href*="/subjects/"]').filter((text) => text !== '');
    expect([...new Set(names)].map((name) => name.slice(-2))).to.deep.equal(['az', 'ab', 'Ab', 'b']);
  });

  it('say for how many keywords the last run has answers, and date the ranks of the others', async () => {
    const monitor = await track([{ keyword: 'a' }, { keyword: 'b' }], { 3: [5, 15] });
    const complete = await open('/ranks/shop.example');
    expect(complete.querySelector('.notice')).to.equal(null);
    await monitor.run(daysAgo(0), [rankAnswer(4), null]);
    const page = await open('/ranks/shop.example');
    expect(toText(page.querySelector('.notice + .metrics')?.previousElementSibling)).to.match(
      /^The last run, .* UTC, has answers for 1 of 2 keywords\. The figures count only these\.$/,
    );
    const old = /^#15 checked .*, \d\d:\d\d UTC$/;
    const [first, second] = texts(page, 'td[data-label=Rank]');
    expect(first).to.equal('#4');
    expect(second).to.match(old);
    // The other pages say it in the same words.
    const path = `/monitors/${monitor.monitorId}`;
    expect(texts(await open('/ranks'), '.sites td')[6]).to.match(/ answers for 1 of 2 keywords$/);
    expect(texts(await open('/monitors'), '[data-label="Last result"]')[0]).to.match(
      / visible answers for 1 of 2 keywords$/,
    );
    expect(toText((await open(path)).querySelector('.notice'))).to.equal(
      toText(page.querySelector('.notice')),
    );
    expect(texts(await open(`${path}/subjects`), '[data-label=Now]')).to.deep.equal([first, second]);
  });

  it('name the monitors whose last runs have no answers for some keywords', async () => {
    await track([{ keyword: 'a' }, { keyword: 'b' }], { 0: [5, 15] });
    const monitor = await track([{ keyword: 'c' }, { keyword: 'd' }], { 3: [5, 15] });
    await service.db
      .updateTable('monitors')
      .set({ name: 'Hourly' })
      .where('monitorId', '=', monitor.monitorId)
      .execute();
    await monitor.run(daysAgo(0), [rankAnswer(4), null]);
    const notices = texts(await open('/ranks/shop.example'), '.notice');
    expect(notices).to.have.length(1);
    expect(notices[0]).to.match(/^The last run of Hourly, .*, has answers for 1 of 2 keywords\./);
  });

  it('date all ranks of a paused monitor, also among the winners and on the page of a keyword', async () => {
    const { monitorId, subjects } = await track([{ keyword: 'a' }], { 3: [9], 1: [4] });
    const shown = async () => [
      ...texts(await open('/ranks/shop.example'), '.movers li, td[data-label=Rank]'),
      ...texts(await open(`/monitors/${monitorId}/subjects`), 'td[data-label=Now]'),
      ...texts(
        await open(`/monitors/${monitorId}/subjects/${subjects[0]?.subjectId}`),
        '.figures > :first-child',
      ),
    ];
    expect((await shown()).join(' ')).not.to.contain('checked');
    await browser.post(`/monitors/${monitorId}/pause`);
    const dated = await shown();
    expect(dated).to.have.length(4);
    for (const one of dated) expect(one).to.match(/ checked .* UTC/);
  });

  it('date no rank of the last run if the keyword got its tag after the run', async () => {
    await track([{ keyword: 'a', tag: 'before' }], { 1: [4] });
    await sql`update subjects set input = (input::jsonb || '{"tag": "after"}')::json
      where account_id = ${account.accountId}`.execute(service.db);
    expect(texts(await open('/ranks/shop.example?tag=after'), 'td[data-label=Rank]')).to.deep.equal(['#4']);
  });

  it('list each site once, with the ranks of all its monitors and without those of other sites', async () => {
    expect(toText((await open('/ranks')).querySelector('.empty'))).to.contain('Track where your site ranks');
    await track([{ keyword: 'a', target_url: 'https://www.shop.example/' }], { 7: [4], 0: [2] });
    // This monitor has two sites, one of them by a page.
    await track(
      [
        { keyword: 'b', target_url: 'https://shop.example/b' },
        { keyword: 'c', target_url: 'other.example' },
      ],
      { 7: [8, 50], 0: [4, 40] },
    );
    await track([{ keyword: 'd', target_url: 'untouched.example' }], {});
    const rows = (await open('/ranks')).querySelectorAll('.sites tbody tr');
    expect(rows.map((row) => row.querySelectorAll('td').slice(0, 6).map(toText))).to.deep.equal([
      ['other.example', '1', '#40.0', '▲ 10 (up from #50)', '0%', '0%'],
      ['shop.example', '2', '#3.0', '▲ 3 (up from #6)', '40%', '100%'],
      ['untouched.example', '1', 'No finished run yet'],
    ]);
    const page = await open('/ranks/shop.example');
    expect(texts(page, '.tracked .name')).to.deep.equal(['a', 'b']);
    expect(texts(page, '.values tbody tr:first-child td').slice(1)).to.deep.equal(['#3', '100%']);
    expect(texts(await open('/ranks/other.example'), '.tracked .name')).to.deep.equal(['c']);
    expect(toText(await open('/ranks/untouched.example'))).to.contain('No finished run in the last 30 days');
  });

  it('compare the summary with 1, 7 and 30 days ago', async () => {
    await track([{ keyword: 'a' }, { keyword: 'b' }], {
      30: [10, null],
      7: [6, 30],
      1: [4, 20],
      0: [3, 20],
    });
    const tiles = texts(await open('/ranks/shop.example'), '.metrics .tile');
    expect(tiles).to.deep.equal([
      'Average rank #11.5 ▲ 0.5 (up from #12) in 1 day ▲ 6.5 (up from #18) in 7 days ▲ 7 (up from #10) in 30 days for 1 keyword: #10 → #3',
      'Visibility 19.2% ▲ 5 pts (up from 14.2%) in 1 day ▲ 10.8 pts (up from 8.3%) in 7 days ▲ 15.3 pts (up from 3.8%) in 30 days',
      'In top 3 50% ▲ 50 pts (up from 0%) in 1 day ▲ 50 pts (up from 0%) in 7 days ▲ 50 pts (up from 0%) in 30 days',
      'In top 10 50% = (unchanged) in 1 day = (unchanged) in 7 days = (unchanged) in 30 days',
      'In top 20 100% = (unchanged) in 1 day ▲ 50 pts (up from 50%) in 7 days ▲ 50 pts (up from 50%) in 30 days',
    ]);
  });

  it('say which keywords the average rank and its changes count', async () => {
    await track([{ keyword: 'a' }, { keyword: 'b' }, { keyword: 'c' }], {
      30: [10, null, 20],
      0: [9, 40, null],
    });
    const page = await open('/ranks/shop.example');
    // The average was 15 and is 24.5, but the one keyword that ranked both times moved up.
    expect(texts(page, '.metrics .tile')[0]).to.equal(
      'Average rank #24.5 ▲ 1 (up from #10) in 30 days for 1 keyword: #10 → #9',
    );
    const help = toText(page.querySelector('details.more'));
    expect(help).to.contain('How these are counted').and.contain('only keywords that ranked at both times');
    expect(help).to.contain('the other keywords are left out');
    expect(help).to.contain(
      '53.3% at #2, 36.7% at #3, 21.7% at #5, 7.7% at #10, 1.7% at #20, and 0 below #20',
    );
  });

  it('compare no averages of different keywords', async () => {
    const toSite = (site: string) => ['a', 'b'].map((keyword) => ({ keyword, target_url: site }));
    await track(toSite('a.example'), { 7: [4, null], 0: [2, 40] });
    await track(toSite('b.example'), { 7: [4, null], 0: [null, 40] });
    await track(toSite('c.example'), { 3: [4, null], 0: [4, 40] });
    await track(toSite('d.example'), { 7: [4, null], 0: [4, 40] });
    expect(texts(await open('/ranks'), '[data-label="7 days"]')).to.deep.equal([
      '▲ 2 (up from #4 for 1 keyword: #4 → #2)',
      ...['–', '–', '= (unchanged for 1 keyword)'],
    ]);
    const tiles = [];
    for (const name of 'abcd') tiles.push(texts(await open(`/ranks/${name}.example`), '.metrics .tile')[0]);
    expect(tiles).to.deep.equal([
      'Average rank #21.0 ▲ 2 (up from #4) in 7 days for 1 keyword: #4 → #2',
      'Average rank #40.0',
      'Average rank #22.0',
      'Average rank #22.0 = (unchanged) in 7 days for 1 keyword',
    ]);
  });

  it('count one point in the singular', async () => {
    await track([{ keyword: 'a' }], { 1: [17], 0: [14] });
    expect(texts(await open('/ranks/shop.example'), '.metrics .tile')[1]).to.contain('▲ 1 pt (up from 2.7%)');
  });

  /** Sets the schedule of a monitor so that a run was due at the given time. */
  const setSchedule = (monitorId: string, every: 'day' | 'week', due: Date) => {
    const on = every === 'week' ? [weekdays[due.getUTCDay()]] : null;
    const schedule = { every, at: due.toISOString().slice(11, 16), on, timezone: 'UTC' };
    return service.db
      .updateTable('monitors')
      .set({ schedule: JSON.stringify(schedule) })
      .where('monitorId', '=', monitorId)
      .execute();
  };

  it('add up monitors with different schedules, each with its last run', async () => {
    const { monitorId } = await track([{ keyword: 'weekly' }], { 9: [9], 2: [7] });
    await setSchedule(monitorId, 'week', daysAgo(2));
    await track([{ keyword: 'daily' }], { 2: [1], 1: [2], 0: [3] });
    const rows = (await open('/ranks/shop.example')).querySelectorAll('.values tbody tr');
    expect(rows.map((row) => toText(row.querySelectorAll('td')[1]))).to.deep.equal([
      '#5.0',
      '#4.5',
      '#4.0',
      '#9.0',
    ]);
  });

  it('state no ranks of a monitor for days on which it was due but did not run', async () => {
    const queries = [{ keyword: 'a', country: 'AT' }, { keyword: 'b' }];
    const { monitorId } = await track(queries, { 6: [2, 4], 5: [2, 4], 1: [2, 4] });
    await setSchedule(monitorId, 'day', daysAgo(1));
    await track([{ keyword: 'c' }], { 6: [30], 5: [30], 4: [30], 3: [30], 2: [30], 1: [30], 0: [30] });
    const readRows = async (search = '') => {
      const page = await open(`/ranks/shop.example?${search}`);
      const rows = page.querySelectorAll('.values tbody tr');
      return rows.map((row) => row.querySelectorAll('td').slice(1).map(toText).join(' '));
    };
    const [both, one] = ['#12 100%', '#30 33%'];
    // The first monitor may still run today.
    expect(await readRows()).to.deep.equal([both, both, one, one, one, both, both]);
    const marks = texts(await open('/ranks/shop.example'), '.marks li');
    expect(marks.map((text) => text.replace(/, \d\d:\d\d UTC/, ''))).to.deep.equal([
      `${day(daysAgo(4))} Without 2 keywords of Shop`,
      `${day(daysAgo(1))} Again with the keywords of Shop`,
    ]);
    expect(await readRows('country=AT')).to.deep.equal(['#2 100%', 'not checked ', '#2 100%', '#2 100%']);
    await browser.post(`/monitors/${monitorId}/pause`);
    expect(await readRows()).to.deep.equal([one, both, one, one, one, both, both]);
    const page = await open('/ranks/shop.example');
    expect(toText(page.querySelector('.notice'))).to.match(
      /^The figures leave out 2 keywords of Shop, last checked .* UTC\.$/,
    );
    // A change compares only days with the same monitors.
    expect(texts(page, '.metrics .tile')[3]).to.equal(`In top 10 0% = (unchanged) since ${day(daysAgo(4))}`);
    expect(texts(await open('/ranks'), '.sites td')[6]).to.match(/ answers for 1 of 3 keywords$/);
  });

  it('interrupt the lines of a site, its monitor and its keyword after a pause', async () => {
    const { monitorId, subjects } = await track([{ keyword: 'a' }], {
      20: [2],
      19: [2],
      5: [2],
      4: [2],
      2: [3],
      1: [3],
    });
    const paths = [
      '/ranks/shop.example',
      `/monitors/${monitorId}`,
      `/monitors/${monitorId}/subjects/${subjects[0]?.subjectId}`,
    ];
    for (const path of paths) {
      const page = await open(path);
      const gaps = texts(page, 'figure:last-of-type .values tr').filter((row) => row.includes('not checked'));
      expect(gaps, path).to.have.length(1);
      expect(toText(page.querySelector('figure:last-of-type .legend')), path).to.contain('shop.example');
    }
    // A monitor that was not due missed no run.
    await setSchedule(monitorId, 'week', daysAgo(5));
    expect((await open(paths[0] ?? '')).text).not.to.contain('not checked');
  });

  it('say since when a short history is compared, and never that its keywords are new', async () => {
    await track([{ keyword: 'a' }, { keyword: 'b' }], { 3: [9, 5], 0: [4, 5] });
    const page = await open('/ranks/shop.example?days=90');
    const since = `since ${day(daysAgo(3))}`;
    expect(texts(page, '.metrics .tile')[0]).to.equal(`Average rank #4.5 ▲ 2.5 (up from #7) ${since}`);
    expect(toText(page.querySelector('.card'))).to.contain(`Checked since ${day(daysAgo(3))}`);
    expect(texts(page, '.tracked [data-label=Change]')).to.deep.equal(['▲ 5 (up from #9)', '= (unchanged)']);
    expect(toText(page.querySelector('main'))).not.to.match(/\bnew\b/i);
    // A keyword that was added later has a date of its own.
    await track([{ keyword: 'c' }], { 1.5: [8], 0: [7] });
    const rows = texts(await open('/ranks/shop.example'), '.tracked [data-label=Change]');
    expect(rows).to.include(`▲ 1 (up from #8) since ${day(daysAgo(1.5))}`);
  });

  it('compare keywords that got a tag with the day since which the tag is counted', async () => {
    const monitor = await track([{ keyword: 'a' }, { keyword: 'b' }], { 80: [6, null] });
    const changed = ['a', 'b'].map((keyword) =>
      rankQuery({ target_url: 'shop.example', keyword, tag: 'local' }),
    );
    for (const [days, ranks] of [
      [10, [3, 8]],
      [0, [4, 8]],
    ] as const) {
      const answers = ranks.map((rank) => rankAnswer(rank));
      await monitor.run(daysAgo(days), answers, { changed });
    }
    await sql`update subjects set input = (input::jsonb || '{"tag": "local"}')::json
      where account_id = ${account.accountId}`.execute(service.db);
    for (const days of [30, 90]) {
      const path = `/ranks/shop.example?days=${days}&tag=local`;
      const page = await open(path);
      expect(toText(page.querySelector('.card'))).to.contain(`Checked since ${day(daysAgo(10))}`);
      expect(texts(page, '[data-label=Change]'), path).to.deep.equal(['▼ 1 (down from #3)', '= (unchanged)']);
      expect(texts(page, '.movers li a')).to.deep.equal(['a']);
      const file = await browser.get(`/ranks/shop.example/subjects.csv?days=${days}&tag=local&moved=same`);
      expect(parseCsv(file.text, { columns: true, bom: true })).to.have.length(1);
    }
    expect(texts(await open('/ranks/shop.example?days=90'), '[data-label=Change]')[0]).to.equal(
      '▲ 2 (up from #6)',
    );
  });

  it('compare all figures of a group with the same day if its history is shorter than the period', async () => {
    const queries = ['a', 'b'].map((keyword) => rankQuery({ target_url: 'shop.example', keyword }));
    const monitor = await monitored(service, account.accountId, 'keyword', queries, { confirmLosses: false });
    const tagged = queries.map((query) => ({ ...query, tag: 'local' }));
    for (const [days, ranks, changed] of [
      [30, [20, 10], queries],
      [17, [8, 6], tagged],
      [0, [4, 2], tagged],
    ] as const) {
      const answers = ranks.map((rank) => rankAnswer(rank));
      await monitor.run(daysAgo(days), answers, { changed: [...changed] });
    }
    await sql`update subjects set input = (input::jsonb || '{"tag": "local"}')::json
      where account_id = ${account.accountId}`.execute(service.db);
    const page = await open('/ranks/shop.example?tag=local');
    const since = `since ${day(daysAgo(17))}`;
    const tiles = texts(page, '.metrics .tile');
    expect(tiles[0]).to.equal(`Average rank #3.0 ▲ 4 (up from #7) ${since}`);
    for (const tile of tiles) expect(tile).to.contain(since).and.not.contain('in 30 days');
    expect(toText(page.querySelector('.card'))).to.contain(`Checked ${since}`);
    expect(texts(page, '.tracked [data-label=Change]')).to.deep.equal([
      '▲ 4 (up from #6)',
      '▲ 4 (up from #8)',
    ]);
    expect(texts(await open('/ranks/shop.example'), '.metrics .tile')[0]).to.equal(
      'Average rank #3.0 ▲ 12 (up from #15) in 30 days',
    );
    // If the monitor is as young as the group, its averages of some keywords are compared, too.
    const young = ['a', 'b'].map((keyword) => ({ keyword, target_url: 'young.example' }));
    await track(young, { 20: [9, null], 0: [4, 30] });
    expect(texts(await open('/ranks/young.example'), '.metrics .tile')[0]).to.equal(
      `Average rank #17.0 ▲ 5 (up from #9) since ${day(daysAgo(20))} for 1 keyword: #9 → #4`,
    );
  });

  it('take a rank that the other search did not reach for no gain, and for no loss', async () => {
    const toQueries = (pages: number[]) =>
      pages.map((end_page, nth) => rankQuery({ target_url: 'shop.example', keyword: `k${nth}`, end_page }));
    const [first, later] = [
      [3, 3, 3, 5],
      [5, 5, 5, 3],
    ];
    const inputs = toQueries(first);
    const monitor = await monitored(service, account.accountId, 'keyword', inputs, { confirmLosses: false });
    const run = (days: number, pages: number[], ranks: Array<number | null>) =>
      monitor.run(
        daysAgo(days),
        ranks.map((rank, nth) => rankAnswer(rank, { pages: pages[nth] })),
        { changed: toQueries(pages) },
      );
    await run(8, first, [12, null, null, 42]);
    await run(5, later, [12, 44, null, null]);
    await run(3, later, [12, null, null, null]);
    await run(0, later, [10, 48, 28, null]);
    const page = await open('/ranks/shop.example?sort=gain');
    const rows = page.querySelectorAll('.tracked tbody tr');
    expect(rows.map((row) => row.querySelectorAll('.name, .pill, .move').map(toText))).to.deep.equal([
      ['k2', '#28', '▲ entered (not ranked then)'],
      ['k0', '#10', '▲ 2 (up from #12)'],
      ['k1', '#48', 'first searched to #50 (not ranked then)'],
      ['k3', 'Not ranked', 'only searched to #30 (#42 then)'],
    ]);
    const path = `/monitors/${monitor.monitorId}/subjects`;
    expect(texts(await open(path), '[data-label="7 days"]')).to.deep.equal([
      '▲ 2 (up from #12)',
      'first searched to #50 (not ranked then)',
      '▲ entered (not ranked then)',
      'only searched to #30 (#42 then)',
    ]);
    const keyword = await open(`${path}/${monitor.subjects[3]?.subjectId}`);
    expect(texts(keyword, '.figures.even > span')).to.deep.equal([
      'only searched to #30 in 7 days (#42 then)',
    ]);
    expect(texts(page, '.movers li a')).to.deep.equal(['k0', 'k2']);
    expect(texts(await open('/ranks/shop.example?moved=same'), '.tracked .name')).to.deep.equal([]);
  });

  it('mark each day on which the depth of the search changed', async () => {
    const toQuery = (keyword: string, end_page: number) =>
      rankQuery({ target_url: 'shop.example', keyword, end_page });
    const monitor = await monitored(
      service,
      account.accountId,
      'keyword',
      [toQuery('a', 3), toQuery('b', 3)],
      { confirmLosses: false },
    );
    for (const [days, depth, other, ranks] of [
      [40, 2, 2, [12, null]],
      [35, 3, 3, [12, null]],
      [28, 3, 3, [12, null]],
      [20, 5, 5, [12, 44]],
      [12, 5, 3, [9, null]],
      [4, 2, 2, [9, null]],
      [0, 2, 2, [9, null]],
    ] as const)
      await monitor.run(
        daysAgo(days),
        ranks.map((rank) => rankAnswer(rank)),
        { changed: [toQuery('a', depth), toQuery('b', other)] },
      );
    const marksOf = async (path: string) =>
      texts(await open(path), 'figure:last-of-type .marks li').map((text) =>
        text.replace(/, \d\d:\d\d UTC/, ''),
      );
    const expected = [
      `${day(daysAgo(20))} Searched deeper: 2 keywords to #50`,
      `${day(daysAgo(12))} Searched less deep: 1 keyword to #30`,
      `${day(daysAgo(4))} Searched less deep: 2 keywords to #20`,
    ];
    expect(await marksOf('/ranks/shop.example')).to.deep.equal(expected);
    const path = `/monitors/${monitor.monitorId}`;
    expect(await marksOf(`${path}?days=30`)).to.deep.equal(expected);
    expect(await marksOf(`${path}/subjects/${monitor.subjects[0]?.subjectId}`)).to.deep.equal([
      `${day(daysAgo(35))} Searched deeper: 1 keyword to #30`,
      `${day(daysAgo(20))} Searched deeper: 1 keyword to #50`,
      `${day(daysAgo(4))} Searched less deep: 1 keyword to #20`,
    ]);
  });

  it('filter, sort and compare keywords, and list winners and losers', async () => {
    const competitor_urls = ['rival.example', 'https://www.far.example/'];
    const query = { competitor_urls, full: true as const };
    await track(
      [
        { ...query, keyword: 'red shoes', tag: 'brand', device: 'mobile' },
        { ...query, keyword: 'blue shoes', country: 'DE' },
        { ...query, keyword: 'green hats' },
        { ...query, keyword: 'grey hats' },
      ],
      { 10: [12, 3, 7, null], 0: [2, 9, 7, null] },
      (rank) => [(rank ?? 0) + 1, null],
    );
    const path = '/ranks/shop.example';
    const page = await open(path);
    expect(texts(page, '.tracked thead th')).to.deep.equal([
      ...['Keyword', 'Rank', 'Change', 'Trend', 'Best', 'Page', 'rival.example', 'far.example'],
    ]);
    const cells = page
      .querySelectorAll('.tracked tbody tr')
      .map((row) => row.querySelectorAll('td').map(toText));
    expect(cells).to.deep.equal([
      [
        'red shoes US · en · mobile · brand',
        '#2',
        '▲ 10 (up from #12)',
        '',
        '#2',
        '/shoes',
        '#3 ▲ 10 (up from #13)',
        '–',
      ],
      ['green hats US · en · desktop', '#7', '= (unchanged)', '', '#7', '/shoes', '#8', '–'],
      [
        'blue shoes DE · en · desktop',
        '#9',
        '▼ 6 (down from #3)',
        '',
        '#3',
        '/shoes',
        '#10 ▼ 6 (down from #4)',
        '–',
      ],
      ['grey hats US · en · desktop', 'Not ranked', '= (unchanged)', '', '–', '', '#1', '–'],
    ]);
    expect(page.querySelectorAll('.tracked .sparkline path')).to.have.length(4);
    const movers = texts(page, '.movers li');
    expect(movers[0]).to.contain('red shoes').and.contain('▲ 10').and.contain('#2');
    expect(movers[1]).to.contain('blue shoes').and.contain('▼ 6').and.contain('#9');
    expect(movers).to.have.length(2);
    expect(texts(page, '.legend li').map((text) => text.split(' ')[0])).to.deep.equal([
      'shop.example',
      'far.example',
      'rival.example',
    ]);
    const names = async (search: string) => texts(await open(`${path}?${search}`), '.tracked .name');
    expect(await names('tag=brand')).to.deep.equal(['red shoes']);
    expect(await names('device=desktop&country=US')).to.deep.equal(['green hats', 'grey hats']);
    expect(await names('position=top-3')).to.deep.equal(['red shoes']);
    expect(await names('position=not-ranked')).to.deep.equal(['grey hats']);
    expect(await names('moved=up')).to.deep.equal(['red shoes']);
    expect(await names('moved=down')).to.deep.equal(['blue shoes']);
    expect(await names('moved=same')).to.deep.equal(['green hats', 'grey hats']);
    expect(await names('q=HATS')).to.deep.equal(['green hats', 'grey hats']);
    expect(await names('sort=keyword')).to.deep.equal(['blue shoes', 'green hats', 'grey hats', 'red shoes']);
    expect((await names('sort=gain'))[0]).to.equal('red shoes');
    expect((await names('sort=loss'))[0]).to.equal('blue shoes');
    expect((await names('sort=best')).slice(0, 2)).to.deep.equal(['red shoes', 'blue shoes']);
    // Summary and chart follow the filter, too.
    const mobile = await open(`${path}?device=mobile&metric=top_3`);
    expect(texts(mobile, '.metrics strong')).to.deep.equal(['#2.0', '53.3%', '100%', '100%', '100%']);
    expect(toText(mobile.querySelector('figcaption h2'))).to.equal('In top 3');
    expect(toText(await open(`${path}?q=none`))).to.contain('No matching keywords. Show all');
  });

  describe('after the competitors of a keyword were changed', () => {
    const query = (competitor_urls: string[]) =>
      rankQuery({ target_url: 'shop.example', full: true, competitor_urls });
    const answer = (rank: number, competitors: Record<string, number | null>) =>
      rankAnswer(rank, {
        competitors: Object.entries(competitors).map(([url, one]) => ({ url, rank: one, ranked_url: null })),
      });

    /** Reads all places that show the ranks of competitors. */
    const readRivals = async ({ monitorId, subjects }: { monitorId: string; subjects: Subject[] }) => {
      const [{ subjectId } = { subjectId: 0 }] = subjects;
      const site = await open('/ranks/shop.example');
      const heads = texts(site, '.tracked thead th.rival');
      const cells = texts(site, '.tracked tbody td.rival').map((text) => text.split(' ')[0]);
      const keyword = await open(`/monitors/${monitorId}/subjects/${subjectId}`);
      const chart = keyword
        .querySelectorAll('figure details table tbody tr')
        .filter((row) => toText(row.querySelectorAll('td')[2] ?? null) !== 'not checked');
      const path = `/monitors/${monitorId}`;
      const { body } = await service.call(`${path}/subjects`, { token: account.token });
      const [{ latest, points }] = body.data;
      const file = async (name: string): Promise<Record<string, string>[]> =>
        parseCsv((await service.call(`${path}/${name}.csv`, { token: account.token })).text, {
          columns: true,
        });
      const toRanks = (row: Record<string, string> = {}) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => /^[abc]\.example$/.test(name)));
      const toPairs = ({ competitors }: { competitors: Array<{ url: string; rank: number | null }> }) =>
        Object.fromEntries(competitors.map(({ url, rank }) => [url, rank]));
      return {
        site: Object.fromEntries(heads.map((head, place) => [head, cells[place]])),
        legend: texts(keyword, 'figure .legend li').slice(1),
        chart: chart.map((row) => row.querySelectorAll('td').slice(3).map(toText)),
        latest: toPairs(latest),
        points: points.map(toPairs),
        subjectFile: toRanks((await file('subjects'))[0]),
        pointFile: (await file('points')).map(toRanks),
      };
    };

    /** Tracks a keyword with the competitors a and b, and replaces them. */
    const change = async (competitors: string[]) => {
      const inputs = [query(['a.example', 'b.example'])];
      const monitor = await monitored(service, account.accountId, 'keyword', inputs, {
        confirmLosses: false,
      });
      await monitor.run(daysAgo(7), [answer(5, { 'a.example': 2, 'b.example': 9 })]);
      await monitor.run(daysAgo(1), [answer(5, { 'a.example': 3, 'b.example': null })]);
      const { status, body } = await service.call(`/monitors/${monitor.monitorId}`, {
        token: account.token,
        method: 'PATCH',
        body: {
          queries: [{ url: 'shop.example', keyword: 'running shoes', end_page: 10, full: true, competitors }],
        },
      });
      expect(status, JSON.stringify(body)).to.equal(200);
      return monitor;
    };

    it('give no ranks of a removed competitor to the one that replaced it', async () => {
      const monitor = await change(['c.example', 'b.example']);
      expect(await readRivals(monitor)).to.deep.equal({
        site: { 'c.example': '', 'b.example': '–' },
        legend: ['b.example not ranked'],
        chart: [['not ranked'], ['#9']],
        latest: { 'b.example': null },
        points: [{ 'b.example': 9 }, { 'b.example': null }],
        subjectFile: { 'c.example': '', 'b.example': 'not_ranked' },
        pointFile: [
          { 'c.example': '', 'b.example': '9', 'a.example': '2' },
          { 'c.example': '', 'b.example': 'not_ranked', 'a.example': '3' },
        ],
      });
      await monitor.run(daysAgo(0), [answer(5, { 'c.example': 1, 'b.example': 4 })], {
        changed: [query(['c.example', 'b.example'])],
      });
      expect(await readRivals(monitor)).to.deep.equal({
        site: { 'c.example': '#1', 'b.example': '#4' },
        legend: ['c.example #1', 'b.example #4'],
        chart: [
          ['#1', '#4'],
          ['not checked', 'not ranked'],
          ['not checked', '#9'],
        ],
        latest: { 'c.example': 1, 'b.example': 4 },
        points: [{ 'b.example': 9 }, { 'b.example': null }, { 'c.example': 1, 'b.example': 4 }],
        subjectFile: { 'c.example': '1', 'b.example': '4' },
        pointFile: [
          { 'c.example': '', 'b.example': '9', 'a.example': '2' },
          { 'c.example': '', 'b.example': 'not_ranked', 'a.example': '3' },
          { 'c.example': '1', 'b.example': '4', 'a.example': '' },
        ],
      });
      const siteFile = (await browser.get('/ranks/shop.example/points.csv')).text;
      const rows: Record<string, string>[] = parseCsv(siteFile, { columns: true, bom: true });
      expect(rows.map((row) => [row['a.example'], row['b.example'], row['c.example']])).to.deep.equal([
        ['2', '9', ''],
        ['3', 'not_ranked', ''],
        ['', '4', '1'],
      ]);
      // A period without ranks of the removed competitor has no column for it.
      const recent = `/monitors/${monitor.monitorId}/points.csv?from=${daysAgo(0).toISOString()}`;
      expect((await service.call(recent, { token: account.token })).text).to.not.contain('a.example');
      // The series compares each competitor with its own earlier rank.
      const { body } = await service.call(`/monitors/${monitor.monitorId}/series`, { token: account.token });
      const rivals: Array<{ url: string; differences: { day_7: object | null } }> = body.data[0].competitors;
      const differences = Object.fromEntries(rivals.map((one) => [one.url, one.differences.day_7]));
      expect(differences).to.deep.equal({
        'b.example': { queries: 1, average_rank_before: 9, average_rank_now: 4 },
        'c.example': null,
      });
    });

    it('keep the ranks of those that were reordered, and begin no new period', async () => {
      const monitor = await change(['b.example', 'a.example']);
      const expected = {
        site: { 'b.example': '–', 'a.example': '#3' },
        legend: ['b.example not ranked', 'a.example #3'],
        chart: [
          ['not ranked', '#3'],
          ['#9', '#2'],
        ],
        latest: { 'b.example': null, 'a.example': 3 },
        points: [
          { 'b.example': 9, 'a.example': 2 },
          { 'b.example': null, 'a.example': 3 },
        ],
        subjectFile: { 'b.example': 'not_ranked', 'a.example': '3' },
        pointFile: [
          { 'b.example': '9', 'a.example': '2' },
          { 'b.example': 'not_ranked', 'a.example': '3' },
        ],
      };
      expect(await readRivals(monitor)).to.deep.equal(expected);
      await monitor.run(daysAgo(0), [answer(5, { 'b.example': null, 'a.example': 3 })], {
        changed: [query(['b.example', 'a.example'])],
      });
      expect(await readRivals(monitor)).to.deep.equal(expected);
    });
  });

  it('draw the trend of each keyword on a scale of its own', async () => {
    await track([{ keyword: 'far' }, { keyword: 'near' }, { keyword: 'steady' }], {
      9: [40, 8, 1],
      1: [20, 8, 2],
    });
    const ways = (await open('/ranks/shop.example')).querySelectorAll('.tracked .sparkline path');
    const heights = ways.map((way) => [
      ...new Set(
        way
          .getAttribute('d')
          ?.match(/(?<= )[\d.]+/g)
          ?.map(Number),
      ),
    ]);
    // In the order of the ranks: 1 to 2, always 8, 40 to 20.
    expect(heights).to.deep.equal([[7.2, 9.8], [8.5], [15, 2]]);
  });

  it('export the keywords that they show, without other sites and their competitors', async () => {
    const [austin, mobile] = [{ location: 'Austin, Texas, United States' }, { device: 'mobile' as const }];
    const rival = { competitor_urls: ['rival.example'], full: true as const };
    const hidden = {
      target_url: 'client-b.example',
      competitor_urls: ['rival-of-b.example'],
      full: true as const,
    };
    await track(
      [
        { ...rival, keyword: 'red shoes', ...mobile },
        { ...rival, keyword: 'blue shoes', ...austin },
        { ...hidden, keyword: 'secret' },
      ],
      { 10: [12, 3, 7], 0: [2, 9, 7] },
      (rank) => [(rank ?? 0) + 1],
    );
    await track([{ keyword: 'green hats' }], { 50: [5], 10: [6], 0: [1] });
    const page = await open('/ranks/shop.example?days=90&sort=rank&metric=top_3');
    const links = (from: HTMLElement) =>
      from
        .querySelectorAll('.exports a')
        .map((link) => link.getAttribute('href')?.replaceAll('&amp;', '&') ?? '');
    expect(links(page)).to.deep.equal(
      ['subjects.csv', 'subjects.xlsx', 'points.csv', 'points.xlsx'].map(
        (file) => `/ranks/shop.example/${file}?days=90&sort=rank`,
      ),
    );
    const read = async (path: string): Promise<Record<string, string>[]> =>
      parseCsv((await browser.get(path)).text, { columns: true, bom: true });
    const names = async (search: string) => {
      const shown = await open(`/ranks/shop.example?${search}`);
      const [list = '', , history = ''] = links(shown);
      const exported = (await read(list)).map(({ keyword }) => keyword);
      expect(exported, search).to.deep.equal(texts(shown, '.tracked .name'));
      expect(new Set((await read(history)).map(({ keyword }) => keyword)), search).to.deep.equal(
        new Set(exported),
      );
      return exported;
    };
    expect(await names('')).to.deep.equal(['green hats', 'red shoes', 'blue shoes']);
    expect(await names('position=top-3&moved=up&device=mobile')).to.deep.equal(['red shoes']);
    expect(await names(`location=${encodeURIComponent(austin.location)}`)).to.deep.equal(['blue shoes']);
    const [row] = await read('/ranks/shop.example/subjects.csv');
    expect(Object.keys(row ?? {}))
      .to.include('rival.example')
      .and.not.include('rival-of-b.example');
    const dates = async (days: number) =>
      (await read(`/ranks/shop.example/points.csv?days=${days}&q=hats`)).map(({ rank }) => rank);
    expect([await dates(90), await dates(30)]).to.deep.equal([
      ['5', '6', '1'],
      ['6', '1'],
    ]);
    const stranger = await visit(service, await service.account(0));
    expect((await stranger.get('/ranks/shop.example/points.csv')).status).to.equal(404);
  });

  it('show whether AI Overviews cite the site, now and over time, if its keywords ask for them', async () => {
    await track([{ keyword: 'plain' }], { 30: [5], 7: [5], 0: [5] });
    const path = '/ranks/shop.example';
    expect((await open(path)).text).to.not.contain('AI Overview');
    const states = [
      { keyword: 'cited', state: 'shown', cited: true },
      { keyword: 'not cited', state: 'shown', cited: false },
      { keyword: 'no overview', state: 'not_shown', cited: null },
      { keyword: 'unknown', state: 'unknown', cited: null },
    ] as const;
    const inputs = states.map(({ keyword }) =>
      rankQuery({ keyword, target_url: 'shop.example', include: ['ai_overview'] }),
    );
    const monitor = await monitored(service, account.accountId, 'keyword', inputs);
    const answers = states.map(({ state, cited }) => ({
      ...rankAnswer(4),
      ai_overview: { state, cited, cited_url: null, citation: null },
    }));
    const uncited = { state: 'shown' as const, cited: false, cited_url: null, citation: null };
    await monitor.run(
      daysAgo(7),
      answers.map((answer) => ({ ...answer, ai_overview: uncited })),
    );
    await monitor.run(daysAgo(0), answers);
    const page = await open(`${path}?metric=ai_citation_rate&sort=keyword`);
    expect(texts(page, '.tracked [data-label="AI Overview"]')).to.deep.equal([
      ...['Cited', 'None', 'Not cited', '– (unknown)', '– (unknown)'],
    ]);
    expect(texts(page, '.metrics [aria-current]')).to.deep.equal([
      'AI citations 50% ▲ 50 pts (up from 0%) in 7 days',
    ]);
    expect(texts(page, '.legend li')).to.deep.equal([
      'Keywords with an AI Overview 66.7%',
      'Of these, cite the site 50%',
    ]);
    const names = async (overview: string) =>
      texts(await open(`${path}?overview=${overview}`), '.tracked .name');
    expect(await names('cited')).to.deep.equal(['cited']);
    expect(await names('not-cited')).to.deep.equal(['not cited']);
    expect(await names('none')).to.deep.equal(['no overview']);
    const keyword = await open(`/monitors/${monitor.monitorId}/subjects/${monitor.subjects[0]?.subjectId}`);
    expect(toText(keyword.querySelector('.figures'))).to.contain('AI Overview: cited');
    expect(texts(keyword, '.values :is(th, td):last-child')).to.deep.equal([
      'AI Overview',
      'Cited',
      'Not cited',
    ]);
    const own = await open(`/monitors/${monitor.monitorId}`);
    expect(texts(own, 'figcaption h3')).to.include('AI Overviews');
    const list = await open(`/monitors/${monitor.monitorId}/subjects`);
    expect(texts(list, '[data-label="AI Overview"]')).to.deep.equal([
      'Cited',
      'Not cited',
      'None',
      '– (unknown)',
    ]);
  });

  it('order winners and losers by the change of their visibility, then by places', async () => {
    const moves: Record<string, [before: number | null, now: number | null]> = {
      'up to first': [11, 1],
      'up a lot, far away': [90, 40],
      'up a little, far away': [43, 33],
      entered: [null, 8],
      'up by one': [2, 1],
      'up by one, lower': [9, 8],
      'down from first': [1, 7],
      'dropped out': [9, null],
      'down, far away': [37, 99],
      'down a little, far away': [31, 37],
    };
    const [before, now] = [0, 1].map((side) => Object.values(moves).map((move) => move[side] ?? null));
    await track(
      Object.keys(moves).map((keyword) => ({ keyword })),
      { 10: before ?? [], 0: now ?? [] },
    );
    const page = await open('/ranks/shop.example');
    expect(texts(page, '.movers li a')).to.deep.equal([
      ...['up to first', 'up by one', 'entered', 'up by one, lower', 'up a lot, far away'],
      ...['down from first', 'dropped out', 'down, far away', 'down a little, far away'],
    ]);
    expect(texts(page, '.tracked [data-label=Change]')).to.include.members([
      '▲ entered (not ranked then)',
      '▼ dropped out (#9 then)',
    ]);
  });

  it('tell the cities of a keyword apart, and filter by city', async () => {
    const austin = 'Austin, Texas, United States';
    await track([{ keyword: 'a', location: austin }, { keyword: 'a' }], { 1: [9, 5], 0: [7, 3] });
    const path = '/ranks/shop.example';
    const wheres = texts(await open(path), '.tracked .asked small');
    expect(wheres).to.deep.equal(['US · en · desktop', `${austin} · en · desktop`]);
    const page = await open(`${path}?location=${encodeURIComponent(austin)}`);
    expect(texts(page, '.tracked .asked small')).to.deep.equal([`${austin} · en · desktop`]);
    expect(texts(page, '.metrics strong')[0]).to.equal('#7.0');
    const keyword = await open(page.querySelector('.tracked .name')?.getAttribute('href') ?? '');
    expect(toText(keyword.querySelector('.head'))).to.contain(`${austin} · en · desktop`);
  });

  it('mark the notes of all monitors in the chart', async () => {
    const monitor = await track([{ keyword: 'a' }], { 3: [4], 0: [3] });
    await track([{ keyword: 'b' }], { 3: [4], 0: [3] });
    const path = `/monitors/${monitor.monitorId}`;
    const at = daysAgo(1).toISOString().slice(0, 10);
    await browser.post(`${path}/annotations`, { at, text: 'Relaunch', once: 'n' });
    const page = await open('/ranks/shop.example');
    expect(texts(page, '.marks li')).to.deep.equal([`${day(daysAgo(1))} Relaunch`]);
    expect(toText(page.querySelector('.card'))).not.to.contain('Notes belong');
  });

  it('say that a note belongs to a monitor, and is shown for all its sites', async () => {
    const monitor = await track(
      [
        { keyword: 'a', target_url: 'client-a.example' },
        { keyword: 'b', target_url: 'https://www.client-b.example/' },
      ],
      { 3: [4, 5], 0: [3, 4] },
    );
    const path = `/monitors/${monitor.monitorId}`;
    const notice =
      'Notes belong to the monitor Shop and are shown for all its sites: client-a.example, client-b.example.';
    const subject = `${path}/subjects/${monitor.subjects[0]?.subjectId}`;
    for (const shown of [path, subject])
      expect(toText((await open(shown)).querySelector('#notes'))).to.contain(notice);
    await browser.post(`${path}/annotations`, { text: 'Relaunch of A', once: 'n' });
    expect(toText((await open('/ranks/client-b.example')).querySelector('.card')))
      .to.contain('Relaunch of A')
      .and.contain('Notes belong to a monitor and are shown for all its sites.');
  });

  it('lead to the monitors of a site, their lists and their notes', async () => {
    await track([{ keyword: 'a' }], { 0: [3] });
    const { monitorId } = await track([{ keyword: 'b' }], { 0: [4] });
    const overview = await open(`/monitors/${monitorId}`);
    const add = overview.querySelectorAll('.card a').find((link) => toText(link) === 'Add keywords');
    expect(add?.getAttribute('href')).to.equal(`/?monitor=${monitorId}&add=yes`);
    const page = await open('/ranks/shop.example');
    const links = page.querySelectorAll('main > .head a[href*="monitor"]');
    expect(links.map(toText)).to.deep.equal([1, 2].flatMap(() => ['Shop', 'Add keywords', 'Add a note']));
    for (const link of links) {
      const [path = '', fragment] = (link.getAttribute('href') ?? '').split('#');
      const target = await browser.get(path);
      expect(target.status, path).to.equal(200);
      if (fragment) expect(parse(target.text).querySelector(`#${fragment}`)).not.to.equal(null);
    }
  });

  it('let readers type a tag if there are too many to choose from', async () => {
    const keywords = Array.from({ length: 101 }, (_, number) => ({
      keyword: `k${number}.`,
      tag: `t${number}`,
    }));
    await track(keywords, { 0: keywords.map((_, number) => number + 1) });
    const page = await open('/ranks/shop.example?tag=t100');
    expect(page.querySelector('input[name=tag]')?.getAttribute('value')).to.equal('t100');
    expect(page.querySelectorAll('select[name=tag]')).to.have.length(0);
    expect(texts(page, '.tracked .name')).to.deep.equal(['k100.']);
  });

  it('show 50 keywords per page', async () => {
    const keywords = Array.from({ length: 60 }, (_, number) => ({ keyword: `k${number}.` }));
    await track(keywords, { 0: keywords.map((_, number) => number + 1) });
    const path = '/ranks/shop.example?sort=rank';
    expect(texts(await open(path), '.tracked .name')).to.have.length(50);
    const second = await open(`${path}&page=2`);
    expect(texts(second, '.tracked .name')[0]).to.equal('k50.');
    expect(toText(second.querySelector('.pager'))).to.contain('51–60 of 60');
  });

  it('count only their own keywords after the other sites of a monitor were removed', async () => {
    const ranks = { 1: [30, 6], 0: [30, 6] };
    await track([{ keyword: 'a', target_url: 'other.example' }, { keyword: 'b' }], ranks);
    await service.db
      .updateTable('subjects')
      .set({ leftAt: new Date(), leftReason: 'removed' })
      .where(sql`input->>'target_url'`, '=', 'other.example')
      .execute();
    const [tile] = texts(await open('/ranks/shop.example'), '.metrics .tile');
    expect(tile).to.match(/^Average rank #6\.0 = \(unchanged\) in 1 day/);
    expect(texts(await open('/ranks'), 'tbody a')).to.deep.equal(['shop.example']);
  });

  it('show the last run of a day that checked the site, and no ranks for other runs', async () => {
    const noonOfYesterday = (Date.now() % dayMs) / dayMs + 0.5;
    const ranks = {
      [noonOfYesterday + 1]: [9, 4],
      [noonOfYesterday + 0.1]: [9, 5],
      [noonOfYesterday]: [9, 6],
    };
    await track([{ keyword: 'a', target_url: 'other.example' }, { keyword: 'b' }], ranks);
    const readRanks = async () => texts(await open('/ranks/shop.example'), '.values tbody td:nth-child(2)');
    const removeSiteAfter = (days: number) =>
      service.db.updateTable('runTallies').set({ groups: '[]' }).where('at', '>', daysAgo(days)).execute();
    expect(await readRanks()).to.deep.equal(['#6', '#4']);
    await removeSiteAfter(noonOfYesterday + 0.05);
    expect(await readRanks()).to.deep.equal(['#5', '#4']);
    await removeSiteAfter(noonOfYesterday + 0.5);
    expect(await readRanks()).to.deep.equal(['#4']);
    await removeSiteAfter(noonOfYesterday + 2);
    expect(toText((await open('/ranks')).querySelector('.sites tbody'))).to.contain(
      'Not checked by the last run',
    );
  });

  it('are hidden from other accounts, and lead to the single rank checks', async () => {
    await track([{ keyword: 'secret' }], { 0: [1] });
    expect((await open('/ranks')).querySelector('a[href="/ranks/checks"]')).not.to.equal(null);
    expect((await browser.get('/ranks/checks')).status).to.equal(200);
    const stranger = await visit(service, await service.account(0));
    const answer = await stranger.get('/ranks/shop.example');
    expect([answer.status, answer.text.includes('secret')]).to.deep.equal([404, false]);
    expect((await stranger.get('/ranks')).text).not.to.contain('shop.example');
    expect((await stranger.get('/ranks/%2f..%00')).status).to.equal(404);
  });
});
