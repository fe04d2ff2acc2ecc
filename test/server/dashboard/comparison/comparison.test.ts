import { expect } from 'chai';
import { parse as parseCsv } from 'csv-parse/sync';
import { sql } from 'kysely';
import { parse } from 'node-html-parser';
import { rankAnswer, rankQuery } from '../../../support/answers.ts';
import { toText, useVisit, visit } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { monitored } from '../../../support/monitored.ts';
import { useAccount, useService } from '../../../support/service.ts';

const urls = ['https://indexed.example/', 'https://not-indexed.example/'];

describe('the page that compares', () => {
  const service = useService({}, { worker: true });
  const account = useAccount(service, 100);
  const browser = useVisit(service, account);

  const call = (path: string, body?: object, method?: string) =>
    service.call(path, { token: account.token, body, method });

  const readChoices = (text: string) =>
    parse(text)
      .querySelectorAll('select')
      .map((select) => select.querySelectorAll('option').map((one) => one.getAttribute('value')));

  it('offers all batches of the list, with names and times to the second', async () => {
    const ids: string[] = [];
    for (const list of [urls, [urls[0]], urls])
      ids.unshift(await service.runBatch(account.token, '/check/bulk', { urls: list, reference: 'weekly' }));
    const [last, middle, first] = ids;
    const { text } = await browser.get(`/batches/${last}/compare`);
    expect(readChoices(text)).to.deep.equal([ids, ids]);
    expect(parse(text).text).to.contain('Added 1').and.contain('Unchanged 1');
    const time = '\\d+ \\w+ \\d{4}, \\d\\d:\\d\\d:\\d\\d UTC';
    expect(parse(text).querySelector('option')?.text).to.match(new RegExp(`^weekly, ${time}$`));
    expect(parse(text).querySelector('.head p')?.text).to.match(
      new RegExp(`^\\s*weekly, ${time} with weekly, ${time}\\s*$`),
    );
    const chosen = await browser.get(`/batches/${last}/compare?now=${middle}&with=${first}`);
    expect([chosen.status, chosen.location]).to.deep.equal([303, `/batches/${middle}/compare?with=${first}`]);
    const page = await browser.open(chosen.location);
    expect(page.querySelectorAll('option[selected]').map((one) => one.getAttribute('value'))).to.deep.equal([
      middle,
      first,
    ]);
    expect(page.text).to.contain('Removed');
    expect((await browser.get(`/batches/${last}`)).text).to.contain(`href="/batches/${last}/compare"`);
    expect((await browser.get(`/batches/${first}`)).text).not.to.contain('/compare"');
    const same = await browser.get(`/batches/${last}/compare?with=${first}&change=same&q=not-`);
    expect(same.text).to.contain(`>${urls[1]}</a>`).and.not.to.contain(`>${urls[0]}</a>`);
    const href = page.querySelector('.exports a')?.getAttribute('href')?.replaceAll('&amp;', '&') ?? '';
    const rows: Record<string, string>[] = parseCsv((await browser.get(href)).text, {
      columns: true,
      bom: true,
    });
    expect(rows.map((row) => [row.change, row.url, row.is_indexed_before, row.is_indexed_now])).to.deep.equal(
      [
        ['same', urls[0], 'true', 'true'],
        ['gone', urls[1], 'false', ''],
      ],
    );
    const api = await call(`/batch/${middle}/comparison.csv?with=${first}&change=gone`);
    expect(parseCsv(api.text)).to.have.length(2);
    const http = await service.runBatch(account.token, '/http-status/bulk', {
      urls: ['http://127.0.0.1:9/'],
    });
    for (const wrong of [http, 'nothing', '00000000-0000-4000-8000-000000000001'])
      expect((await browser.get(`/batches/${last}/compare?with=${wrong}`)).status, wrong).to.equal(404);
    const stranger = await visit(service, await service.account(0));
    for (const query of ['', `?with=${first}`])
      expect((await stranger.get(`/batches/${last}/compare${query}`)).status, query).to.equal(404);
  });

  it('compares any two runs of a monitor', async () => {
    const monitor = (
      await call('/monitors', { name: 'Shop', type: 'index', urls, schedule: { every: 'day' } })
    ).body.monitor;
    const path = `/monitors/${monitor.monitor_id}`;
    const early = await browser.get(`${path}/compare`);
    const nothing = parse(early.text).querySelector('main section.empty');
    expect([early.status, nothing?.querySelector('h1')?.text]).to.deep.equal([404, 'Nothing to compare yet']);
    expect(nothing?.text).to.contain('Compare again after the next run.');
    const links = nothing?.querySelectorAll('a').map((link) => link.getAttribute('href'));
    expect(links).to.deep.equal([path, '/']);
    const runs: string[] = [];
    for (let n = 0; n < 3; n++) {
      if (n === 2) await call(path, { urls: [urls[1]] }, 'PATCH');
      const { run_id: id } = (await call(`${path}/run`, {}, 'POST')).body.run;
      await eventually(async () => {
        const { data } = (await call(`${path}/runs`)).body;
        return data.find((run: Record<string, unknown>) => run.run_id === id)?.finished_at ?? null;
      });
      runs.unshift(id);
    }
    expect((await browser.get(`${path}/runs`)).text).to.contain(`href="${path}/compare"`);
    const { text } = await browser.get(`${path}/compare`);
    expect(readChoices(text)).to.deep.equal([runs, runs]);
    expect(parse(text).text).to.contain('Removed 1').and.to.contain('Unchanged 1');
    const older = await browser.open(`${path}/compare?now=${runs[1]}&with=${runs[2]}`);
    expect(older.text).to.contain('Unchanged 2').and.not.to.contain('Removed');
    const csv = await browser.get(`${path}/compare.csv?now=${runs[0]}&with=${runs[2]}`);
    expect(parseCsv(csv.text)).to.have.length(3);
    const stranger = await visit(service, await service.account(0));
    expect((await stranger.get(`${path}/compare`)).status).to.equal(404);
    expect((await browser.get(`${path}/compare?now=${runs[0]}&with=${monitor.monitor_id}`)).status).to.equal(
      404,
    );
    await service.quiet();
    const run = sql`select batch_id from monitor_runs where run_id = ${runs[2]}`;
    await sql`update batches set purged_at = now() where batch_id = (${run})`.execute(service.db);
    const kept = runs.slice(0, 2);
    expect(readChoices((await browser.get(`${path}/compare`)).text)).to.deep.equal([kept, kept]);
    const expired = await browser.get(`${path}/compare?with=${runs[2]}`);
    const page = parse(expired.text).querySelector('main section.empty');
    expect(expired.status).to.equal(410);
    expect(page?.text).to.contain('because results are kept for 90 days. Compare later runs.');
    expect(page?.querySelector('a')?.getAttribute('href')).to.equal(`${path}/compare`);
  });

  it('says how far ranks moved, also in files, and lists the ranks that moved most first', async () => {
    const ranksBefore = [5, 9, 22, 3, null, 7, 44];
    const ranksNow = [4, 30, 12, 3, 8, null, 44];
    const queries = ranksNow.map((_, nth) =>
      rankQuery({ keyword: `k${nth}.`, competitor_urls: ['b.example'] }),
    );
    const { accountId } = account;
    const monitor = await monitored(service, accountId, 'keyword', queries);
    const ids: string[] = [];
    for (const [side, ranks] of [ranksBefore, ranksNow].entries()) {
      const competitors = [{ url: 'b.example', rank: side + 1, ranked_url: null }];
      const answers = ranks.map((rank) => {
        const landing = `https://example.com/${rank === 44 || rank === 12 ? `page-${side}` : ''}`;
        return rankAnswer(rank, { competitors, landing });
      });
      ids.push(...(await monitor.run(new Date(), answers)).batchIds);
    }
    const [before, now] = ids;
    const path = `/batches/${now}/compare`;
    const query = `?with=${before}`;
    const list = async (change: string) =>
      (await browser.open(`${path}${query}&change=${change}`))
        .querySelectorAll('tbody tr')
        .map((row) => [
          row.querySelector('.asked')?.text.slice(0, 2),
          row.querySelector('.move')?.text.trim(),
        ]);
    expect(await list('down')).to.deep.equal([['k1', '▼ 21 (down from #9)']]);
    expect(await list('up')).to.deep.equal([
      ['k2', '▲ 10 (up from #22)'],
      ['k0', '▲ 1 (up from #5)'],
    ]);
    expect(await list('page')).to.deep.equal([['k6', '= (unchanged)']]);
    const page = await browser.open(`${path}${query}&change=page`);
    const counts = page.querySelectorAll('.counts a').map(toText);
    expect(counts).to.deep.equal([
      ...['No longer ranked 1', 'Newly ranked 1', 'Moved down 1', 'Moved up 2', 'Same rank, another page 1'],
      'Unchanged 1',
    ]);
    expect(page.querySelector('.why')?.text).to.contain(
      'Another page ranks: https://example.com/page-0 → https://example.com/page-1',
    );
    const { subjectId } = monitor.subjects[6] ?? {};
    expect(page.querySelector('.asked a')?.getAttribute('href')).to.equal(
      `/monitors/${monitor.monitorId}/subjects/${subjectId}`,
    );
    const moved = (await browser.open(`${path}${query}&change=up`)).querySelectorAll('.why');
    expect(moved.map(({ text }) => text.includes('Another page ranks'))).to.deep.equal([true, false]);
    const api = await call(`/batch/${now}/comparison${query}&change=changed`);
    expect([api.body.counts.changed, api.body.data.length]).to.deep.equal([4, 4]);
    expect(await list('fixed')).to.deep.equal([['k4', '▲ entered (not ranked then)']]);
    expect(await list('broken')).to.deep.equal([['k5', '▼ dropped out (#7 then)']]);
    const csv = parseCsv((await browser.get(`${path}.csv${query}`)).text, { columns: true, bom: true });
    const cells = (csv as Record<string, string>[]).map((row) => [
      ...[row.keyword, row.places_gained, row['b.example_before'], row['b.example_now']],
    ]);
    expect(cells).to.deep.equal([
      ['k0.', '1', '1', '2'],
      ['k1.', '-21', '1', '2'],
      ['k2.', '10', '1', '2'],
      ['k3.', '0', '1', '2'],
      ['k4.', '', '1', '2'],
      ['k5.', '', '1', '2'],
      ['k6.', '0', '1', '2'],
    ]);
  });

  it('takes a rank that the search of the other run did not reach for unknown', async () => {
    const search = (keyword: string, end_page: number) => rankQuery({ keyword, end_page });
    const [first, later] = [
      [search('found deeper', 3), search('entered', 3), search('not reached', 5)],
      [search('found deeper', 5), search('entered', 5), search('not reached', 3)],
    ];
    const monitor = await monitored(service, account.accountId, 'keyword', first);
    const ranks = [
      [null, null, 42],
      [44, 28, null],
    ];
    const ids: string[] = [];
    for (const [side, changed] of [first, later].entries()) {
      const answers = ranks[side]?.map((rank) => rankAnswer(rank)) ?? [];
      ids.push(...(await monitor.run(new Date(), answers, { changed })).batchIds);
    }
    const page = await browser.open(`/batches/${ids[1]}/compare?with=${ids[0]}&change=unknown`);
    expect(page.querySelectorAll('.counts a').map(toText)).to.deep.equal([
      'Newly ranked 1',
      'Not comparable 2',
    ]);
    expect(page.querySelectorAll('.move').map(toText)).to.deep.equal(['–', '–']);
  });
});
