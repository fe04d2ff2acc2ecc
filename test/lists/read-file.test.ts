import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { List, ListOptions } from '../../lists/list.ts';
import { readFile } from '../../lists/read-file.ts';
import { isWorkbookPart, readWorkbook } from '../../lists/workbook.ts';
import { readZip } from '../../lists/zip.ts';
import { expectLinear } from '../support/growth.ts';
import { createWorkbook, createZip } from '../support/workbook.ts';

const read = (content: string | Uint8Array, options?: ListOptions) => readFile(Buffer.from(content), options);
const texts = ({ entries }: List) => entries.map(({ text }) => text);
const problem = (content: string | Uint8Array, options?: ListOptions) =>
  read(content, options).then(
    (list) => expect.fail(`read as ${JSON.stringify(list).slice(0, 200)}`),
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe('a file of several tables', () => {
  const performance = {
    'Diagramm.csv': 'Datum,Klicks\n2026-11-01,10\n',
    'Suchanfragen.csv': 'Häufigste Suchanfragen,Klicks\nschuhe,3\n"hut, rot",2\n',
    'Seiten.csv': 'Häufigste Seiten,Klicks\nhttps://shop.example/schuhe,3\n',
    'Länder.csv': 'Land,Klicks\nDeutschland,3\n',
    'Filter.csv': 'Filter,Wert\nSuchtyp,Web\n',
  };

  it('is read for the check type, and offers all tables', async () => {
    const zip = createZip(performance);
    const urls = await read(zip, { kind: 'urls' });
    expect(urls).to.deep.include({ format: 'zip', kind: 'urls', table: 2, question: null });
    expect(urls.tables.map(({ name, fits }) => [name, fits])).to.deep.equal([
      ['Diagramm.csv', []],
      ['Suchanfragen.csv', ['keywords']],
      ['Seiten.csv', ['urls']],
      ['Länder.csv', []],
      ['Filter.csv', []],
    ]);
    expect(urls.tables[1]?.rows).to.equal(3);
    expect(texts(urls)).to.deep.equal(['https://shop.example/schuhe']);
    expect(texts(await read(zip, { kind: 'keywords' }))).to.deep.equal(['schuhe', 'hut, rot']);
    expect(await read(zip)).to.include({ kind: 'urls', table: 2 });
    expect((await read(zip, { kind: 'keywords', table: 'filter' })).question?.about).to.equal('header');
    expect(await problem(zip, { kind: 'keywords', table: 'diagramm' })).to.equal(
      'ListError: No column of this table contains keywords. Its columns are: Datum, Klicks.',
    );
  });

  it('is not asked for because of a sheet of notes with a link', async () => {
    const notes = {
      name: 'Notes',
      rows: [
        ['Export of', 'https://tool.example/'],
        ['Author', 'Jane'],
      ],
    };
    const link = { name: 'Notes', rows: [['Report of November'], ['See', 'https://tool.example/']] };
    const rows = [['https://a.example/1'], ['https://a.example/2']];
    const listOf = (...sheets: Parameters<typeof createWorkbook>[0]) =>
      read(createWorkbook(sheets), { kind: 'urls' });
    for (const other of [notes, link]) {
      for (const all of [rows, [['URL'], ...rows], [['Adresse der Seite', 'Status'], ...rows]])
        expect(texts(await listOf(other, { name: 'Pages', rows: all }))).to.deep.equal(rows.flat());
    }
    const old = { name: 'Old', rows: [...rows, ...rows, ['Sale'], ...rows] };
    for (const other of [old, { ...old, rows }]) {
      const { question } = await listOf(other, { name: 'New', rows: [['URL'], ...rows] });
      expect(question?.about).to.equal('table');
    }
    expect((await listOf(notes, { ...notes, name: 'More' })).question?.about).to.equal('table');
  });

  it('needs the name or number of a table that exists', async () => {
    const table = 'url,n\nhttps://a.example/,3\n';
    const json = '{"urls":["https://a.example/"],"meta":[{"a":1}]}';
    const files: Array<[content: string | Uint8Array, table: string, tables: string]> = [
      [createZip(performance), 'Seiten', `Its tables are: ${Object.keys(performance).join(', ')}.`],
      [createZip({ 'a.csv': table, 'b.jpg': 'x' }), 'a.csv', 'Its tables are: a.csv.'],
      [createZip({ 'a.json': json }), 'a', 'Its tables are: a.json.'],
      [
        createWorkbook([{ name: 'Pages', rows: [['URL'], ['https://a.example/']] }]),
        'pages',
        'Its tables are: Pages.',
      ],
      [json, 'urls', 'Its tables are: urls, meta.'],
      [table, '1', 'It has only one, without a name.'],
      ['https://a.example/\n', '1', 'It has only one, without a name.'],
      ['<urlset><url><loc>https://a.example/</loc></url></urlset>', '1', 'It has only one, without a name.'],
    ];
    for (const [content, wanted, tables] of files) {
      expect(await problem(content, { table: 'x' })).to.equal(
        `ListError: The file has no table “x”. ${tables}`,
      );
      expect((await read(content, { table: wanted })).entries).to.have.lengthOf(1);
    }
    const unclear = Buffer.from('keyword\nmieszkanie \xb3\xf3d\x9f\n', 'latin1');
    expect((await read(unclear, { table: 'x' })).question?.about).to.equal('encoding');
  });

  it('asks for the table if several fit, and names them if none does', async () => {
    const zip = createZip({
      'old.csv': 'url\nhttps://a.example/\n',
      'sub/new.csv': 'url\nhttps://b.example/\n',
    });
    const { question, entries, table } = await read(zip, { kind: 'urls' });
    expect([
      question?.about === 'table' && question.tables.map(({ name }) => name),
      entries,
      table,
    ]).to.deep.equal([['old.csv', 'sub/new.csv'], [], null]);
    expect(texts(await read(zip, { kind: 'urls', table: 1 }))).to.deep.equal(['https://b.example/']);
    expect(await problem(zip, { kind: 'urls', table: 'x' })).to.equal(
      'ListError: The file has no table “x”. Its tables are: old.csv, sub/new.csv.',
    );
    expect(
      await problem(createZip({ 'a.csv': 'a,b\n1,2\n', 'b.csv': 'a,b\n1,2\n' }), { kind: 'urls' }),
    ).to.equal('ListError: No table of this file contains URLs. Its tables are: a.csv, b.csv.');
  });

  it('can be a single file of any format in a ZIP', async () => {
    const sitemap = '<urlset><url><loc>https://a.example/</loc></url></urlset>';
    const list = await read(createZip({ '../../sitemap.xml': sitemap, '__MACOSX/._sitemap.xml': 'x' }));
    expect([list.format, list.tables, texts(list)]).to.deep.equal(['sitemap', [], ['https://a.example/']]);
    expect(list.unread).to.deep.equal([]);
  });

  const sitemap = (...paths: string[]) =>
    `<urlset>${paths.map((path) => `<url><loc>https://a.example/${path}</loc></url>`).join('')}</urlset>`;
  const index =
    '<sitemapindex><sitemap><loc>https://a.example/1.xml.gz</loc></sitemap><sitemap><loc>https://a.example/2.xml</loc></sitemap></sitemapindex>';

  it('names each file of a ZIP that it cannot read, and why', async () => {
    const files = {
      '1.xml': sitemap('1'),
      '2.xml': sitemap('2').slice(0, -9),
      '3.xml.gz': gzipSync(sitemap('3')).subarray(0, -9),
      'sub/photo.jpg': '\xff\xd8\xff\x00',
      'sub/.DS_Store': 'x',
    };
    const list = await read(createZip(files), { kind: 'urls' });
    expect(texts(list)).to.deep.equal(['https://a.example/1']);
    expect(list.unread).to.deep.equal([
      { name: '2.xml', problem: 'This sitemap is incomplete: its end is missing. Download it again.' },
      { name: '3.xml.gz', problem: 'This file is damaged or incomplete. Download or save it again.' },
      {
        name: 'sub/photo.jpg',
        problem:
          'In a ZIP, we read only text, CSV, XML, HTML and JSON. To check this file, unpack the ZIP and choose the file.',
      },
    ]);
    const table = { '2.xml': files['2.xml'], 'a.csv': 'name,count\nshoes,2\n' };
    expect(await problem(createZip(table), { kind: 'urls' })).to.match(
      /No column of this table contains URLs\. .* Not read: “2\.xml”\. This sitemap is incomplete/,
    );
    expect(await problem(createZip({ '2.xml': files['2.xml'], '3.xml': '<urlset>' }))).to.match(
      /^ListError: Not read: “2\.xml”\. This .* Not read: “3\.xml”\. This sitemap is incomplete/,
    );
  });

  it('reads at most 20 members of a gzip in a ZIP, since each takes time even if it is empty', async () => {
    const empty = gzipSync('');
    const pack = (members: number) =>
      Buffer.concat([...Array<Buffer>(members - 1).fill(empty), gzipSync(sitemap('1'))]);
    expect(texts(await read(createZip({ '1.xml.gz': pack(20) })))).to.deep.equal(['https://a.example/1']);
    expect(await problem(createZip({ '1.xml.gz': pack(21) }))).to.match(/damaged or incomplete/);
    expect(texts(await read(pack(1000)))).to.deep.equal(['https://a.example/1']);
  });

  it('offers all sitemaps of a ZIP together, compressed or not, and reads their index only on request', async () => {
    const files = { 'index.xml': index, '1.xml.gz': gzipSync(sitemap('1', '2')), '2.xml': sitemap('3') };
    const { question, unread } = await read(createZip(files));
    expect(
      question?.about === 'table' && question.tables.map(({ name, rows }) => [name, rows]),
    ).to.deep.equal([
      ['All sitemaps', 3],
      ['1.xml.gz', 2],
      ['2.xml', 1],
    ]);
    expect(unread).to.deep.equal([]);
    const all = await read(createZip(files), { table: 'All sitemaps' });
    expect(all.entries.map(({ line, text }) => [line, text])).to.deep.equal([
      [1, 'https://a.example/1'],
      [2, 'https://a.example/2'],
      [3, 'https://a.example/3'],
    ]);
    const sitemaps = await read(createZip(files), { table: 'index' });
    expect(sitemaps).to.include({ areSitemaps: true });
    expect(texts(sitemaps)).to.deep.equal(['https://a.example/1.xml.gz', 'https://a.example/2.xml']);
    const one = await read(createZip({ 'index.xml': index, '1.xml': sitemap('1') }));
    expect([one.areSitemaps, one.question, ...texts(one)]).to.deep.equal([
      false,
      null,
      'https://a.example/1',
    ]);
  });

  it('counts what was left out in the file of a ZIP that is read', async () => {
    const log = '1.2.3.4 - - [1] "POST /a HTTP/1.1" 200 5\n1.2.3.4 - - [1] "GET /b HTTP/1.1" 200 5\n';
    const zip = createZip({ 'access.log': log, 'notes.csv': 'name,count\nshoes,2\n' });
    const { leftOut } = await read(zip, { kind: 'urls', host: 'a.example' });
    expect(leftOut).to.deep.equal([{ reason: 'not_get', count: 1 }]);
  });
});

describe('a workbook', () => {
  it('has shared and inline texts, numbers, dates and the last values of formulas', async () => {
    const workbook = createWorkbook(
      [
        {
          name: 'Ranks &amp; more',
          rows:
            '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Tag</t></is></c><c r="C1" t="inlineStr"><is><t>End_page</t></is></c></row>' +
            '<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" s="1"><v>46352</v></c><c r="C3" s="0"><v>2</v></c></row>' +
            '<row r="4"><c r="A4" t="str"><f>WEBSERVICE("https://evil.example/")</f><v>hats</v></c><c r="B4" s="2"><v>46352.5</v></c></row>' +
            '<row r="5"><c r="A5"><v>2026</v></c><c r="B5" s="3"><v>0.125</v></c></row>' +
            '<row r="7"><c r="A7" s="4"><v>12345</v></c><c r="B7" t="inlineStr"><is><t>a_x000D_</t></is></c></row>' +
            '<row r="6"><c r="A6" t="e"><v>#REF!</v></c><c r="B6" t="b"><v>1</v></c></row>',
        },
      ],
      {
        'xl/sharedStrings.xml':
          '<sst><si><t>Keyword</t></si><si><r><t>red </t></r><r><t>shoes</t></r><rPh><t>kana</t></rPh></si></sst>',
        'xl/styles.xml':
          '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/>' +
          '<numFmt numFmtId="165" formatCode="0000000"/></numFmts>' +
          '<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/><xf numFmtId="10"/><xf numFmtId="165"/></cellXfs></styleSheet>',
      },
    );
    const { entries, tables, leftOut } = await read(workbook, { kind: 'keywords' });
    expect(tables.map(({ name }) => name)).to.deep.equal(['Ranks & more']);
    expect(entries.map(({ line, text, rank }) => [line, text, rank])).to.deep.equal([
      [3, 'red shoes', { tag: '2026-11-26', end_page: 2 }],
      [4, 'hats', { tag: '2026-11-26 12:00' }],
      [5, '2026', { tag: '0.125' }],
      [7, '0012345', { tag: 'a' }],
    ]);
    expect(leftOut).to.deep.equal([{ reason: 'blank', count: 1 }]);
  });

  it('has links that formulas write out, beside their texts, and none that formulas compute', async () => {
    const cell = (at: string, formula: string) =>
      `<c r="${at}" t="str"><f aca="false">${formula}</f><v>Shoes</v></c>`;
    const rows = `<row r="1"><c r="A1" t="inlineStr"><is><t>Page</t></is></c><c r="B1" t="inlineStr"><is><t>Sum</t></is></c></row>
      <row r="2">${cell('A2', 'HYPERLINK("https://a.example/?b=1&amp;c=2","Shoes")')}${cell('B2', 'SUM(C2,3)')}</row>
      <row r="3">${cell('A3', 'HYPERLINK("https://a.example/p/"&amp;B2,"Shoes")')}</row>
      <row r="4">${cell('A4', '')}<c r="B4"><f>HYPERLINK("https://a.example/none")</f></c></row>`;
    const list = await read(createWorkbook([{ name: 'Pages', rows }]), { kind: 'urls' });
    expect(texts(list)).to.deep.equal(['https://a.example/?b=1&c=2']);
    expect(list.columns.map(({ name }) => name)).to.deep.equal(['Page', 'Sum', 'Page (link in A)']);
  });

  it('has notes above the header, several sheets, and links behind texts', async () => {
    const workbook = createWorkbook([
      {
        name: 'Relaunch',
        rows: [
          ['Relaunch mapping 2026'],
          ['as of 26.11.2026'],
          [],
          ['ID', 'Old URL', 'New URL', 'Priority'],
          [1, 'https://shop.example/a', 'https://shop.example/b', 'A'],
          [2, 'https://shop.example/c', 'https://shop.example/d'],
        ],
      },
      {
        name: 'Links',
        rows: [['Page'], ['Shoes'], ['Hats'], ['Bags']],
        links: {
          A2: 'https://shop.example/shoes?a=1&amp;b=2',
          A3: 'https://shop.example/hats',
          A4: 'mailto:a@b.example',
        },
      },
      { name: 'Old', rows: [['url'], ['https://hidden.example/']], isHidden: true },
    ]);
    const { question, tables } = await read(workbook, { kind: 'urls' });
    expect(question?.about).to.equal('table');
    expect(tables.map(({ name, rows }) => [name, rows])).to.deep.equal([
      ['Relaunch', 6],
      ['Links', 4],
    ]);
    const mapping = await read(workbook, { kind: 'urls', table: 0 });
    expect(
      mapping.question?.about === 'column' && mapping.question.columns.map(({ name }) => name),
    ).to.deep.equal(['Old URL', 'New URL']);
    const chosen = await read(workbook, { kind: 'urls', table: 0, columns: { address: 'new url' } });
    expect(chosen.entries.map(({ line, text }) => [line, text])).to.deep.equal([
      [5, 'https://shop.example/b'],
      [6, 'https://shop.example/d'],
    ]);
    const links = await read(workbook, { kind: 'urls', table: 'links' });
    expect(links.columns.map(({ name, field }) => [name, field])).to.deep.equal([
      ['Page', null],
      ['Page (link in A)', 'address'],
    ]);
    expect(texts(links)).to.deep.equal(['https://shop.example/shoes?a=1&b=2', 'https://shop.example/hats']);
  });
});

describe('a file of another format', () => {
  it('is a sitemap, an index of sitemaps or a robots.txt, compressed or not', async () => {
    const sitemap =
      '<?xml version="1.0" encoding="iso-8859-1"?><urlset><url><loc>https://a.example/gr\xf6\xdfe</loc></url></urlset>';
    for (const bytes of [Buffer.from(sitemap, 'latin1'), gzipSync(Buffer.from(sitemap, 'latin1'))]) {
      const list = await read(bytes);
      expect([list.format, texts(list)]).to.deep.equal(['sitemap', ['https://a.example/größe']]);
    }
    const index = '<sitemapindex><sitemap><loc>https://a.example/s.xml</loc></sitemap></sitemapindex>';
    expect(await read(index)).to.include({ format: 'sitemap_index', kind: 'urls' });
    const robots = await read('User-agent: *\nDisallow: /cart\nSitemap: https://a.example/s.xml\n');
    expect([robots.format, texts(robots)]).to.deep.equal(['robots', ['https://a.example/s.xml']]);
    expect(await problem('User-agent: *\nDisallow: /\n')).to.match(/This robots\.txt lists no sitemap/);
    expect(await problem(sitemap, { kind: 'keywords' })).to.equal(
      'ListError: A sitemap contains URLs, not keywords. Check the HTTP status or the Google index instead.',
    );
    expect(await problem('<urlset><url><loc>https://a.example/</loc></url><url>')).to.match(
      /sitemap is incomplete/,
    );
    expect(await problem('<?xml version="1.0"?><note/>')).to.match(/not a sitemap or feed/);
  });

  it('is an access log, whose paths get a host, the most frequent first', async () => {
    const line = (request: string, rest = '"https://www.shop.example/" "Mozilla/5.0"') =>
      `66.249.66.1 - - [26/Nov/2026:06:00:00 +0100] "${request} HTTP/1.1" 200 5000 ${rest}\n`;
    const log = [
      ...[
        line('GET /a'),
        line('GET /b?c=1', '"https://www.google.com/" "x"'),
        line('GET /b?c=1'),
        line('POST /cart'),
      ],
      ...[
        line('HEAD /a#x', '"-" "Mo\\"zilla"'),
        line('GET /b?c=1'),
        '1.2.3.4 - - [26/Nov/2026:06:00:00 +0100] "\\x16\\x03" 400 0\n',
      ],
    ].join('');
    const asking = await read(log);
    expect(asking).to.deep.include({ format: 'access_log', kind: 'urls', entries: [] });
    expect(asking.question).to.deep.equal({
      about: 'host',
      paths: ['/b?c=1', '/a', '/a#x'],
      suggestion: 'www.shop.example',
    });
    const list = await read(log, { host: 'http://shop.example/' });
    expect(texts(list)).to.deep.equal([
      'http://shop.example/b?c=1',
      'http://shop.example/a',
      'http://shop.example/a#x',
    ]);
    expect(list).to.deep.include({ hostsAdded: 3, leftOut: [{ reason: 'not_get', count: 2 }] });
    expect(await problem(log, { host: 'no host' })).to.match(/“no host” is not a host/);
    const withHosts = `shop.example:443 ${line('GET /a')}shop.example:80 ${line('GET /b')}`;
    expect(texts(await read(withHosts))).to.deep.equal(['https://shop.example/a', 'http://shop.example/b']);
  });

  it('may be a log in an unknown format, which one sentence rejects', async () => {
    const haproxy =
      'Nov 26 06:00:00 lb haproxy[14389]: 192.0.2.1:33317 [26/Nov/2026:06:00:00.655] http-in web/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "GET /a HTTP/1.1"\n';
    const docker = '{"log":"{\\"msg\\":\\"ready\\"}\\n","stream":"stderr","time":"2026-11-26T06:00:00Z"}\n';
    const caddy = (more: object) =>
      `${JSON.stringify({ level: 'info', msg: 'handled', request: { proto: 'HTTP/2.0' }, ...more })}\n`;
    const refusal = 'ListError: This log has a format that cannot be read. Extract its URLs, one per line.';
    for (const log of [
      haproxy.repeat(3),
      haproxy,
      docker.repeat(2),
      caddy({}).repeat(3),
      caddy({}).repeat(2).replaceAll(':', ': '),
    ])
      for (const kind of [undefined, 'urls', 'keywords'] as const)
        expect(await problem(log, kind ? { kind } : {}), log).to.equal(refusal);
    expect(
      texts(await read(caddy({ url: 'https://shop.example/a' }).repeat(2), { kind: 'urls' })),
    ).to.deep.equal(['https://shop.example/a', 'https://shop.example/a']);
    expect(texts(await read(haproxy, { kind: 'keywords', isWhole: true }))).to.deep.equal([haproxy.trim()]);
    const requests = { time: '06:00', request: 'GET /a HTTP/1.1' };
    const json = `${JSON.stringify(requests)}\n`.repeat(3);
    expect(await problem(json, { kind: 'keywords' })).to.equal(refusal);
    const keywords = 'http/2 vs http/3\nHTTP/2.0 "push"\nGET / HTTP/1.1\n';
    expect(texts(await read(keywords))).to.deep.equal(keywords.trim().split('\n'));
  });

  it('is JSON: strings, objects or rows', async () => {
    expect(texts(await read('["https://a.example/", "b.example"]'))).to.deep.equal([
      'https://a.example/',
      'https://b.example',
    ]);
    const objects = await read(
      '{"queries": [{"keyword": "shoes", "end_page": 2}, {"url": "a.example", "keyword": "hats"}]}',
    );
    expect(objects.entries.map(({ text, rank }) => [text, rank])).to.deep.equal([
      ['shoes', { end_page: 2 }],
      ['hats', { url: 'a.example' }],
    ]);
    for (const json of ['{"a": 1}', '[["a"], 1]', '[]'])
      expect(await problem(json)).to.match(/is not a list/);
    expect(await problem('{"a": ["red shoes"], "b": ["hats"]}')).to.match(
      /has several lists, of which none has/,
    );
    expect(await problem('["a",')).to.match(/JSON is damaged/);
  });

  it('is an access log: a path with spaces is not cut', async () => {
    const line = (path: string) =>
      `192.0.2.1 - - [26/Nov/2026:06:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "x"\n`;
    const list = await read(line('/a') + line('/a b.html'), { host: 'shop.example' });
    expect(texts(list)).to.deep.equal(['https://shop.example/a', '/a b.html']);
  });

  it('is JSON with several lists, of which the outermost with inputs is read and the others are named', async () => {
    const two =
      '{"meta":[{"a":1}],"x":{"urls":["https://a.example/"]},"y":{"z":[{"link":"https://b.example/"},{}]}}';
    const list = await read(two);
    expect(texts(list)).to.deep.equal(['https://b.example/']);
    expect(list.unread.map(({ name }) => name)).to.deep.equal(['x.urls']);
    const zip = await read(createZip({ 'a.json': two }));
    expect(zip.unread.map(({ name }) => name)).to.deep.equal(['a.json: x.urls']);
    const chosen = await read(two, { table: 'x.urls' });
    expect([texts(chosen), chosen.unread]).to.deep.equal([['https://a.example/'], []]);
    expect(texts(await read(two, { table: '3' }))).to.deep.equal(['https://a.example/']);
    const within = await read(
      '[{"url":"https://a.example/","hops":[{"url":"https://b.example/"},{"url":"b.example"}]}]',
    );
    expect(texts(within)).to.deep.equal(['https://a.example/']);
    expect(within.unread).to.deep.equal([]);
    const single = await read('{"url":"https://a.example/","hops":[]}');
    expect(texts(single)).to.deep.equal(['https://a.example/']);
  });

  it('may be unreadable, for example a page, which one sentence explains', async () => {
    const files: Array<[content: string | Uint8Array, says: RegExp]> = [
      ['', /This file is empty/],
      [gzipSync(''), /This file is empty/],
      ['\n \n', /contains no/],
      [Buffer.from('\xff\xd8\xff\xe0\x00\x10JFIF', 'latin1'), /This is an image/],
      [Buffer.from('%PDF-1.7\n%\xe2\xe3', 'latin1'), /This is a PDF/],
      [Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00', 'latin1'), /old format or has a password/],
      [Buffer.from('\x7fELF\x02\x01\x00\x00', 'latin1'), /not a list/],
      ['<!DOCTYPE html><title>Shoes</title>', /This is a web page/],
      ['<table border="1"><tr><td>https://a.example/</td></tr></table>', /save it as \.xlsx or CSV/],
      [
        '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body><table></table></body></html>',
        /save it as \.xlsx or CSV/,
      ],
      [
        '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?><Workbook/>',
        /save it as \.xlsx or CSV/,
      ],
      ['{"url":"https://a.example/"}\n{"url":', /This JSON is damaged/],
      [createZip({}), /This ZIP is empty/],
      [
        createZip({ 'photo.jpg': 'x', 'inner.zip': createZip({ 'a.csv': 'url' }) }),
        /no table, only photo\.jpg, inner\.zip/,
      ],
      [createZip({ '[Content_Types].xml': '', 'word/document.xml': '<a/>' }), /Save its table as Excel/],
      [createZip({ mimetype: '', 'content.xml': '<a/>' }), /Save its table as Excel/],
      [createZip({ 'a.csv': 'url\nhttps://a.example/\n' }).subarray(0, 50), /damaged or incomplete/],
      [gzipSync('https://a.example/').subarray(0, 20), /damaged or incomplete/],
    ];
    for (const [content, says] of files)
      expect(await problem(content), String(says))
        .to.match(/^ListError: /)
        .and.match(says);
  });
});

describe('a hostile file', () => {
  const refused = /larger than 64 MB unpacked/;
  const zeros = Buffer.alloc(70 * 1024 * 1024);

  it('is not inflated beyond the limit, whatever its headers say', async () => {
    const bomb = createZip({ 'a.csv': zeros });
    expect(await problem(bomb)).to.match(refused);
    const lying = Buffer.from(bomb);
    lying.writeUInt32LE(10, 22);
    expect(await problem(lying)).to.match(refused);
    expect(
      await problem(createZip({ 'a.csv': zeros.subarray(0, 40e6), 'b.csv': zeros.subarray(0, 40e6) })),
    ).to.match(refused);
    expect(await problem(gzipSync(zeros))).to.match(/limited to 32 MB of text/);
    const text = Buffer.alloc(33 * 1024 * 1024, 'a\n');
    expect(await problem(createZip({ 'a.csv': text }))).to.match(/limited to 32 MB of text/);
    expect(await problem(zeros)).to.match(/Files are limited to 32 MB of text/);
  });

  it('is rejected if its entries overlap', async () => {
    // Each local header is within the data of the first entry, as in the bombs of bamsoftware.com/hacks/zipbomb.
    const packed = deflateRawSync(zeros.subarray(0, 20e6));
    const header = createZip({ 'a.csv': 'x' }).subarray(0, 35);
    header.writeUInt32LE(8 * (packed.length + 35), 18);
    header.writeUInt16LE(8, 8);
    expect(
      await problem(Buffer.concat(Array.from({ length: 8 }, () => Buffer.concat([header, packed])))),
    ).to.match(/damaged|larger/);
  });

  it('has limited entries, tables, rows, columns, texts and elements', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.csv`, 'url']));
    expect(await problem(createZip(many(1001)))).to.match(/more than 1,000 entries/);
    expect(await problem(createZip(many(51)))).to.match(/more than 50 tables/);
    const sheet = (rows: string) => createWorkbook([{ name: 'S', rows }]);
    expect(await problem(sheet('<row><c t="str"><v>a</v></c></row>'.repeat(200_001)))).to.match(
      /more than 200,000 rows/,
    );
    expect(await problem(sheet('<row r="1"><c r="XFD1"><v>1</v></c></row>'))).to.match(
      /Row 1 has more than 500 columns\. Remove columns\./,
    );
    const empty = '<row><c r="XFD1" s="1"/></row>';
    expect(
      texts(await read(sheet(`${empty}<row><c t="str"><v>https://a.example/</v></c></row>`))),
    ).to.deep.equal(['https://a.example/']);
    const sheets = Array.from({ length: 3 }, (_, at) => ({ name: `S${at}`, rows: '<a/>'.repeat(1_700_000) }));
    expect(await problem(createWorkbook(sheets))).to.match(/too many cells/);
    const parts = (files: Record<string, string>) => createWorkbook([{ name: 'S', rows: '' }], files);
    const repeat = (count: number, part: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => part(at)).join('');
    const strings = `<sst>${'<si><t>a</t></si>'.repeat(500_001)}</sst>`;
    expect(await problem(parts({ 'xl/sharedStrings.xml': strings }))).to.match(
      /more than 500,000 different texts/,
    );
    const characters = /more than 25,165,824 characters of text\. Save the sheet/;
    const texts32k = (count: number) => `<sst>${`<si><t>${'a'.repeat(32_768)}</t></si>`.repeat(count)}</sst>`;
    expect(await problem(parts({ 'xl/sharedStrings.xml': texts32k(769) }))).to.match(characters);
    const target = `https://a.example/${'a'.repeat(2_000)}`;
    const halves = {
      'xl/sharedStrings.xml': texts32k(400),
      'xl/worksheets/_rels/sheet1.xml.rels': `<x>${repeat(8_000, (at) => `<Relationship Id="${at}" Target="${target}"/>`)}</x>`,
    };
    expect(await problem(parts(halves))).to.match(characters);
    const styles = `<x><cellXfs>${'<xf/>'.repeat(65_491)}</cellXfs></x>`;
    expect(await problem(parts({ 'xl/styles.xml': styles }))).to.match(/more than 65,490 cell formats/);
    const codes = `<x>${repeat(65_491, (at) => `<numFmt numFmtId="${at}"/>`)}</x>`;
    expect(await problem(parts({ 'xl/styles.xml': codes }))).to.match(/more than 65,490 cell formats/);
    const relations = `<x>${repeat(70_001, (at) => `<Relationship Id="${at}"/>`)}</x>`;
    expect(await problem(parts({ 'xl/worksheets/_rels/sheet1.xml.rels': relations }))).to.match(
      /more than 70,000 links in a sheet/,
    );
    const linked = (count: number) =>
      createWorkbook(
        Array.from({ length: 3 }, (_, at) => ({
          name: `S${at}`,
          rows: repeat(count, (row) => `<hyperlink ref="A${row}" r:id="rId1"/>`),
          links: { A1: 'https://a.example/' },
        })),
      );
    const link = '<f>HYPERLINK("https://a.example/")</f><v>1</v>';
    const formulas = repeat(70_000, () => `<row>${`<c>${link}</c>`.repeat(3)}</row>`);
    const columns = { address: 0 };
    expect(await problem(sheet(formulas), { columns })).to.match(/more than 200,000 links/);
    expect(await problem(linked(70_001))).to.match(/more than 70,000 links in a sheet/);
    expect(await problem(linked(69_000))).to.match(/more than 200,000 links\./);
  });

  it('is rejected for tags that do not match, or for too many attributes or entities', async () => {
    const cell = '<row><c t="str"><v>https://a.example/</v></c></row>';
    const sheet = (xml: string) => createWorkbook([{ name: 'S', rows: cell + xml }]);
    expect(texts(await read(sheet('')))).to.deep.equal(['https://a.example/']);
    for (const xml of ['</row>', '</c>', '<row></c></row>', '<row><c></row></c>', '<a>'.repeat(100)])
      expect(await problem(sheet(xml)), xml).to.match(/This workbook is damaged/);
    const strings = { 'xl/sharedStrings.xml': `<sst><si><t>a</t></si></si></sst>` };
    expect(await problem(createWorkbook([{ name: 'S', rows: cell }], strings))).to.match(/is damaged/);
    const many = /too many cells/;
    expect(await problem(sheet(`<a${' a'.repeat(90)}/>`.repeat(112_000)))).to.match(many);
    expect(await problem(sheet(`<a>${'&lt;a'.repeat(10_000_001)}</a>`))).to.match(many);
  });

  it('is a ZIP whose files share the limits of text, rows and values', async () => {
    const half = Buffer.alloc(17 * 1024 * 1024, 'a\n');
    expect(await problem(createZip({ 'a.csv': half, 'b.csv': half }))).to.match(/limited to 32 MB of text/);
    const packed = gzipSync(half);
    expect(await problem(createZip({ 'a.gz': packed, 'b.gz': packed }))).to.match(/limited to 32 MB of text/);
    const broken = gzipSync(half).subarray(0, -9);
    expect(await problem(createZip({ 'a.gz': broken, 'b.gz': broken }))).to.match(/limited to 32 MB of text/);
    const json = `[${'"a",'.repeat(99_999)}"a"]`;
    const six = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`${at}.json`, json]));
    expect(await problem(createZip(six))).to.match(/files of this ZIP have too many rows and values/);
    const nested = `[{"a":[${'{},'.repeat(150_000)}{}]}]`;
    expect(await problem(createZip({ 'a.json': nested, 'b.json': nested }))).to.match(
      /files of this ZIP have too many rows and values/,
    );
    const { tables } = await read(createZip({ 'a.json': json, 'b.json': '["https://a.example/"]' }));
    expect(tables.map(({ rows }) => rows)).to.deep.equal([100_000, 1]);
  });

  it('has limited JSON: its length, its values and the fields of its objects', async () => {
    expect(await problem(`["a${' '.repeat(16 * 1024 * 1024)}"]`)).to.match(/JSON is limited to 16 MB/);
    expect(await problem(`[${'[],'.repeat(500_000)}`)).to.match(/more than 500,000 values/);
    const fields = (from: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 251 }, (_, at) => [`field${from + at}`, 1])));
    expect(await problem(`[${fields(0)},${fields(251)}]`)).to.match(/more than 500 fields/);
    const urls = Object.fromEntries(
      Array.from({ length: 2000 }, (_, at) => [`url${at}`, 'https://a.example/']),
    );
    const { question } = await read(JSON.stringify([urls, urls]));
    expect(question?.about === 'column' && question.columns).to.have.length(500);
    // Its end is invalid. It is not called damaged, so it was rejected before it was parsed.
    expect(await problem(`[{"${'ж'.repeat(16_405)}":1}]x`)).to.match(/a field with a very long name/);
  });

  it('has limited cells, because a short row or object can have many empty ones', async () => {
    const many = /^ListError: This table has more than 5,000,000 cells/;
    const fields = Array.from({ length: 499 }, (_, at) => `"field${at}":1`).join();
    expect(await problem(`[{"url":"a.example",${fields}}${',{}'.repeat(10_001)}]`)).to.match(many);
    expect(
      await problem(`url${',a'.repeat(499)}\n${`a.example${','.repeat(499)}\n`.repeat(10_001)}`),
    ).to.match(many);
    const cell = (at: string, text: string) => `<c r="${at}" t="str"><v>${text}</v></c>`;
    const header = `<row>${cell('A1', 'url')}${cell('B1', 'text')}${cell('SF1', 'other')}</row>`;
    const first = `<row r="2">${cell('A2', 'a.example')}${cell('B2', 'here')}</row>`;
    const linked = (rest: string, links = {}) =>
      createWorkbook([{ name: 'S', rows: header + first + rest, links }]);
    expect(await problem(linked(`<row>${cell('SF3', 'x')}</row>`.repeat(10_001)))).to.match(many);
    const links = { B2: 'https://b.example/' };
    expect(await problem(linked(`<row>${cell('A3', '#')}</row>`.repeat(10_001), links))).to.match(many);
  });

  it('has columns detected by the beginnings of the first cells, because many cells can share a long text', async () => {
    const row = (text: number, count: number) => `<row>${`<c t="s"><v>${text}</v></c>`.repeat(count)}</row>`;
    const long = Array.from({ length: 2_000 }, (_, at) => `site${at}.example`).join(' ');
    const workbook = (count: number) =>
      createWorkbook([{ name: 'S', rows: row(1, count) + row(0, count).repeat(150) + row(2, count) }], {
        'xl/sharedStrings.xml': `<sst><si><t>${long}</t></si><si><t>competitor</t></si><si><t>/</t></si></sst>`,
      });
    const { columns } = await read(workbook(3), { kind: 'keywords', columns: { keyword: 0 } });
    expect(columns[1]).to.deep.equal({
      ...{ index: 1, name: 'competitor', example: long.slice(0, 300), field: 'competitors' },
    });
    const { tables } = readWorkbook(readZip(workbook(500), isWorkbookPart).files);
    expect(tables[0]?.rows).to.have.lengthOf(2);
  });

  it('is rejected for entities of its own, and for endless tags and comments', async () => {
    const damaged = /This workbook is damaged/;
    const sheet = (xml: string) =>
      createWorkbook([{ name: 'S', rows: [] }], { 'xl/worksheets/sheet1.xml': xml });
    expect(
      await problem(sheet('<!DOCTYPE x [<!ENTITY a "b">]><row><c t="str"><v>&a;</v></c></row>')),
    ).to.match(damaged);
    expect(await problem(sheet(`<row><!--${' '.repeat(1_200_000)}--></row>`))).to.match(damaged);
    for (const part of ['<!-', '<a ', '&amp;', 'a="b" '])
      expect(await problem(sheet(`<row ${part.repeat(1_000_000)}`)), part).to.match(damaged);
  });

  const logLine = '1.2.3.4 - - [26/Nov/2026:06:00:00 +0100] "GET /a HTTP/1.1" 200 5 "-" "';
  const shapes: Record<string, (share: number) => string> = {
    'quotes in an access log': (share) =>
      `${logLine}"\n`.repeat(10) + `${logLine}${'\\"'.repeat(30_000 * share)}\n`.repeat(40),
    'long targets in an access log': (share) =>
      `${logLine}"\n`.repeat(10) + `1.2.3.4 - - [1] "GET /${'a'.repeat(30_000 * share)}\n`.repeat(40),
    'versions in an access log': (share) =>
      `${logLine}"\n`.repeat(10) + `1.2.3.4 - - [1] "GET /${' HTTP/'.repeat(8_000 * share)}" x\n`.repeat(10),
    'fields in an access log': (share) =>
      `${logLine}" "a.example"\n`.repeat(10) +
      [' "\\"', ' a', ' ""', '"\\']
        .map((field) => `${logLine}" ${field.repeat(15_000 * share)}\n`.repeat(20))
        .join(''),
    'words in an access log': (share) =>
      `${logLine}"\n`.repeat(10) + `${'a '.repeat(30_000 * share)}\n`.repeat(40),
    'requests of a load balancer': (share) =>
      'h2 "GET https://a.example/ HTTP/1.1"\n'.repeat(10) +
      `${'"GET https://a'.repeat(4_000 * share)}\n`.repeat(40),
    'formulas of links': (share) =>
      `url,a\n${`=HYPERLINK(${' '.repeat(50_000 * share)}"https://a,\n`.repeat(40)}`,
    'words of requests': (share) =>
      `url,a\n${'GET /a HTTP/1.1,\n'.repeat(10)}${`GET ${'a'.repeat(50_000 * share)} HTTP/,\n`.repeat(40)}`,
    // An eighth of the lines is within the limit of entries. Otherwise the reader stops as early in it as in the whole.
    lines: (share) => 'a\n'.repeat(120_000 * share),
    // Longer lines are rejected.
    'URLs in a row': (share) => 'https://a.co '.repeat(5_000 * share),
    'marks over a letter': (share) => `a${'\u0315\u0300'.repeat(30_000 * share)}\n`,
    'a line with a gap': (share) => `a${' '.repeat(40_000 * share)}b${'.bb#'.repeat(6_000 * share)} x`,
    'invisible characters': (share) => `${'\u200b'.repeat(60_000 * share)}a\n`.repeat(40),
    'open tags of bookmarks': (share) =>
      `<!DOCTYPE NETSCAPE-Bookmark-file-1>${'<a href="'.repeat(200_000 * share)}`,
    'nested JSON': (share) => `["a",${'['.repeat(200_000 * share)}`,
    'objects in objects of JSON': (share) =>
      `${'{"a":'.repeat(60_000 * share)}1${'}'.repeat(60_000 * share)}`,
    'lists in lists of JSON': (share) =>
      `${'{"a":[{"b":'.repeat(30_000 * share)}1${'}]}'.repeat(30_000 * share)}`,
    'lists of JSON': (share) =>
      `{${Array.from({ length: 60_000 * share }, (_, at) => `"a${at}":[{"b":"c"}]`).join()}}`,
    'rare nested fields of JSON': (share) =>
      `[${Array.from({ length: 60_000 * share }, (_, at) => `{"a":{"b${at}":1}}`).join()},{"url":"a.example"}]`,
    'columns of a table': (share) =>
      `url${',a'.repeat(400)}\n${`https://a.example/${',b'.repeat(400)}\n`.repeat(2_000 * share)}`,
    'spaces between URLs': (share) => `https://a.example/${' ,'.repeat(30_000 * share)}x\n`.repeat(40),
  };

  for (const [shape, input] of Object.entries(shapes)) {
    it(`takes linear time: ${shape}`, () =>
      expectLinear((text) => read(text, { kind: 'urls', host: 'a.example' }).catch(() => {}), input));
  }

  it('reads each part of a workbook once, and at most 50 sheets', async () => {
    const sheet = { name: 'S', rows: [['url'], ['https://a.example/']] };
    const name = (count: number) => ({
      'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${'<sheet name="S" r:id="rId1"/>'.repeat(count)}</sheets></workbook>`,
    });
    expect((await read(createWorkbook([sheet], name(2)))).tables).to.have.lengthOf(1);
    expect(await problem(createWorkbook([sheet], name(51)))).to.equal(
      'ListError: This workbook has more than 50 sheets. Remove sheets.',
    );
  });

  it('has entries of limited length, which the API still rejects as too long', async () => {
    const strings = [
      'keyword',
      'tag',
      'url',
      'end_page',
      'competitors',
      'shoes',
      'x'.repeat(32_000),
      `1.${'0'.repeat(32_000)}`,
    ];
    const commas = `a.example${','.repeat(32_000)}`;
    const row = (...at: number[]) => `<row>${at.map((one) => `<c t="s"><v>${one}</v></c>`).join('')}</row>`;
    const header = row(0, 1, 2, 3, 4);
    const workbook = (...rows: string[]) =>
      createWorkbook([{ name: 'S', rows: header + rows.join('') }], {
        'xl/sharedStrings.xml': `<sst>${[...strings, commas, 'a.example,b.example'].map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
      });
    const { entries } = await read(workbook(row(6, 6, 6, 7, 8), row(5, 5, 5, 5, 9)), {
      kind: 'keywords',
      columns: { end_page: 'end_page' },
    });
    const cut = 'x'.repeat(4_200);
    expect(entries.map(({ text, rank }) => ({ text, ...rank }))).to.deep.equal([
      {
        ...{ text: cut, tag: cut, end_page: `1.${'0'.repeat(4_198)}` },
        competitors: ['a.example'],
      },
      {
        text: 'shoes',
        tag: 'shoes',
        end_page: 'shoes',
        competitors: ['a.example', 'b.example'],
      },
    ]);
    const long = `https://a.example/${'a'.repeat(20_000)}`;
    const log = `1.2.3.4 - - [1] "GET ${long} HTTP/1.1" 200 5\n`;
    for (const [content, url] of Object.entries({
      [`${long}\n`]: long,
      [`url,n\n${long},1\n`]: long,
      [log.repeat(2)]: long,
    }))
      expect(texts(await read(content, { kind: 'urls' })), content.slice(0, 30)).to.deep.equal([
        url.slice(0, 4_200),
      ]);
  });

  it('is not parsed cell by cell if many cells share a long text', async () => {
    const shared = (text: string) => ({ 'xl/sharedStrings.xml': `<sst><si><t>${text}</t></si></sst>` });
    const cell = (text: string) => `<c t="str"><v>${text}</v></c>`;
    const rows = (count: number, column: string) =>
      `<row>${cell('keyword')}${cell(column)}</row>${`<row>${cell('shoes')}<c t="s"><v>0</v></c></row>`.repeat(count)}`;
    const numbers = createWorkbook(
      [{ name: 'S', rows: rows(2_500, 'end_page') }],
      shared(`1.${'0'.repeat(32_000)}`),
    );
    expect(await problem(numbers, { kind: 'keywords' })).to.match(/The limit is 32 million characters/);
    const list = createWorkbook([{ name: 'S', rows: rows(900, 'competitors') }], shared('a '.repeat(16_000)));
    const { entries } = await read(list, { kind: 'keywords', columns: { competitors: 'competitors' } });
    expect(entries.flatMap(({ rank }) => rank.competitors)).to.have.lengthOf(900 * 11);
    const commas = createWorkbook(
      [{ name: 'S', rows: rows(2_500, 'competitors') }],
      shared(`a.de${','.repeat(32_000)}`),
    );
    expect(await problem(commas, { kind: 'keywords' })).to.match(/The list is too long/);
  });

  it('names many columns alike, which are not compared with each other', async () => {
    const { normalize } = String.prototype;
    let normalized = 0;
    String.prototype.normalize = function (this: string, form?: string) {
      normalized += 1;
      return normalize.call(this, form);
    };
    const [columns, sheets] = [400, 5];
    const row = (text: string) => `<row>${`<c t="str"><v>${text}</v></c>`.repeat(columns)}</row>`;
    try {
      const rows = row('seite') + row('a.example').repeat(2);
      const workbook = createWorkbook(Array.from({ length: sheets }, (_, at) => ({ name: `S${at}`, rows })));
      expect((await read(workbook)).question?.about).to.equal('table');
    } finally {
      String.prototype.normalize = normalize;
    }
    expect(normalized).to.be.within(1, 20 * columns * sheets);
  });

  it('cannot multiply a long text', async () => {
    const workbook = (name: string, count: number) => {
      const row = (at: number) => `<row><c t="s"><v>1</v></c><c t="s"><v>${at}</v></c></row>`;
      const strings = ['long '.repeat(800), 'keyword', name].map((text) => `<si><t>${text}</t></si>`);
      const parts = { 'xl/sharedStrings.xml': `<sst>${strings.join('')}</sst>` };
      return createWorkbook([{ name: 'S', rows: row(2) + row(0).repeat(count) }], parts);
    };
    const tooLong = /The list is too long. The limit is 32 million characters/;
    const text = { kind: 'keywords', columns: { keyword: 'text' } } as const;
    expect((await read(workbook('tag', 8_000), { kind: 'keywords' })).entries).to.have.lengthOf(8_000);
    expect(await problem(workbook('tag', 8_500), { kind: 'keywords' })).to.match(tooLong);
    expect(await problem(workbook('text', 8_500), text)).to.match(tooLong);
  });
});
