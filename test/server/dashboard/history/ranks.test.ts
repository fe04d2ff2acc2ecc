import { expect } from 'chai';
import { sql } from 'kysely';
import { parse } from 'node-html-parser';
import { rankQuery } from '../../../support/answers.ts';
import { visit } from '../../../support/dashboard.ts';
import { useService } from '../../../support/service.ts';

describe('the page of ranks over time', () => {
  const service = useService();

  it('lists all queries that were checked twice, page by page, after any number of later checks', async () => {
    const account = await service.account(0);
    const browser = await visit(service, account);
    // 80 queries twice, and then 1,500 other queries once.
    await sql`
      insert into history (account_id, request_id, type, state, input, series, rank, checked_at)
      select ${account.accountId}, -n, 'keyword', 'success',
        json_build_object('keyword', 'kw-' || what || '.', 'target_url', 'a.example', 'country', 'US', 'language', 'en',
          'device', 'desktop'),
        sha256(convert_to('kw-' || what, 'UTF8')), 7, now() - (2000 - n) * interval '1 minute'
      from (
        select n, case when n <= 160 then n % 80 else n end as what from generate_series(1, 1660) as n) as points`.execute(
      service.db,
    );
    // In production, autovacuum updates the statistics. Without statistics, Postgres sorts the whole table for each
    // query.
    await sql`analyze history`.execute(service.db);
    const first = await browser.get('/ranks/checks');
    expect(first.text).to.contain('1–50 of 80');
    const second = await browser.get('/ranks/checks?page=2');
    expect(second.text).to.contain('51–80 of 80');
    const shown = new Set((first.text + second.text).match(/>kw-\d+\.<\/a>/g));
    expect(shown.size).to.equal(80);
    expect((await browser.get('/ranks/checks?q=kw-79.')).text)
      .to.contain('>kw-79.</a>')
      .and.not.to.contain('>kw-78.</a>');
  });

  it('shows the moves in 1, 7 and 30 days, the best rank, and the other devices and countries', async () => {
    const { browser, add } = await reader();
    const asked = rankQuery({ keyword: 'shoes', target_url: 'a.example' });
    // Ranks by days ago. Those closest to 30, 7 and 1 days are compared. The oldest has expired, but still exists.
    await add(asked, { 1101: 1, 40: 2, 29: 9, 20: 3, 8: 5, 1.4: null, 0: 4 });
    await add({ ...asked, device: 'mobile', country: 'DE' }, { 1: 12, 0: 12 });
    await add({ ...asked, keyword: 'bags' }, { 1: 7, 0: 7 });
    await add({ ...asked, country: 'FR' }, { 1101: 7, 1: 7 });
    await add({ ...asked, country: 'AT' }, { 28: 30, 21: 28, 14: 25, 7: 23, 0: 6 });
    const { text } = await browser.get('/ranks/checks?q=shoes');
    const rows = parse(text)
      .querySelectorAll('.ranking tbody tr')
      .map((row) => row.querySelectorAll('td').map((cell) => cell.text.trim()));
    const desktop = rows.find((cells) => cells[2] === 'US · en · desktop');
    expect(rows.some((cells) => cells[2] === 'FR · en · desktop')).to.equal(false);
    expect(desktop?.slice(3, 8)).to.deep.equal([
      '#4',
      '▲ entered (not ranked then)',
      '▲ 1 (up from #5)',
      '▲ 5 (up from #9)',
      '#2',
    ]);
    const mobile = rows.find((cells) => cells[2] === 'DE · en · mobile');
    expect(mobile?.slice(3, 8)).to.deep.equal([
      '#12',
      '= (unchanged)',
      '– (not checked then)',
      '– (not checked then)',
      '#12',
    ]);
    const weekly = rows.find((cells) => cells[2] === 'AT · en · desktop');
    expect(weekly?.slice(3, 8)).to.deep.equal([
      '#6',
      '– (not checked then)',
      '▲ 17 (up from #23)',
      '▲ 24 (up from #30)',
      '#6',
    ]);
    expect(parse(text).querySelectorAll('.ranking th')[4]?.getAttribute('title')).to.contain(
      'closest to 1 day before',
    );
    // The table comes first, then the chart, then the keyword in other places.
    expect(text.indexOf('class="rows ranking"')).to.be.below(text.indexOf('<svg class="chart'));
    expect(
      rows
        .slice(-3)
        .map(([where]) => where)
        .sort(),
    ).to.deep.equal(['AT · en · desktop', 'DE · en · mobile', 'US · en · desktop']);
  });

  it('compares no rank with a search that did not reach it', async () => {
    const { browser, add } = await reader();
    const toQuery = (keyword: string, end_page: number) =>
      rankQuery({ keyword, target_url: 'a.example', end_page });
    const series = async (keyword: string, before: [number, number | null], now: [number, number | null]) => {
      const name = toQuery(keyword, 0);
      await add(toQuery(keyword, before[0]), { 7: before[1] }, name);
      await add(toQuery(keyword, now[0]), { 0: now[1] }, name);
    };
    await series('a', [5, 27], [2, null]);
    await series('b', [2, null], [5, 27]);
    await series('c', [5, 12], [2, null]);
    await series('d', [2, null], [5, 12]);
    const page = parse((await browser.get('/ranks/checks')).text);
    const moves = page.querySelectorAll('.ranking tbody tr').map((row) => {
      const [name, week] = ['Keyword', '7 days'].map((label) => row.querySelector(`[data-label="${label}"]`));
      return [name, week].map((cell) => cell?.text.trim());
    });
    expect(Object.fromEntries(moves)).to.deep.equal({
      a: 'only searched to #20 (#27 then)',
      b: 'first searched to #50 (not ranked then)',
      c: '▼ dropped out (#12 then)',
      d: '▲ entered (not ranked then)',
    });
  });

  it('shows competitors from the same checks', async () => {
    const account = await service.account(10);
    const competitors = ['rank-2.example', 'not-ranked.example'];
    const query = { keyword: 'hats', url: 'rank-4.example', competitors };
    for (const _ of [1, 2])
      await service.call('/keyword-track', { token: account.token, body: { queries: [query] } });
    const browser = await visit(service, account);
    const page = await browser.open('/ranks/checks');
    const beside = page.querySelectorAll('.legend li').map(({ text }) => text.trim());
    expect(beside[0]).to.equal('rank-4.example #4');
    expect(beside.slice(1).map((line) => line.split(' ')[0])).to.deep.equal(competitors);
    expect(page.querySelectorAll('.more th').map(({ text }) => text)).to.deep.equal([
      'When',
      'rank-4.example',
      ...competitors,
    ]);
  });

  async function reader() {
    const account = await service.account(0);
    const { accountId } = account;
    let requestId = 0;
    const add = async (input: object, ranks: Record<number, number | null>, series = input) => {
      for (const [days, rank] of Object.entries(ranks))
        await sql`insert into history (account_id, request_id, type, state, input, series, rank, checked_at)
          values (${accountId}, ${--requestId}, 'keyword', 'success', ${JSON.stringify(input)},
            sha256(convert_to(${JSON.stringify(series)}, 'UTF8')), ${rank}, now() - ${Number(days)} * interval '1 day')`.execute(
          service.db,
        );
    };
    return { browser: await visit(service, account), add };
  }
});
