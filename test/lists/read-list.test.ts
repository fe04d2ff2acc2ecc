import { expect } from 'chai';
import { describeLeftOut } from '../../lists/left-out.ts';
import type { List, ListOptions } from '../../lists/list.ts';
import { readList } from '../../lists/read-list.ts';

const read = (text: string, choice?: ListOptions) => readList([text], choice);
const texts = ({ entries }: List) => entries.map(({ text }) => text);
/** Returns the columns that a question offers. */
const offered = ({ question }: List) =>
  question?.about === 'column' ? question.columns.map(({ name }) => name) : null;
const unused = ({ columns }: List) => columns.filter(({ field }) => field === null).map(({ name }) => name);

describe('an ambiguous list', () => {
  it('of words in columns asks whether its first row is a header, and for the column', async () => {
    for (const separator of [',', ';', '\t']) {
      const text = 'Thema,Notiz\nzelt,warm\nschuh,kalt\n'.replaceAll(',', separator);
      const asking = await read(text);
      expect([asking.question, asking.entries]).to.deep.equal([
        { about: 'header', cells: ['Thema', 'Notiz'] },
        [],
      ]);
      expect(offered(await read(text, { hasHeader: true }))).to.deep.equal(['Thema', 'Notiz']);
      const columns = { keyword: 'Thema' };
      expect(texts(await read(text, { hasHeader: true, columns }))).to.deep.equal(['zelt', 'schuh']);
      const without = await read(text, { hasHeader: false, columns: { keyword: 0 } });
      expect(texts(without)).to.deep.equal(['Thema', 'zelt', 'schuh']);
    }
    const sentences = 'tent, warm\nshoe, cold\n';
    expect(texts(await read(sentences))).to.deep.equal(['tent, warm', 'shoe, cold']);
  });

  it('has a header of unknown words above numbers, URLs or dates', async () => {
    const topics = ['zelt', 'schuh', 'hut'];
    const columns: Record<string, string[]> = {
      Suchvolumen: ['1.300', '-', '100 – 1000'],
      Stand: ['2026-11-26', '', '26.11.2026'],
      Preis: ['0,42 €', 'n/a', '12 EUR'],
      Ziel: ['https://a.example/zelt', '/schuh', ''],
    };
    for (const [name, cells] of Object.entries(columns)) {
      const rows = cells.map((cell, index) => `${topics[index]};${cell}`);
      const list = await read(`Thema;${name}\n${rows.join('\n')}\n`, {
        kind: 'keywords',
        columns: { keyword: 'Thema', url: -1 },
      });
      expect([list.question, ...texts(list)], name).to.deep.equal([null, ...topics]);
    }
  });

  it('has no header in a first row with a URL above URLs', async () => {
    for (const text of [
      'https://a.example/1;Tents;Anna\nhttps://a.example/2;Bags;12\nhttps://a.example/3;Hats;7\n',
      'https://a.example/1 Title of page\nhttps://a.example/2 Title of tents\nhttps://a.example/3 Title of hats\n',
      'Tents\twww.a.example/1\tAnna\nBags\twww.a.example/2\t12\nHats\twww.a.example/3\t7\n',
    ]) {
      const list = await read(text, { kind: 'urls', isWhole: false });
      expect([list.question, ...texts(list).map((url) => url.replace('www.', ''))]).to.deep.equal([
        null,
        ...[1, 2, 3].map((number) => `https://a.example/${number}`),
      ]);
    }
    const ranks = 'Keyword,Volume,https://a.example/\ntent,10,3\n';
    expect(texts(await read(ranks))).to.deep.equal(['tent']);
  });

  it('needs to know whether the first row above a few categories is a header', async () => {
    const rows = Array.from({ length: 11 }, (_, at) => `schuhe ${at};Generic`);
    const { question } = await read(`rote schuhe;Brand\n${rows.join('\n')}\n`);
    expect(question).to.deep.equal({ about: 'header', cells: ['rote schuhe', 'Brand'] });
  });

  it('guesses the column of the keywords only if no other has words or unknown URLs', async () => {
    const ask = async (text: string) => (await read(text, { kind: 'keywords' })).question?.about ?? null;
    expect(await ask('Thema;Suchvolumen;Land\nzelt;1.300;DE\nschuh;-;AT\n')).to.equal(null);
    expect(await ask('Seitentitel;Quelle\nZelte;https://a.example/1\nHüte;https://a.example/2\n')).to.equal(
      'column',
    );
  });

  it('needs an answer if a comma may end the address and no header decides', async () => {
    const text = 'https://a.example/p/1,200,OK\nhttps://a.example/p/2,404,Not Found\n';
    expect((await read(text)).question).to.deep.equal({
      about: 'whole',
      cell: 'https://a.example/p/1',
      line: 'https://a.example/p/1,200,OK',
    });
    const table = await read(text, { isWhole: false });
    expect(texts(table)).to.deep.equal(['https://a.example/p/1', 'https://a.example/p/2']);
    expect([table.question, ...unused(table)]).to.deep.equal([null, 'column 2', 'column 3']);
    const lines = await read(text, { isWhole: true });
    expect(texts(lines)).to.deep.equal([
      'https://a.example/p/1,200,OK',
      'https://a.example/p/2,404,Not Found',
    ]);
    expect(lines.question).to.equal(null);
  });

  it('is a table on request, and if its cells are quoted', async () => {
    const sentences = 'tent, warm\nshoe, cold\n';
    expect(texts(await read(sentences))).to.deep.equal(['tent, warm', 'shoe, cold']);
    const columns = { keyword: 'column 1' };
    const table = await read(sentences, { isWhole: false, hasHeader: false, columns });
    expect(texts(table)).to.deep.equal(['tent', 'shoe']);
    const quoted = '"Thema","Notiz"\n"zelt","warm"\n"schuh, rot","kalt"\n';
    expect((await read(quoted)).question).to.deep.equal({ about: 'header', cells: ['Thema', 'Notiz'] });
  });

  it('needs an answer if a bar or semicolon may end the address', async () => {
    for (const text of [
      'https://a.example/c?f=color:red|size:9\nhttps://a.example/c?f=color:blue|size:8\n',
      'https://a.example/a|b|c|d\n',
      'https://a.example/c?f=1;g=2\nhttps://a.example/c?f=2;g=3\n',
    ]) {
      expect((await read(text)).question, text).to.deep.include({ about: 'whole' });
      expect(texts(await read(text, { isWhole: true }))).to.deep.equal(text.trim().split('\n'));
    }
  });

  it('needs an answer if the typed site differs from the column of sites', async () => {
    const text = 'keyword,domain\nshoes,www.a.example\nhats,a.example/\n';
    const withSite = (site: string, columns = {}) => read(text, { kind: 'keywords', site, columns });
    expect((await withSite('https://a.example')).question).to.equal(null);
    expect((await withSite('b.example')).question).to.deep.include({ about: 'value', value: 'b.example' });
    expect((await withSite('b.example', { url: -1 })).entries.map(({ rank }) => rank)).to.deep.equal([
      {},
      {},
    ]);
    const { entries } = await withSite('b.example', { url: 1 });
    expect(entries[0]?.rank).to.deep.equal({ url: 'www.a.example' });
  });

  it('joins hosts and paths of its rows, if the names of both columns are known', async () => {
    const joined = ['https://www.a.example/', 'https://www.a.example/b?c', 'http://blog.a.example/d'];
    const rows = 'www.a.example,/,3\nwww.a.example,/b?c,2\nhttp://blog.a.example/,/d,1\n';
    for (const header of [
      'Hostname,Page path,Views',
      'ClientRequestHost,ClientRequestURI,Bytes',
      'Domain,Path,n',
    ]) {
      const list = await read(`${header}\n${rows}`);
      expect([list.question, ...texts(list)], header).to.deep.equal([null, ...joined]);
      const [host, path] = header.split(',');
      expect(list.columns.map(({ name, field }) => [name, field]).slice(0, 2)).to.deep.equal([
        [host, 'host'],
        [path, 'address'],
      ]);
    }
    const site = await read(`Hostname,Page path\nwww.a.example,/a\n,/b\nwww.a.example,(not set)\n`, {
      host: 'b.example',
    });
    expect(texts(site)).to.deep.equal(['https://www.a.example/a', 'https://b.example/b']);
    expect(site).to.deep.include({ hostsAdded: 1, leftOut: [{ reason: 'placeholder', count: 1 }] });
  });

  it('needs the column of URLs if hosts are beside paths with other names', async () => {
    for (const header of ['Referring domain,Target path,Links', 'Site,Path,n', 'Domain,Folder,Links']) {
      const text = `${header}\na.example,/x,3\nb.example,/y,2\n`;
      const [host = '', path = ''] = header.split(',');
      expect(offered(await read(text, { kind: 'urls' })), header).to.deep.equal([host, path]);
      const hosts = await read(text, { kind: 'urls', columns: { address: host } });
      expect(texts(hosts)).to.deep.equal(['https://a.example', 'https://b.example']);
      const columns = { address: path, host };
      expect(texts(await read(text, { kind: 'urls', columns }))).to.deep.equal([
        'https://a.example/x',
        'https://b.example/y',
      ]);
    }
    const named = 'Host,Path\na.example,/x\nb.example,/y\n';
    const columns = { address: 'Path', host: -1 };
    expect((await read(named, { kind: 'urls', columns })).question?.about).to.equal('host');
    const full = 'Host,Path,Full URL\na.example,/x,https://c.example/x\n';
    expect(texts(await read(full))).to.deep.equal(['https://c.example/x']);
  });

  it('finds its columns below more comments than rows', async () => {
    const comments = [
      '#=====',
      '# Report',
      '"# Date: Nov 1, 2026 - Nov 26, 2026"',
      '#=====',
      '',
      '# Freeform table',
    ];
    const rows = ['https://a.example/,12,9', 'https://a.example/b,8,7'];
    const heads = [',Page Views,Visits', ',Page Views,Visits', 'Page URL,20,16'];
    const table = [...comments, ...heads, ...rows, 'Unspecified,1,1'].join('\n');
    for (const file of [table, table.replaceAll(/^(#.*|"#.*")$/gm, '$1,,')]) {
      const list = await read(file, { kind: 'urls' });
      expect([list.question, list.columns[0]?.field]).to.deep.equal([null, 'address']);
      expect(texts(list)).to.include.members(['https://a.example/', 'https://a.example/b']);
      expect(list.leftOut).to.deep.include({ reason: 'comment', count: 5 });
    }
  });

  it('joins paths without a slash to the host, or asks for it', async () => {
    const host = 'www.a.example';
    const files =
      'index.php\nkatalog.pdf?v=2\nalt/4-personen.html\nwww.b.example\nblog.a.example/c\n//cdn.example/d\n';
    const list = await read(files, { kind: 'urls', host });
    expect(texts(list)).to.deep.equal([
      'https://www.a.example/index.php',
      'https://www.a.example/katalog.pdf?v=2',
      'https://www.a.example/alt/4-personen.html',
      'https://www.b.example',
      'https://blog.a.example/c',
      'https://cdn.example/d',
    ]);
    expect(list).to.include({ hostsAdded: 3, schemesAdded: 3 });

    const lines = 'index.php\nold/index.html?a=1\nhttps://b.example/\n';
    for (const text of [lines, `Datei;Status\n${lines.replaceAll('\n', ';200\n')}`]) {
      const asking = await read(text, { isWhole: text === lines });
      expect(asking).to.deep.include({ kind: 'urls', entries: [] });
      expect(asking.question).to.deep.include({ about: 'host', paths: ['index.php', 'old/index.html?a=1'] });
      expect(texts(await read(text, { isWhole: text === lines, host }))).to.deep.equal([
        'https://www.a.example/index.php',
        'https://www.a.example/old/index.html?a=1',
        'https://b.example/',
      ]);
    }
    const others = 'https://a.example/index.php\na.example/index.php\nindex.php.example\nphp.example\n';
    expect((await read(others, { kind: 'urls' })).question).to.equal(null);
    expect(await read('index.php\nnginx rewrite\n', { kind: 'keywords' })).to.include({ addressLike: 0 });

    const redirects = '1,alt,301,https://a.example/neu\n2,alt/2024,301,https://a.example/\n3,alt.pdf,410,\n';
    for (const header of ['id,source,type,destination', 'id,From,Status,To']) {
      const csv = `${header}\n${redirects}`;
      const [, from = '', , to = ''] = header.split(',');
      expect(offered(await read(csv, { kind: 'urls' }))).to.deep.equal([from, to]);
      const columns = { address: from };
      const asked = await read(csv, { kind: 'urls', columns });
      expect(asked.question).to.deep.equal({
        ...{ about: 'host', paths: ['alt', 'alt/2024', 'alt.pdf'], suggestion: null },
      });
      expect(texts(await read(csv, { kind: 'urls', columns, host }))).to.deep.equal([
        'https://www.a.example/alt',
        'https://www.a.example/alt/2024',
        'https://www.a.example/alt.pdf',
      ]);
    }
    const bare = '1;alt;301;https://a.example/neu\n2;sale;301;https://a.example/\n';
    const chosen = { kind: 'urls', columns: { address: 1 } } as const;
    expect((await read(bare, chosen)).question?.about).to.equal('host');
    expect(texts(await read(bare, { ...chosen, host }))).to.deep.equal([
      'https://www.a.example/alt',
      'https://www.a.example/sale',
    ]);
    const hosts = 'Site,File,n\na.example,index.php,3\nb.example,katalog.pdf,2\n,kontakt.html,1\n';
    const beside = { kind: 'urls', columns: { address: 'File', host: 'Site' } } as const;
    expect((await read(hosts, beside)).question).to.deep.include({ about: 'host', paths: ['kontakt.html'] });
    expect(texts(await read(hosts, { ...beside, host }))).to.deep.equal([
      'https://a.example/index.php',
      'https://b.example/katalog.pdf',
      'https://www.a.example/kontakt.html',
    ]);
  });

  it('offers only columns of words for the keywords', async () => {
    const table = await read(
      'A,B,C,D\nnew,zelt,1,https://a.example/1\nnew,hut,2,https://a.example/2\n'.repeat(2),
      {
        kind: 'keywords',
        hasHeader: true,
      },
    );
    expect(offered(table)).to.deep.equal(['A', 'B']);
  });

  it('has no URLs in a column of texts with a name of URLs', async () => {
    const fault = await read('Page,Volume\nbig tent,10\nred hat,20\n', { kind: 'urls' }).catch(
      (error) => error,
    );
    expect(fault.message).to.equal('No column of this table contains URLs. Its columns are: Page, Volume.');
    const paths = await read('URL,Volume\nold/tent,10\nold/hat,20\n', { kind: 'urls', host: 'a.example' });
    expect(texts(paths)).to.deep.equal(['https://a.example/old/tent', 'https://a.example/old/hat']);
  });

  it('has neither URLs nor keywords, unless the user chose one of them', async () => {
    for (const [kind, what] of [
      [undefined, 'URLs or keywords'],
      ['urls', 'URLs'],
      ['keywords', 'keywords'],
    ] as const) {
      const fault = await read('Day,Clicks\n1,2\n3,4\n', kind ? { kind } : {}).catch((error) => error);
      expect(fault.message).to.equal(
        `No column of this table contains ${what}. Its columns are: Day, Clicks.`,
      );
    }
  });

  it('shows a value of a column as its example', async () => {
    const { columns } = await read('Keyword,URL\nshoes,--\nhats,https://a.example/\n');
    expect(columns[1]?.example).to.equal('https://a.example/');
  });

  it('needs the column of the keywords, and ignores a column on request', async () => {
    const text = 'running shoes;www.example.com;de\nbags;www.example.com;de\n';
    expect((await read(text, { kind: 'keywords' })).question).to.deep.include({
      about: 'column',
      field: 'keyword',
    });
    const list = await read(text, { kind: 'keywords', columns: { keyword: 0, url: -1 } });
    expect(list.entries.map(({ text: keyword, rank }) => [keyword, rank])).to.deep.equal([
      ['running shoes', {}],
      ['bags', {}],
    ]);
    expect(unused(list)).to.deep.equal(['column 2', 'column 3']);
  });
});

describe('a list', () => {
  it('is lines if separators are part of the text', async () => {
    expect(texts(await read('shoes, red\nbags, blue'))).to.deep.equal(['shoes, red', 'bags, blue']);
    const addresses = await read('https://example.com/a,b https://example.com/c, https://example.com/d');
    expect(texts(addresses)).to.deep.equal([
      'https://example.com/a,b',
      'https://example.com/c',
      'https://example.com/d',
    ]);
    expect(addresses.question).to.equal(null);
  });

  it('strips quotes, brackets and commas around addresses, and quotes around keywords', async () => {
    const addresses = '"https://a.example/1",\n\'https://a.example/2\',\n<https://a.example/3>';
    expect(texts(await read(addresses))).to.deep.equal(
      [1, 2, 3].map((number) => `https://a.example/${number}`),
    );
    expect(texts(await read('"running shoes"\n"bags",'))).to.deep.equal(['running shoes', 'bags']);
  });

  it('strips list markers, and commas at the end', async () => {
    for (const [first, second] of ['• ', '- ', '* ']
      .map((mark) => [mark, mark])
      .concat([
        ['1. ', '2. '],
        ['1) ', '2) '],
      ])) {
      expect(texts(await read(`${first}red shoes\n\n${second}bags,\n`)), first).to.deep.equal([
        'red shoes',
        'bags',
      ]);
      const addresses = await read(`${first}https://a.example/1\n${second}b.example/2`);
      expect([addresses.kind, ...texts(addresses)], first).to.deep.equal([
        'urls',
        'https://a.example/1',
        'https://b.example/2',
      ]);
    }
    expect(texts(await read('shoes\nshoes,\n,'))).to.deep.equal(['shoes', 'shoes']);
  });

  it('keeps the lines above a line that contains the name of a column, which is not a header', async () => {
    for (const text of [
      'https://a.example/\nhttps://b.example/\nnot an address',
      'https://a.example/\nhttps://b.example/\nno such url\nhttps://c.example/?d=e\n',
    ])
      expect(texts(await read(text))).to.deep.equal(text.trim().split('\n'));
  });

  it('has URLs up to the first white space, and leaves out the text after them', async () => {
    for (const text of [
      'https://a.example/1 | Tents | Shop\nhttps://a.example/2 | Tents, bags & more\n\nhttps://a.example/3 | Hats\n',
      'https://a.example/1 Tents\nhttps://a.example/2\u00a0Shoes for women\nhttps://a.example/3 Hats, red\n',
      'https://a.example/1 - Tents\nhttps://a.example/2 - Shoes for women\nhttps://a.example/3 - Hats\n',
      '"https://a.example/1" Tents\n<https://a.example/2> Shoes for women\nhttps://a.example/3, Hats\n',
      'https://a.example/1 200\nhttps://a.example/2 301 https://a.example/3 OK, again\n',
    ]) {
      const list = await read(text);
      expect([list.question, ...texts(list)], text).to.deep.equal([
        null,
        ...[1, 2, 3].map((number) => `https://a.example/${number}`),
      ]);
      expect(list.leftOut, text).to.deep.equal([{ reason: 'after_url', count: 3 }]);
      expect(describeLeftOut(list)).to.equal('3 texts after a URL');
    }
    const sites = 'b.example and c.example\nhttps://a.example/1';
    expect(texts(await read(sites, { kind: 'urls' }))).to.deep.equal(sites.split('\n'));
    const sitemap = '<urlset><url><loc>https://a.example/b c</loc></url></urlset>';
    expect(texts(await read(sitemap))).to.deep.equal(['https://a.example/b c']);
    const keywords = 'https://a.example/1 red shoes\nred shoes a.example\nhats\n';
    expect(texts(await read(keywords, { kind: 'keywords' }))).to.deep.equal(keywords.trim().split('\n'));
  });

  it('needs no answer if white space ends the URL before a separator', async () => {
    const list = await read('https://a.example/1 | Tents\nhttps://a.example/2 | Red hats\n');
    expect([list.question, ...texts(list)]).to.deep.equal([
      null,
      'https://a.example/1',
      'https://a.example/2',
    ]);
  });

  it('strips invisible characters around URLs and keywords, and soft hyphens within URLs', async () => {
    for (const list of ['https://a.example/x\u00ady\n', 'URL,Note\nhttps://a.example/x\u00ady,1\n'])
      expect(texts(await read(list))).to.deep.equal(['https://a.example/xy']);
    const sitemap = '<urlset><url><loc>https://a.example/x\u00ady</loc></url></urlset>';
    expect(texts(await read(sitemap))).to.deep.equal(['https://a.example/x\u00ady']);
    expect(texts(await read('keyword,volume\nta\u00adble,1\n'))).to.deep.equal(['ta\u00adble']);
    for (const mark of ['\u200b', '\u2060', '\u200e', '\u00ad', '\ufeff', '\u00a0', '\u202a']) {
      const urls = await read(`${mark}https://a.example/1${mark}\n${mark}b.example${mark} \n`);
      expect(texts(urls), mark).to.deep.equal(['https://a.example/1', 'https://b.example']);
      const table = await read(`keyword,url\nred\u200cshoes${mark},${mark}a.example/\n`);
      expect([table.entries[0]?.text, table.entries[0]?.rank]).to.deep.equal([
        'red\u200cshoes',
        { url: 'a.example/' },
      ]);
    }
  });

  it('of disavowed links has its URLs and its domains, as they are written', async () => {
    const list = await read('# link farms\ndomain:a.example\ndomain:b.example\nhttps://c.example/d\n');
    expect(list).to.include({ kind: 'urls' });
    expect(texts(list)).to.deep.equal(['domain:a.example', 'domain:b.example', 'https://c.example/d']);
  });

  it('may have domains of any script, and paths, which need a host', async () => {
    const domains = 'bergschöne.de\nпример.рф\nxn--e1afmkfd.xn--p1ai/путь\n例え.テスト\n//cdn.example/a\n';
    expect(texts(await read(domains))).to.deep.equal([
      'https://bergschöne.de',
      'https://пример.рф',
      'https://xn--e1afmkfd.xn--p1ai/путь',
      'https://例え.テスト',
      'https://cdn.example/a',
    ]);
    const asking = await read('/\n/a?b=1\nhttps://b.example/c\n');
    expect(asking).to.deep.include({ kind: 'urls', entries: [] });
    expect(asking.question).to.deep.equal({ about: 'host', paths: ['/', '/a?b=1'], suggestion: null });
    const list = await read('/\n/a?b=1\nhttps://b.example/c\n', { host: 'a.example/' });
    expect(list).to.include({ hostsAdded: 2, schemesAdded: 0 });
    expect(texts(list)).to.deep.equal([
      'https://a.example/',
      'https://a.example/a?b=1',
      'https://b.example/c',
    ]);
  });

  it('may have notes above its header, or comments above its lines', async () => {
    const notes =
      'Report,Organic keywords\nDomain,example.com\nDatabase,us\nDevice,desktop\nDate,2026-01-12\n';
    expect(texts(await read(`${notes}Keyword,Position,Volume\nred shoes,3,900\n`))).to.deep.equal([
      'red shoes',
    ]);
    const comments = '# Property: shop.example\n# ----\n#\n';
    expect(texts(await read(`${comments}red shoes\n#hashtag\n`))).to.deep.equal(['red shoes', '#hashtag']);
    expect(texts(await read(`${comments}\nnr,link\n1,https://a.example/\n`))).to.deep.equal([
      'https://a.example/',
    ]);
    expect(texts(await read('shoes\npage\nhats\n'))).to.deep.equal(['shoes', 'page', 'hats']);
  });

  it('keeps a number that belongs to the keyword', async () => {
    expect(texts(await read('1. fc köln\n3. liga'))).to.deep.equal(['1. fc köln', '3. liga']);
    expect(texts(await read('1. fc köln'))).to.deep.equal(['1. fc köln']);
    const advent = ['kerze', '1. advent', '2. advent', 'stern'];
    expect(texts(await read(advent.join('\n')))).to.deep.equal(advent);
    expect(texts(await read('1. hut\n2. zelt\nkarte\n3. liga'))).to.deep.equal([
      'hut',
      'zelt',
      'karte',
      '3. liga',
    ]);
    expect(texts(await read('-5 degrees\n*args'))).to.deep.equal(['-5 degrees', '*args']);
  });

  it('keeps an unreadable value in its row, so that only this row is rejected', async () => {
    const { entries } = await read(
      'keyword,url,device,country\nshoes,a.example,tablet,\nbags,a.example,,Atlantis\nhats,a.example,mobile,\n',
    );
    expect(entries.map(({ rank }) => rank)).to.deep.equal([
      { url: 'a.example', device: 'tablet' },
      { url: 'a.example', country: 'Atlantis' },
      { url: 'a.example', device: 'mobile' },
    ]);
  });

  it('sets options only by columns with the name in the API, if most cells are values of the option', async () => {
    const columns: Record<string, string[]> = {
      Pages: ['4', '2'],
      Seiten: ['1', '1-2'],
      Mobile: ['1', '44'],
      'Last page': ['2', '3'],
      'Match mode': ['host', 'site'],
      'Brd mobile': ['1', '5'],
      match: ['broad', 'page'],
      end_page: ['2', 'all'],
      full: ['yes', '90'],
      include: ['features', 'yes'],
    };
    for (const [name, cells] of Object.entries(columns)) {
      const list = await read(`keyword,${name}\nshoes,${cells[0]}\nhats,${cells[1]}\n`);
      expect(
        list.entries.map(({ text, rank }) => [text, rank]),
        name,
      ).to.deep.equal([
        ['shoes', {}],
        ['hats', {}],
      ]);
      expect(unused(list)).to.deep.equal([name]);
    }
    const some = await read('keyword,full\nshoes,yes\nhats,\nbags,no\nbelts,perhaps\n');
    expect(some.entries.map(({ rank }) => rank)).to.deep.equal([
      ...[{ full: true }, {}, { full: false }, { full: 'perhaps' }],
    ]);
    const { entries } = await read('keyword;Start page;END_PAGE;Match\nshoes;2;3;host\nhats;;1;\n');
    expect(entries.map(({ rank }) => rank)).to.deep.equal([
      { start_page: 2, end_page: 3, match: 'host' },
      { end_page: 1 },
    ]);
  });

  it('reads a column of locations as countries if it has only countries, and drops one that its row repeats', async () => {
    const ranks = async (text: string) => (await read(text)).entries.map(({ rank }) => rank);
    expect(await ranks('keyword,location\npizza,Texas\npizza,Georgia\npizza,Florida\n')).to.deep.equal([
      { location: 'Texas' },
      { location: 'Georgia' },
      { location: 'Florida' },
    ]);
    expect(await ranks('keyword,location\npizza,Texas\npizza,Georgia\n')).to.deep.equal([
      { location: 'Texas' },
      { location: 'Georgia' },
    ]);
    expect(
      await ranks('keyword,country,location\npizza,US,Georgia\npizza,GE,Georgia\npizza,,Germany\n'),
    ).to.deep.equal([{ country: 'US', location: 'Georgia' }, { country: 'GE' }, { location: 'Germany' }]);
  });

  it('keeps the values of two columns that contradict each other, so that the API rejects the row', async () => {
    const { entries } = await read('keyword,country,language\nshoes,DE,de-CH\n');
    expect(entries[0]?.rank).to.deep.equal({ country: 'DE', language: 'de-CH' });
  });

  it('counts the rows above a header', async () => {
    const { leftOut, entries } = await read(
      'Liste\nhttps://a.example/1\nhttps://a.example/2\n# alt\nURL;Status\nhttps://a.example/3;200\n',
    );
    expect(entries.map(({ text }) => text)).to.deep.equal(['https://a.example/3']);
    expect(describeLeftOut({ leftOut, kind: 'urls' })).to.equal(
      '3 rows above the header, 1 comment line that begins with #',
    );
  });

  it('keeps rows of one cell unless blank lines show that they are titles', async () => {
    const rows = ['zelt,100', 'hut', 'schuh,60', 'ring,50', 'rock,40', 'hemd,30'];
    const keywords = rows.map((row) => row.split(',')[0]);
    for (const text of [
      rows.join('\n'),
      rows.join('\n\n'),
      `keyword,volume\n${rows.join('\n').replace('hut', '\nhut')}`,
      rows.join('\n').replace('hut', '\nhut,'),
      rows.map((row) => row.split(',')[0]).join(',\n\n'),
      rows.toSorted().join('\n'),
    ])
      expect(texts(await read(text)), text).to.have.members(keywords);
  });

  it('needs an answer if a comma may end the address below a title', async () => {
    const text = 'Shop\n\nSeiten\nhttps://a.example/1,2\nhttps://a.example/3,4\nhttps://a.example/5,6\n';
    expect((await read(text)).question).to.deep.equal({
      about: 'whole',
      cell: 'https://a.example/1',
      line: 'https://a.example/1,2',
    });
  });

  it('has each URL of a cell', async () => {
    const cells = ['https://a.example/1 https://a.example/2', '"https://a.example/3, https://a.example/4"'];
    const list = await read(`url;note\n${cells.join(';x\n')};y\nhttps://a.example/?u=https://b.example/;z\n`);
    expect(texts(list)).to.deep.equal([
      ...[1, 2, 3, 4].map((page) => `https://a.example/${page}`),
      'https://a.example/?u=https://b.example/',
    ]);
  });

  it('leaves out a line that Analytics writes for a missing value', async () => {
    const { entries, leftOut } = await read('(not set)\nshoes (red)\n(other)\n(what is love)\n');
    expect(entries.map(({ text }) => text)).to.deep.equal(['shoes (red)', '(what is love)']);
    expect(leftOut).to.deep.equal([{ reason: 'placeholder', count: 2 }]);
  });

  it('counts the ignored rows, the added schemes, and the keywords that look like URLs', async () => {
    const lines = await read('https://a.example/\n# not this\nb.example\nc.example/d');
    expect(lines).to.deep.include({ leftOut: [{ reason: 'comment', count: 1 }], schemesAdded: 2 });
    const { leftOut } = await read('url,name\nhttps://a.example/,a\n,b\n(not set),c\n');
    expect(leftOut).to.deep.equal([
      { reason: 'blank', count: 1 },
      { reason: 'placeholder', count: 1 },
    ]);
    expect(await read('https://a.example/\nwww.b.example\nnode.js', { kind: 'keywords' })).to.include({
      addressLike: 2,
    });
  });

  it('leaves out rows of totals, but no keyword with such a name', async () => {
    for (const word of ['Summe', 'Total', 'Gesamt', 'Totals', 'Gesamtergebnis', 'Итого', 'Suma:']) {
      const ads = `Keyword;Typ;Klicks\ngesamt;-;10\nzelt;Exakt;1.300\n${word};--;1.310\n`;
      const list = await read(ads, { kind: 'keywords' });
      expect(texts(list), word).to.deep.equal(['gesamt', 'zelt']);
      expect(list.leftOut).to.deep.equal([{ reason: 'placeholder', count: 1 }]);
      const urls = await read(`Seite;Klicks\nhttps://a.example/;10\n${word};10\n`);
      expect(texts(urls), word).to.deep.equal(['https://a.example/']);
    }
    const metrica = 'Страница входа,Визиты\nИтого и средние,10\nhttps://a.example/,10\n';
    expect(texts(await read(metrica))).to.deep.equal(['https://a.example/']);
    for (const word of ['Всего', 'Итого', 'Summe', 'Total général', 'Łącznie', 'Eindtotaal:', '総計']) {
      const list = await read(`Фраза;Частота;CPC\nпалатка;1 200;0,4\nмешок;310;1\n${word};1 510;\n`, {
        columns: { keyword: 'Фраза' },
      });
      expect(texts(list), word).to.deep.equal(['палатка', 'мешок']);
      expect(list.leftOut).to.deep.equal([{ reason: 'placeholder', count: 1 }]);
    }
    for (const last of ['sum,90', 'total,0', 'Sum: excel,150', 'total,', 'sum up,100', 'sum,100\nhat,2'])
      expect(texts(await read(`keyword,volume\ntotal,60\nexcel,40\n${last}\n`))).to.include(
        last.split(',')[0],
      );
    expect(texts(await read('keyword,volume\nexcel,100\nsum,100\n'))).to.deep.equal(['excel', 'sum']);
    const keywords = ['total', 'excel', 'sum', 'Sum: excel'];
    const rows = keywords.map((keyword) => `${keyword},100\n`).join('');
    expect(texts(await read(`keyword,volume\n${rows}`))).to.deep.equal(keywords);
    expect(texts(await read('zelt\nsumme\n'))).to.deep.equal(['zelt', 'summe']);
  });

  it('has a maximum size', async () => {
    const fault = await read('a\n'.repeat(11), { entriesMax: 10 }).catch((error: Error) => error.message);
    expect(fault).to.equal('The list is too long. The limit is 10 entries. Split it.');
  });

  it('is not read beyond its maximum size', async () => {
    const starts = {
      '<!DOCTYPE NETSCAPE-Bookmark-file-1>': (at: number) => `<a href="https://a.example/${at}">`,
      '<urlset>': (at: number) => `<url><loc>https://a.example/${at}</loc></url>`,
      '': (at: number) => `1.2.3.4 - - [1] "GET /${at} HTTP/1.1" 200 5\n`,
    };
    for (const [start, entry] of Object.entries(starts)) {
      let pieces = 0;
      const produce = function* () {
        for (; pieces < 30; pieces++)
          yield `${pieces === 0 ? start : ''}${Array.from({ length: 2_000 }, (_, at) => entry(pieces * 2_000 + at)).join('')}`;
      };
      const fault = await readList(produce(), { entriesMax: 5_000 }).catch((error: Error) => error.message);
      expect(fault, start).to.equal('The list is too long. The limit is 5,000 entries. Split it.');
      expect(pieces, start).to.be.below(4);
    }
  });
});
