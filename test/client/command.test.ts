import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { outcomeOf, runCommand, startCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/service.ts';
import { serveHeld, useSite } from '../support/web.ts';
import { words } from '../support/words.ts';
import { createZip } from '../support/workbook.ts';

describe('the command sonde', () => {
  const service = useService({}, { worker: true });
  const site = useSite();
  let folder: string;
  const home = process.cwd();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sonde-command-'));
    process.chdir(folder);
  });

  after(async () => {
    process.chdir(home);
    await rm(folder, { recursive: true });
  });

  const start = (args: string[], token?: string) =>
    startCommand(args, { baseUrl: service.baseUrl, token, cwd: folder });
  const sonde = (args: string[], token?: string, input = '') =>
    runCommand(args, { baseUrl: service.baseUrl, token }, input);
  const file = async (name: string, lines: string[]) => {
    await writeFile(join(folder, name), lines.join('\n'));
    return name;
  };
  const parseLines = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('checks a file of 120 addresses and writes the results as JSON, CSV and a table', async () => {
    const { token } = await service.account(120);
    const paths = ['/good', '/missing', '/soft', '/moved'];
    const urls = Array.from({ length: 120 }, (_, index) => `${site.url}${paths[index % 4]}?n=${index}`);
    await file('urls.txt', ['# our pages', '', ...urls]);
    const json = await outcomeOf(start(['http', 'urls.txt', '--output', 'out.json'], token));
    expect(json).to.deep.equal({
      out: '',
      problems:
        'Left out 1 comment line that begins with #\n120 URLs, 120 credits\n60 good, 60 bad, 0 failed (refunded)\n',
      code: 1,
    });
    const results = JSON.parse(await readFile(join(folder, 'out.json'), 'utf8'));
    expect(results.map(({ url }: { url: string }) => url)).to.deep.equal(urls);
    const [{ batchId }] = (await service.db.selectFrom('batches').select('batchId').execute()) as [
      { batchId: string },
    ];

    const csv = await sonde(['batch', batchId, '--format', 'csv'], token);
    const rows = parse(csv.out, { columns: true }) as Record<string, string>[];
    expect(rows).to.have.lengthOf(120);
    expect(rows[2]).to.include({ url: urls[2], state: 'success', status: '200', is_soft404: 'true' });

    const table = await sonde(['batch', batchId, '--watch'], token);
    expect([table.code, table.out.split('\n').length]).to.deep.equal([1, 122]);
    expect(table.out)
      .to.match(/^URL +Status {2}Soft 404 {2}Note\n/)
      .and.match(/\?n=1 +404\n/);
    const lines = await sonde(['batch', batchId, '--format', 'ndjson'], token);
    expect(parseLines(lines.out)).to.deep.equal(results);
  });

  it('reads standard input, splits more than 2,000 lines, and exits with 0 if all is good', async () => {
    const { token } = await service.account(11);
    // Invalid lines take no time.
    const lines = Array.from({ length: 2001 }, (_, line) =>
      line % 200 === 0 ? `https://indexed.example/${line}` : `nonsense ${line}`,
    );
    const child = start(['index', '-', '--format', 'ndjson', '--skip-invalid'], token);
    const { out, problems, code } = await outcomeOf(child, lines.join('\n'));
    const summary = '11 good, 0 bad, 0 failed (refunded), 1990 skipped (not charged)\n';
    expect([problems, code]).to.deep.equal([`2,001 URLs, up to 2,001 credits\n${summary}`, 0]);
    expect(parseLines(out).map(({ url }) => url)).to.deep.equal(lines);
    expect(await sonde(['credits'], token)).to.include({ out: '0\n', code: 0 });
  });

  it('ranks one query or several from a CSV', async () => {
    const { token } = await service.account(11);
    await file('two.csv', [
      'keyword,url,end_page,tag',
      '"red ""shoes"", new",rank-7.example,2,=a',
      'hats,nobody.example,1,x;=cmd',
    ]);
    const { out, code } = await sonde(['rank', 'two.csv', '--format', 'csv'], token);
    const rows = parse(out, { columns: true }) as Record<string, string>[];
    expect(rows.map(({ keyword, rank, tag }) => [keyword, rank, tag])).to.deep.equal([
      ['red "shoes", new', '7', "'=a"],
      ['hats', '', "x;'=cmd"],
    ]);
    expect(out).to.contain('"x;\'=cmd"');
    expect(code).to.equal(1);
    await file('one.csv', ['url,keyword', 'rank-3.example,shoes']);
    const one = await sonde(['rank', 'one.csv'], token);
    expect([one.code, one.out.split('\n')[1]]).to.deep.equal([
      0,
      'shoes    rank-3.example  3     https://rank-3.example/',
    ]);
    const unranked = 'nobody.example,hats,rank-3.example';
    const both = 'rank-3.example,shoes,rank-7.example;nobody.example';
    await file('both.csv', ['url,keyword,competitors', unranked, both]);
    const { out: table } = await sonde(['rank', 'both.csv'], token);
    expect(table)
      .to.match(/hats +nobody\.example +not ranked/)
      .and.match(/ Competitors\n.*\n.* {2}rank-7\.example 7; nobody\.example not_searched\n$/);
    await file('full.csv', [
      'url,keyword,competitors,full,end_page',
      'rank-3.example,shoes,nobody.example,true,2',
    ]);
    const { out: csv } = await sonde(['rank', 'full.csv', '--format', 'csv'], token);
    const [full] = parse(csv, { columns: true }) as Record<string, string>[];
    expect(full).to.include({ 'nobody.example': 'not_ranked' });
  });

  it('reads exports of other tools, and reports how it reads them', async () => {
    const { token } = await service.account(20);
    await file('crawl.csv', [
      'Address;Status Code;Title',
      '"https://indexed.example/a";200;A',
      'indexed.example/b;404;B',
    ]);
    const crawl = await sonde(['index', 'crawl.csv', '--format', 'ndjson'], token);
    expect(crawl.problems.split('\n').slice(0, 2)).to.deep.equal([
      'Reading URL from "Address"; not used: "Status Code", "Title"',
      'Added https:// to 1 URL',
    ]);
    expect(parseLines(crawl.out).map(({ url }) => url)).to.deep.equal([
      'https://indexed.example/a',
      'https://indexed.example/b',
    ]);
    await file('queries.csv', ['Top queries,Clicks,Device', 'shoes,5,Smartphone', 'hats,1,']);
    const options = words('--site rank-3.example --country Germany --pages 1-2 --format ndjson');
    const ranks = await sonde(['rank', 'queries.csv', ...options], token);
    const asked = parseLines(ranks.out);
    const of = { target_url: 'rank-3.example', country: 'DE', start_page: 1, end_page: 2 };
    expect(asked[0]).to.include({ keyword: 'shoes', device: 'mobile', ...of });
    expect(asked[1]).to.include({ keyword: 'hats', device: 'desktop', ...of });
  });

  describe('with a file that can be read in several ways', () => {
    const write = async (name: string, content: string | Uint8Array) => {
      await writeFile(join(folder, name), content);
      return name;
    };
    const dryRun = (args: string[]) => sonde([...args, '--dry-run']);

    it('asks with exit code 6, and names the options that decide', async () => {
      const queries = 'Top queries,Clicks\nshoes,3\n';
      const pages = 'Top pages,Clicks\nhttps://a.example/1,3\n';
      await write('pages.zip', createZip({ 'Queries.csv': queries, 'Pages.csv': pages, 'Old.csv': pages }));
      await write(
        'paths.csv',
        '# Property: shop.example - GA4\nLanding page,Sessions\n/shoes,3\n(not set),1\n',
      );
      await write('hosts.csv', 'Site,Path\nb.example,/1\nwww.b.example,/2\n');
      await write('polish.csv', Buffer.from('keyword\nmieszkanie \xb3\xf3d\x9f\n', 'latin1'));
      await write('ranks.csv', 'Keyword,URL\nshoes,https://a.example/1\n');
      await write('commas.txt', 'https://a.example/1,2\n');
      await write('topics.csv', 'Thema;Notiz\nzelt;warm\n');
      const site = ['--site', 'a.example'];
      const runs: Array<[args: string[], asks: RegExp, answer: string[], out: string]> = [
        [
          ['http', 'pages.zip'],
          /--sheet "Pages\.csv" or "Old\.csv"/,
          ['--sheet', 'pages'],
          'https://a.example/1',
        ],
        [
          ['index', 'paths.csv'],
          /--host shop\.example\n.*--column "host=/,
          ['--host', 'shop.example'],
          'https://shop.example/shoes',
        ],
        [
          ['http', 'commas.txt'],
          /--table for https:\/\/a\.example\/1, or --lines for https:\/\/a\.example\/1,2/,
          ['--column', '1'],
          'https://a.example/1',
        ],
        [
          ['index', 'hosts.csv'],
          /--column "Site" or "Path"/,
          ['--column', 'Path', '--column', 'host=Site'],
          'https://b.example/1\nhttps://www.b.example/2',
        ],
        [
          ['rank', 'topics.csv', ...site],
          /columns: Thema \| Notiz\?\n.*--header .*--no-header/,
          ['--header', '--column', 'Thema'],
          '{"url":"a.example","keyword":"zelt"}',
        ],
        [
          ['rank', 'topics.csv', ...site, '--no-header'],
          /--column "column 1" or "column 2"/,
          ['--column', '2'],
          '{"url":"a.example","keyword":"Notiz"}\n{"url":"a.example","keyword":"warm"}',
        ],
        [
          ['rank', 'polish.csv', ...site],
          /--encoding .*\n {2}windows-1250 +mieszkanie łódź/,
          ['--encoding', 'windows-1250'],
          '{"url":"a.example","keyword":"mieszkanie łódź"}',
        ],
        [
          ['rank', 'ranks.csv', ...site],
          /--site is a\.example\.\n.*--column "site=URL"/,
          ['--column', 'site=none'],
          '{"url":"a.example","keyword":"shoes"}',
        ],
      ];
      for (const [args, asks, answer, out] of runs) {
        const asking = await dryRun(args);
        expect([asking.code, asking.out], args.join(' ')).to.deep.equal([6, '']);
        expect(asking.problems).to.match(asks);
        const answered = await dryRun([...args, ...answer]);
        expect([answered.code, answered.out], answered.problems).to.deep.equal([0, `${out}\n`]);
      }
    });

    it('shows with --dry-run how it reads the file, and sends nothing', async () => {
      await write('urls.csv', 'URL;n\nhttps://a.example/;3\n');
      expect((await dryRun(['http', 'urls.csv', '--host', 'shop.example'])).problems).to.contain(
        '\nAdded shop.example to 0 paths\n',
      );
      await write('paths.csv', 'Landing page;Sessions\n/größe;3\n(not set);1\n');
      const { out, problems, code } = await dryRun(['http', 'paths.csv', '--host', 'shop.example']);
      expect([out, code]).to.deep.equal(['https://shop.example/größe\n', 0]);
      expect(problems.split('\n')).to.deep.equal([
        'Reading URL from "Landing page"; not used: "Sessions"',
        'Added shop.example to 1 path',
        'Left out 1 row that is not an entry, such as (not set) or a total',
        'This costs 1 credit. Nothing was sent.',
        '',
      ]);
      await write(
        'pages.zip',
        createZip({
          'Queries.csv': 'Top queries,Clicks\nshoes,3\n',
          'Pages.csv': 'Top pages,Clicks\na.example,3\n',
        }),
      );
      const zip = await dryRun(['watch', 'pages.zip', '--every', 'day']);
      expect([zip.code, zip.out, zip.problems.split('\n')[0]]).to.deep.equal([
        0,
        'https://a.example\n',
        'Reading "Pages.csv"; other tables: "Queries.csv"',
      ]);
      expect(zip.problems).to.match(/\nEach run costs 1 credit\. Nothing was sent\.\n$/);
      const locs = '<sitemap><loc>https://a.example/1.xml</loc></sitemap>';
      const index = `<sitemapindex>${locs}</sitemapindex>`;
      await write('index.zip', createZip({ 'index.xml': index, '1.xml': '<urlset><url>' }));
      const sitemaps = await dryRun(['http', 'index.zip']);
      expect([sitemaps.out, ...sitemaps.problems.split('\n').slice(0, 2)]).to.deep.equal([
        'https://a.example/1.xml\n',
        'Not read: “1.xml”. This sitemap is incomplete: its end is missing. Download it again.',
        'These are sitemaps. To check their pages: sonde sitemap https://a.example/1.xml | sonde http -',
      ]);
      expect(await dryRun(['cancel', 'x'])).to.include({ code: 2 });
      expect(
        await dryRun(['http', await write('photo.jpg', Buffer.from('\xff\xd8\xff\x00', 'latin1'))]),
      ).to.include({
        problems: 'sonde: photo.jpg: This is an image, not a list. Choose a CSV, Excel or text file.\n',
        code: 2,
      });
    });
  });

  it('counts only valid URLs with --dry-run, and reports the invalid ones as the service would', async () => {
    const { token } = await service.account(10);
    await file('mixed.txt', ['a.example', 'TODO', 'info@b.example', 'https://192.168.0.1/']);
    const shown = await sonde(words('http mixed.txt --dry-run'));
    expect([shown.out, shown.code]).to.deep.equal(['https://a.example\n', 2]);
    expect(await sonde(words('http mixed.txt --dry-run --skip-invalid'))).to.include({ code: 0 });
    const [, summary, ...faults] = shown.problems.trim().split('\n');
    expect(summary).to.equal('Invalid: 3 of 4 entries');
    expect(faults.slice(-2)).to.deep.equal([
      'Correct them, or skip them with --skip-invalid.',
      'This costs 1 credit. Nothing was sent.',
    ]);
    const refused = await sonde(words('http mixed.txt'), token);
    const texts = ['TODO', 'info@b.example', 'https://192.168.0.1/'];
    const theirs = refused.problems.split('\n').filter((line) => line.startsWith('  line '));
    expect(faults.slice(0, 3)).to.deep.equal(
      theirs.map((line, index) => line.replace(': ', `: ${texts[index]}: `)),
    );
  });

  it('validates the columns of keywords with --dry-run, and says what only the service validates', async () => {
    const { token } = await service.account(10);
    await file('mixed.csv', [
      'keyword,url,device,country,language,match,start_page,end_page,full,competitors',
      'shoes,a.example,Mobil,Germany,pt-BR,page,1,1,tak,',
      'bags,a.example,,,,,,12,,',
      'hats,co.uk,,,,,,,no,b.example',
      'socks,a.example,watch,,,,,,no,',
      'belts,a.example,,ZZ,,,,,,',
      'coats,a.example,,,xx,,,,,',
      'gloves,a.example,,,de-XX,,,,,',
      'caps,a.example,,AT,de-CH,,,,,',
      'ties,a.example,,,,site,3,2,,',
      'boots,a.example,,,,broad,,,,',
      'shirts,a.example,,,,host,,,yes,',
      'skirts,a.example,,,,host,,,perhaps,',
      `jeans,a.example,,,,,,,,${'b.example '.repeat(11)}`,
    ]);
    const shown = await sonde(words('rank mixed.csv --dry-run'));
    expect([shown.out.trim().split('\n').length, shown.code]).to.deep.equal([3, 2]);
    expect(shown.problems.trim().split('\n').slice(1)).to.deep.equal([
      'Invalid: 10 of 13 entries',
      '  line 3, end_page: 12: Must be a number from 1 to 10.',
      '  line 5, device: watch: Must be desktop or mobile.',
      '  line 6, country: ZZ: Must be a country or its code, such as DE.',
      '  line 7, language: xx: Must be a language that Google supports, such as de or pt-BR.',
      '  line 8, language: de-XX: Must be a language that Google supports, such as de or pt-BR.',
      '  line 9, language: de-CH: Contradicts the country.',
      '  line 10, end_page: 2: Must be `start_page` or more.',
      '  line 11, match: broad: Must be site, host, page or prefix.',
      '  line 13, full: perhaps: Must be yes or no.',
      '  line 14, competitors: b.example,b.example,b.example,b.example,b.example,b.example,b.example,b.example,: Must be 10 or fewer.',
      'Correct them, or skip them with --skip-invalid.',
      'The keywords, sites and cities were not validated. The service does that before it charges.',
      'This costs 3 credits. Nothing was sent.',
    ]);
    const refused = await sonde(words('rank mixed.csv'), token);
    expect([refused.out, refused.code]).to.deep.equal(['', 2]);
    const theirs = [...new Set(refused.problems.match(/line \d+/g))];
    const ours = shown.problems.match(/line \d+/g) ?? [];
    expect(theirs, refused.problems).to.have.members([...ours, 'line 4']);
  });

  it('checks and charges equal entries of the whole list once, and prints the price', async () => {
    const { token, accountId } = await service.account(10);
    // Without duplicates, this list needs one batch instead of three.
    const all = Array.from({ length: 4500 }, (_, index) => `https://indexed.example/${index % 3}`);
    await file('long.txt', all);
    const { out, problems } = await sonde(words('index long.txt --format ndjson'), token);
    expect(problems).to.equal(
      'Left out 4,497 duplicates\n3 URLs, 3 credits\n3 good, 0 bad, 0 failed (refunded)\n',
    );
    expect(parseLines(out).map(({ url }) => url)).to.deep.equal(all.slice(0, 3));
    await file('equal.csv', ['keyword,country,tag', 'shoes,,x', 'shoes,DE,x', 'shoes,,y']);
    const options = words('--site rank-3.example --country Germany --format ndjson');
    const ranks = await sonde(['rank', 'equal.csv', ...options], token);
    expect(ranks.problems.split('\n').slice(1, 3)).to.deep.equal([
      'Left out 1 duplicate',
      '2 keywords, 2 credits',
    ]);
    expect(parseLines(ranks.out).map(({ tag }) => tag)).to.deep.equal(['x', 'y']);
    const same = await sonde(['rank', '-', ...options, '--ai-overview'], token, 'hats\nhats\n');
    expect(same.problems).to.contain('Left out 1 duplicate\n1 keyword, up to 2 credits\n');
    expect(await service.credits(accountId)).to.equal(4);
  });

  it('leaves out equal entries with --dry-run, and keeps the line numbers', async () => {
    const texts = ['https://b.example/', 'https://a.example/', 'https://b.example/', 'TODO', 'TODO'];
    await file('twice.txt', texts);
    const shown = await sonde(words('index twice.txt --dry-run'));
    expect(shown.out).to.equal('https://b.example/\nhttps://a.example/\n');
    expect(shown.problems.split('\n').slice(0, 2)).to.deep.equal([
      'Left out 2 duplicates',
      'Invalid: 1 of 3 entries',
    ]);
    expect(shown.problems).to.contain('line 4: TODO').and.to.contain('This costs 2 credits.');
    const watched = await sonde(words('watch twice.txt --every day --dry-run'));
    expect(watched.problems).to.contain('Each run costs 2 credits.');
    const { token } = await service.account(10);
    await file('later.txt', ['https://b.example/', ...texts]);
    expect((await sonde(words('index later.txt'), token)).problems).to.match(/\n {2}line 5: .*\n(?! )/);
  });

  it('prints the highest price of keywords with --dry-run', async () => {
    await file('keywords.txt', ['shoes', 'hats']);
    const price = async (...args: string[]) =>
      (await sonde([...args, 'keywords.txt', '--site', 'a.example', '--dry-run'])).problems
        .trim()
        .split('\n')
        .at(-1);
    const watch = ['watch', '--type', 'rank', '--every', 'day'];
    expect([
      await price('rank'),
      await price('rank', '--ai-overview'),
      await price(...watch),
      await price(...watch, '--ai-overview'),
    ]).to.deep.equal([
      'This costs 2 credits. Nothing was sent.',
      'This costs up to 4 credits. Nothing was sent.',
      'Each run costs 2 credits. Nothing was sent.',
      'Each run costs up to 4 credits. Nothing was sent.',
    ]);
  });

  it('searches from a city, and in a language with a region', async () => {
    const { token } = await service.account(20);
    await file('cities.csv', ['keyword,location', 'shoes,"Austin, TX"', 'hats,']);
    const options = words('--site rank-3.example --language pt-BR --country PT --format ndjson');
    const { out } = await sonde(['rank', 'cities.csv', ...options.slice(0, 4), ...options.slice(6)], token);
    const [austin, anywhere] = parseLines(out);
    expect(austin).to.include({ location: 'Austin, Texas, United States', language: 'pt-BR' });
    expect(anywhere).to.include({ country: 'BR' }).and.not.have.property('location');
    await file('names.csv', ['keyword,location', 'shoes,Berlin', 'hats,"Austin, TX"']);
    const german = await sonde(
      ['rank', 'names.csv', ...options.slice(0, 2), ...words('--country DE --format ndjson')],
      token,
    );
    const [berlin, texas] = parseLines(german.out);
    expect([berlin?.location, texas?.country]).to.deep.equal(['Berlin, State of Berlin, Germany', 'US']);
    await file('plain.txt', ['shoes', 'hats']);
    const portuguese = await sonde(['rank', 'plain.txt', ...options], token);
    expect(parseLines(portuguese.out)[0]).to.include({ country: 'PT', language: 'pt-BR' });
    const lisbon = await sonde(['rank', 'plain.txt', ...options, '--location', 'Lisbon, Portugal'], token);
    expect(parseLines(lisbon.out)[0]).to.include({
      ...{ location: 'Lisbon, Lisbon, Portugal', country: 'PT', language: 'pt-BR' },
    });
    const ambiguous = await sonde(
      ['rank', 'plain.txt', '--site', 'a.example', '--location', 'Austin'],
      token,
    );
    expect(ambiguous.code).to.equal(2);
    expect(ambiguous.problems).to.contain('Candidates: Austin, Texas, United States');
  });

  it('reports AI Overviews and features on request', async () => {
    const { token, accountId } = await service.account(20);
    await file('ai.csv', ['url,keyword', 'rank-2.example,shoes overview-shown', 'rank-2.example,hats']);
    const options = ['--ai-overview', '--features'];
    const { out } = await sonde(['rank', 'ai.csv', ...options], token);
    expect(out)
      .to.match(/shoes.* {2}cited, source 2\n/)
      .and.to.match(/hats.* {2}not shown\n/);
    expect(await service.credits(accountId)).to.equal(17);
    const csv = await sonde(['rank', 'ai.csv', ...options, '--format', 'csv'], token);
    const rows = parse(csv.out, { columns: true }) as Record<string, string>[];
    expect(rows.map((row) => [row.ai_overview, row.ai_cited, row.features])).to.deep.equal([
      ['shown', 'true', 'ai_overview people_also_ask'],
      ['not_shown', '', 'people_also_ask'],
    ]);
    const watched = await sonde(
      ['watch', 'ai.csv', '--type', 'rank', '--every', 'day', '--ai-overview'],
      token,
    );
    expect(watched.out + watched.problems).to.contain('up to 4 credits per run');
  });

  it('writes the same CSV as the service, for every type', async () => {
    const { token } = await service.account(20);
    await file('http.txt', [`${site.url}/moved`, `${site.url}/soft`, `${site.url}/good`]);
    await file('index.txt', ['https://indexed.example/', 'https://blocked.example/']);
    const query = 'rank-3.example,=shoes,yes,2,rank-7.example;nobody.example';
    await file('rank.csv', ['url,keyword,full,end_page,competitors', query, 'blocked.example,hats,,1,']);
    for (const [command, name] of Object.entries({
      http: 'http.txt',
      index: 'index.txt',
      rank: 'rank.csv',
    })) {
      const { out } = await sonde([command, name, '--format', 'csv', '--reference=-ours'], token);
      const { body } = await service.call('/batches?per_page=1', { token });
      const theirs = await service.call(`/batch/${body.data[0].batch_id}/results.csv`, { token });
      expect(out, command).to.equal(theirs.text);
    }
  });

  it('has an exit code for each kind of error', async () => {
    const { token } = await service.account(1);
    await file('one.txt', ['https://blocked.example/']);
    await file('two.txt', ['https://indexed.example/1', 'https://indexed.example/2']);
    await file('bad.txt', ['shoes']);
    await file('sites.csv', ['keyword,old,new', 'tents,https://a.example/1,https://b.example/2']);
    await file('some.csv', ['keyword,Site', 'shoes,a.example', 'hats,', 'bags,', 'socks,b.example']);
    await file('torn.csv', ['url,keyword', 'a.example,"red shoes']);
    await file('urls.csv', ['https://indexed.example/', 'www.example.com']);
    await file('queries.csv', ['keyword,url,device', 'shoes,a.example,Mobile', 'bags,a.example,tablet']);
    const runs: Array<[args: string[], token: string | undefined, code: number, says: RegExp]> = [
      [[], token, 2, /^Usage: sonde/],
      [['frob'], token, 2, /^sonde: Unknown command frob\. sonde --help/],
      [['rank', 'torn.csv'], token, 2, /torn\.csv: Line 2: a quotation mark is not closed/],
      [
        ['rank', 'urls.csv', '--site', 'a.example'],
        token,
        2,
        /2 keywords in urls\.csv look like URLs.* --as-keywords/,
      ],
      [['rank', 'queries.csv'], token, 2, /line 3, device: /],
      [
        ['rank', 'queries.csv', '--device', 'watch'],
        token,
        2,
        /--device has the invalid value watch\. sonde --help lists the values\./,
      ],
      [['http'], token, 2, /The file is missing/],
      [['http', 'none.txt'], token, 2, /^sonde: none\.txt does not exist\.$/m],
      [['http', '.'], token, 2, /Could not read \. \(EISDIR\)\./],
      [['http', 'two.txt', '--format', 'xml'], token, 2, /table, csv, json, ndjson/],
      [['http', 'two.txt', '--frob'], token, 2, /--frob/],
      [['http', 'bad.txt'], token, 2, /line 1: Not a complete URL/],
      [
        ['rank', 'some.csv'],
        token,
        2,
        /2 keywords have no site, such as line 3\. Fill the column "Site", or use --site with --column "site=Site"/,
      ],
      [
        ['rank', 'sites.csv'],
        token,
        2,
        /missing\. Use --site, or use --column "site=<its name>" if a column has it\./,
      ],
      [['batch', 'x'], token, 2, /No batch with this id/],
      [['credits'], undefined, 3, /SONDE_TOKEN is not set/],
      [['credits'], 'wrong', 3, /This token is invalid/],
      [['index', 'two.txt'], token, 4, /costs 2 credits\. Your balance is [01]\./],
      [['index', 'one.txt'], token, 5, /1 failed \(refunded\)/],
    ];
    const ended = await Promise.all(runs.map(([args, as]) => sonde(args, as)));
    ended.forEach(({ problems, code }, index) => {
      const [args, , wanted, says] = runs[index] as (typeof runs)[number];
      expect(problems, args.join(' ')).to.match(says);
      expect(code, args.join(' ')).to.equal(wanted);
    });
    for (const args of [['--help'], ['http', '--help']]) {
      const { out, code } = await sonde(args);
      expect([code, /Exit codes:/.test(out)]).to.deep.equal([0, true]);
    }
  });

  it('leaves the batch running at Ctrl-C, and prints how to continue', async () => {
    const { token } = await service.account(5);
    const slow = await serveHeld();
    await file('slow.txt', [slow.url]);
    const child = start(['http', 'slow.txt', '--format', 'json'], token);
    const ending = outcomeOf(child);
    const { rows } = await eventually(async () => {
      const found = await service.db
        .selectFrom('batches')
        .select('batchId')
        .where('status', '=', 'processing')
        .execute();
      return found.length > 0 ? { rows: found } : null;
    });
    child.kill('SIGINT');
    const { problems, code } = await ending;
    slow.release();
    expect([code, problems]).to.deep.equal([
      130,
      `1 URL, 1 credit\n\nStill running. See the results with: sonde batch ${rows[0]?.batchId} --watch\n`,
    ]);
    const back = await sonde(['batch', String(rows[0]?.batchId), '--watch', '--format', 'json'], token);
    expect([back.code, JSON.parse(back.out)[0].status]).to.deep.equal([0, 200]);
    await slow.close();
  });

  it('submits nothing if the results cannot be written', async () => {
    const { token, accountId } = await service.account(10);
    await file('one.txt', [`${site.url}/good`]);
    const { code, problems } = await sonde(['http', 'one.txt', '--output', '/nowhere/out.csv'], token);
    expect([code, problems]).to.deep.equal([2, 'sonde: The folder of /nowhere/out.csv does not exist.\n']);
    expect(await service.credits(accountId)).to.equal(10);
  });

  it('names invalid lines and the option that skips them, and fails if all are invalid', async () => {
    const { token } = await service.account(2);
    const lines = (...all: string[]) => all.join('\n');
    const { code, problems } = await sonde(['http', '-'], token, lines(`${site.url}/good`, 'no address'));
    expect(code).to.equal(2);
    expect(problems).to.match(/line 2: .*\n.*--skip-invalid/);
    const none = await sonde(['http', '-', '--skip-invalid'], token, lines('no address', 'nor this'));
    expect(none.code).to.equal(5);
  });
});
