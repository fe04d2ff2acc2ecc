import { expect } from 'chai';
import { fieldIn, useVisit } from '../../../support/dashboard.ts';
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
    const problem = /role="alert">([^<]*)/.exec(answer.text)?.[1] ?? null;
    return { ...answer, ...parseSummary(answer.text), problem };
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

  it('from an export is charged after a preview of its used and unused columns', async () => {
    const text =
      'Top pages,Clicks,Impressions\nhttps://indexed.example/a,5,"1,310"\nhttps://indexed.example/b,1,2\n';
    const { shown, sent } = await pressTwice({ check: 'index', text });
    expect(shown.problem).to.contain('Review below how this table is read');
    expect(shown.text).to.contain('2 URLs').and.to.contain('Not used: Clicks, Impressions');
    expect(sent.status).to.equal(303);
    expect(await inputs()).to.deep.equal([
      { url: 'https://indexed.example/a' },
      { url: 'https://indexed.example/b' },
    ]);
  });

  it('of paths gets the hosts of its rows, unless the user drops their column', async () => {
    const text = 'Hostname,Page path,Views\nindexed.example,/a,5\nwww.indexed.example,/b,3\n';
    const { shown, sent } = await pressTwice({ check: 'index', text });
    expect(shown.text).to.contain('2 URLs').and.to.contain('Host from').and.to.contain('URLs from');
    expect(sent.status).to.equal(303);
    expect(await inputs()).to.deep.equal([
      { url: 'https://indexed.example/a' },
      { url: 'https://www.indexed.example/b' },
    ]);
    const dropped = await press({ check: 'index', text, ...shown.fields, column_host: '-1' });
    expect(dropped.text).to.contain('Which site do these paths belong to?');
  });

  it('without a header needs one choice of columns', async () => {
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

  it('of ranks is checked as its rows say, and unreadable lines are left out by number', async () => {
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
    const read = await browser.post('/read', { text }, { from: '/' });
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
    const read = await browser.post('/read', { text, ...one.fields, column_address: '0' }, { from: '/' });
    expect(parseSummary(read.text).text).to.contain('Not used: name');
  });

  it('can be a file in the encoding of a spreadsheet', async () => {
    const page = await browser.get('/');
    const body = new FormData();
    body.set('form_token', fieldIn(page.text, 'form_token'));
    body.set('check', 'read');
    const bytes = Buffer.from('\ufeffAdresse\tStädte\nhttps://indexed.example/größe\tKöln\n', 'utf16le');
    body.set('file', new File([bytes], 'list.csv'));
    const answer = await fetch(service.baseUrl, {
      method: 'POST',
      body,
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        Cookie: `sonde_session=${browser.cookies.get('sonde_session')}`,
      },
    });
    const { text } = parseSummary(await answer.text());
    expect(text).to.contain('1 URL; costs 1').and.to.contain('Not used: Städte');
  });
});
