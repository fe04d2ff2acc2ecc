import { expect } from 'chai';
import { alertIn, fieldIn, useVisit, visit } from '../../../support/dashboard.ts';
import { useAccount, useService } from '../../../support/service.ts';

describe('a list in the form', () => {
  const service = useService();
  const account = useAccount(service, 100, { isForEach: true });
  const browser = useVisit(service, account, { isForEach: true });

  /** Parses the summary under the form, and its hidden fields. */
  const parseSummary = (page: string) => {
    const reading = page.slice(page.indexOf('<div id="reading"'));
    const hidden = [
      ...reading.matchAll(/<input type="hidden" name="(about|kind|understood|whole)" value="([^"]*)"/g),
    ];
    const text = reading
      .slice(0, reading.indexOf('Try with sample data'))
      .replaceAll(/<option[^>]*>[^<]*<\/option>/g, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ([,;])/g, '$1');
    return { text, fields: Object.fromEntries(hidden.map(([, name, value]) => [name, value])) };
  };
  const press = async (fields: Record<string, string>) => {
    const answer = await browser.post('/', fields);
    return { ...answer, ...parseSummary(answer.text), problem: alertIn(answer.text) };
  };
  /** Presses a button, and again after the preview of the table. */
  const pressTwice = async (fields: Record<string, string>) => {
    const shown = await press(fields);
    expect([shown.status, await service.credits(account.accountId)]).to.deep.equal([422, 100]);
    return { shown, sent: await press({ ...fields, ...shown.fields }) };
  };
  const inputs = async () => {
    const rows = await service.db
      .selectFrom('chunks')
      .select('inputs')
      .where('accountId', '=', account.accountId)
      .orderBy('chunkId')
      .execute();
    return rows.flatMap((row) =>
      (row.inputs as unknown as Array<{ input: object }>).map(({ input }) => input),
    );
  };

  it('of paths gets the hosts of its rows, unless the user drops their column', async () => {
    const text = 'Hostname,Page path,Views\nindexed.example,/a,5\nwww.indexed.example,/b,3\n';
    const { shown, sent } = await pressTwice({ check: 'index', text });
    expect(shown.problem).to.contain('Review below how this table is read');
    expect(shown.text).to.contain('2 URLs').and.to.contain('Host from').and.to.contain('URLs from');
    expect(sent.status).to.equal(303);
    expect(await inputs()).to.deep.equal([
      { url: 'https://indexed.example/a' },
      { url: 'https://www.indexed.example/b' },
    ]);
    const dropped = await press({ check: 'index', text, ...shown.fields, column_host: '-1' });
    expect(dropped.text).to.contain('Which site do these paths belong to?');
  });

  it('without a header needs to know where its URLs end', async () => {
    const text = 'https://a.example/p/1,200,OK\nhttps://a.example/p/2,404,Not Found';
    const asked = await press({ check: 'http', text });
    expect([asked.status, await service.credits(account.accountId)]).to.deep.equal([422, 100]);
    expect(asked.text).to.contain('Where does the URL end?').and.to.contain('https://a.example/p/1,200,OK');
    const { sent } = await pressTwice({ check: 'http', text, ...asked.fields, whole: 'no' });
    expect(sent.status).to.equal(303);
    expect(await inputs()).to.deep.equal([
      { url: 'https://a.example/p/1' },
      { url: 'https://a.example/p/2' },
    ]);
  });

  it('of words in columns needs to know whether its first row is a header, then the column', async () => {
    const text = 'Thema;Notiz\nzelt;warm\nschuh;kalt';
    const read = { check: 'read', type: 'http', offered: 'http', text };
    const switched = await press(read);
    expect(switched.text)
      .to.contain('“Ranks” is selected, because this list contains keywords.')
      .and.to.contain('Does the first row name the columns? Thema Notiz');
    const fields = { check: 'ranks', text, target: 'a.example' };
    const asked = await press({ ...fields, ...switched.fields, header: 'yes' });
    expect(asked.text).to.contain('Which column has the keywords? Thema such as zelt Notiz such as warm');
    const { shown, sent } = await pressTwice({
      ...fields,
      ...asked.fields,
      header: 'yes',
      column_keyword: '0',
    });
    expect(shown.text)
      .to.contain('2 keywords')
      .and.to.contain('The first row is a header')
      .and.not.to.contain('is selected, because');
    expect(sent.status).to.equal(303);
    expect((await inputs()).map((one) => (one as { keyword: string }).keyword)).to.deep.equal([
      'zelt',
      'schuh',
    ]);
  });

  it('of ranks is checked as its rows say, and its unreadable lines are named and left out', async () => {
    const text = [
      'Keyword;Site;Country;Device;Match;Start page;End page;Competitors;Pages',
      'shoes;shop.example;Germany;Smartphone;host;2;3;a.example, b.example;90',
      'bags;shop.example;at;tablet;;;;;2',
      'hats;;;;;;;;5',
      'socks;no site at all;;;;;;;5',
    ].join('\n');
    const fields = { check: 'ranks', text, target: 'all.example', device: 'mobile', tag: 'w47' };
    const asked = await press(fields);
    expect(asked.text)
      .to.contain('Which site do you want to find?')
      .and.to.contain('all.example for all keywords')
      .and.not.to.contain('costs');
    const { shown, sent } = await pressTwice({ ...fields, ...asked.fields, column_url: '1' });
    expect(shown.text)
      .to.contain('4 keywords, 2 invalid; costs 2')
      .and.to.contain('Not used: Pages')
      .and.to.contain('Line 3 bags Device “tablet”')
      .and.to.contain('Line 5 socks Site or page “no site at all”');
    expect(sent.status).to.equal(303);
    const common = { language: 'en', tag: 'w47', include: ['features'] };
    expect(await inputs()).to.deep.equal([
      {
        ...{ keyword: 'shoes', target_url: 'shop.example', country: 'DE', device: 'mobile', ...common },
        ...{ start_page: 2, end_page: 3, match: 'host', competitor_urls: ['a.example', 'b.example'] },
      },
      {
        ...{ keyword: 'hats', target_url: 'all.example', country: 'US', device: 'mobile', ...common },
        ...{ start_page: 1, end_page: 10, match: 'site' },
      },
    ]);
    expect(await service.credits(account.accountId)).to.equal(98);
  });

  it('of URLs needs a confirmation before a rank check', async () => {
    const fields = {
      check: 'ranks',
      text: 'https://indexed.example/a\nwww.example.com',
      target: 'a.example',
    };
    const { shown, sent } = await pressTwice(fields);
    expect(shown.problem).to.contain('look like URLs');
    expect(shown.text).to.contain('2 keywords look like a URL');
    expect(sent.status).to.equal(422);
    const meant = await press({ ...fields, ...shown.fields, as_keywords: 'yes' });
    expect(meant.status).to.equal(303);
  });

  it('gets https://, and loses its quotes', async () => {
    const text = '"https://indexed.example/a"\nwww.indexed.example\nindexed.example/b';
    const read = await browser.post('/read', { text });
    expect(parseSummary(read.text).text)
      .to.contain('3 URLs; costs 3')
      .and.contain('Added https:// to 2 URLs');
    const { fields } = parseSummary(read.text);
    const sent = await press({ check: 'index', text, ...fields });
    expect(sent.status).to.equal(303);
    expect(await inputs()).to.deep.equal(
      ['https://indexed.example/a', 'https://www.indexed.example', 'https://indexed.example/b'].map(
        (url) => ({ url }),
      ),
    );
  });

  it('ignores the choices for an earlier list', async () => {
    const one = await press({ check: 'index', text: 'url,other\nhttps://a.example/,https://b.example/' });
    const text = 'name,url\nhttps://c.example/,https://d.example/';
    const read = await browser.post('/read', { text, ...one.fields, column_address: '0' });
    expect(parseSummary(read.text).text).to.contain('Not used: name');
  });

  it('is checked once per distinct entry, as the summary says', async () => {
    const lines = Array.from({ length: 2005 }, (_, number) => `https://indexed.example/${number % 5}`);
    const sent = await browser.post('/', { check: 'index', text: lines.join('\n') });
    expect(sent.status).to.equal(303);
    const { text } = await browser.get(sent.location);
    expect(text).to.contain('0 of 5 checked').and.to.contain('2,000 duplicates checked once');
    expect(await service.credits(account.accountId)).to.equal(95);
  });

  it('is charged at the shown price if keywords differ only in how they are written', async () => {
    const rows = Array.from({ length: 1_000 }, (_, number) => `shoes ${number};\nshoes ${number};US`);
    const form = {
      ...{ type: 'ranks', check: 'go', target: 'a.example', country: 'US', once: 'written' },
      text: `keyword;country\n${[...rows, 'hats;'].join('\n')}\nhats;us\nhats;XX`,
    };
    const rich = await service.account(1_100);
    const window = await visit(service, rich);
    const { text } = await window.post('/read', form);
    expect(text)
      .to.contain('<strong>2,003 keywords</strong>, 1,001 duplicates, 1 invalid')
      .and.to.contain('Check 1,001 keywords · 1,001 credits')
      .and.to.match(/Line 2,004<\/span> <code>hats<\/code> <span>country “XX”/i)
      .and.not.to.contain('batches of one submission');
    const sent = await window.post('/', { ...form, understood: fieldIn(text, 'understood') });
    expect(sent.location).to.match(/^\/batches\//);
    expect((await window.get(sent.location)).text).to.contain('1,001 duplicates checked once');
    expect(await service.credits(rich.accountId)).to.equal(99);
  });

  it('is only read if the check is unknown, and checked over HTTP if the selected check is', async () => {
    const text = 'https://a.example/';
    expect((await press({ check: '__proto__', text })).status).to.equal(200);
    expect((await press({ check: 'go', type: 'constructor', text })).status).to.equal(303);
  });

  it('can have a name', async () => {
    const text = 'https://indexed.example/named';
    const sent = await browser.post('/', { check: 'index', text, name: ' October <crawl> ' });
    expect((await browser.get(sent.location)).text).to.contain('<h1>October &lt;crawl&gt;</h1>');
    const { body } = await service.call(`/batches?q=october`, { token: account.token });
    expect(body.data[0]).to.include({ name: 'October <crawl>', reference: null });
  });

  it('with an error is shown again with the line of the error', async () => {
    const answer = await browser.post('/', {
      check: 'index',
      text: 'name,url\n"Shoes,https://indexed.example/',
    });
    expect(answer.status).to.equal(422);
    expect(answer.text).to.match(/role="alert">Line 2: a quotation mark is not closed\./);
    expect(answer.text).to.contain('&quot;Shoes,https://indexed.example/</textarea>');
  });

  it('that is long is split into batches of one submission, all or none', async () => {
    const rich = await service.account(4_500);
    const window = await visit(service, rich);
    const lines = (count: number) =>
      Array.from({ length: count }, (_, number) => `https://indexed.example/${number}`).join('\n');
    const form = { check: 'index', text: lines(4_001), once: 'one' };
    const listBatches = async () =>
      (await service.call('/batches', { token: rich.token })).body.data as Array<{
        total: number;
        submission_id: string;
      }>;

    const poor = await window.post('/', { ...form, text: lines(5_000) });
    expect([poor.status, (await listBatches()).length]).to.deep.equal([402, 0]);
    expect(poor.text).to.contain('3 batches of one submission');

    const sent = await window.post('/', form);
    expect((await window.post('/', form)).location).to.equal(sent.location);
    const made = await listBatches();
    expect(made.map(({ total }) => total).sort()).to.deep.equal([1, 2000, 2000]);
    const id = made[0]?.submission_id;
    expect(sent.location).to.equal(`/submissions/${id}`);
    expect(await service.credits(rich.accountId)).to.equal(499);

    const { text } = await window.get(`/submissions/${id}`);
    expect(text)
      .to.contain('0 of 4,001 checked')
      .and.to.contain('aria-valuetext="0 of 4,001"')
      .and.to.contain('3 batches')
      .and.to.contain('4,001 credits charged');
    const places = [...text.matchAll(/class="name" href="[^"]+">([^<]+)/g)].map(([, name]) => name);
    expect(places).to.deep.equal(['URLs 1–2,000', 'URLs 2,001–4,000', 'URLs 4,001']);
    const hrefs = async (path: string) =>
      [...(await window.get(path)).text.matchAll(/class="name" href="([^"]+)"/g)].map(([, href]) => href);
    expect(await hrefs('/batches')).to.deep.equal([`/submissions/${id}`]);
    expect(await hrefs('/batches?type=index')).to.have.length(1);
    expect(await hrefs('/batches?status=pending')).to.have.length(3);
    expect(await hrefs('/batches?q=indexed.example%2F4000')).to.have.length(1);
    const home = await window.get('/');
    expect(home.text.split(`href="/submissions/${id}"`)).to.have.length(2);
    expect((await window.post(`/submissions/${id}/cancel`)).status).to.equal(303);
    expect(await service.credits(rich.accountId)).to.equal(4_500);
    expect((await browser.get(`/submissions/${id}`)).status).to.equal(404);
  });

  it('that was split has tiles with their results and exports', async () => {
    const account = await service.account(2_000);
    const window = await visit(service, account);
    const lines = Array.from({ length: 2_000 }, (_, number) => `https://indexed.example/${number}`);
    // The last line creates a batch without checks.
    const text = [...lines, 'htp:/wrong'].join('\n');
    const { location } = await window.post('/', { check: 'index', text, once: 'tiles' });
    const whole = await window.get(`${location}`);
    expect(whole.text).to.contain('Export all 1').and.to.contain(`href="${location}?show=skipped#results"`);
    expect(whole.text.indexOf('URLs 1–2,000')).to.be.below(whole.text.indexOf('URLs 2,001<'));

    const skipped = await window.get(`${location}?show=skipped`);
    expect(skipped.text)
      .to.contain('Batches with Skipped')
      .and.to.contain('Export these 1')
      .and.to.contain('?show=skipped#results">URLs 2,001<')
      .and.not.to.contain('URLs 1–2,000');
    const { headers, text: csv } = await window.get(`${location}/results.csv?show=skipped`);
    expect(csv.trim().split('\n')).to.have.length(2);
    expect(headers.get('content-disposition')).to.contain('skipped');
    const indexed = await window.get(`${location}/results.csv?show=indexed`);
    expect(indexed.text.trim().split('\n')).to.have.length(1);
    expect((await window.get(`${location}/results.csv?show=dead`)).status).to.equal(422);
  });
});
