import type { ListKind } from '../../lists/columns.ts';

/** A list as people have it, and what a person means by it. */
export interface RealList {
  name: string;
  /** Where the form of it is described or was seen. */
  source: string;
  bytes: Buffer;
  /** What it is for; by itself where nothing is said. */
  as?: ListKind;
  kind: ListKind;
  /** The line and the text of each entry, and what else its row asks. */
  entries: Array<[line: number, text: string, rank?: object]>;
  unused: string[];
}

const utf8 = (...lines: string[]) => Buffer.from(`${lines.join('\n')}\n`);

/** Made up after the forms of the exports; no row is anybody's. */
export const realLists: RealList[] = [
  {
    name: 'Search Console, performance, pages',
    source: 'Search Console, Performance → Export → Download CSV, Pages.csv',
    bytes: utf8(
      'Top pages,Clicks,Impressions,CTR,Position',
      'https://shop.example/shoes,99,1507,6.57%,5.61',
      '"https://shop.example/shoes?size=9,10",5,"1,310",0.38%,12.08',
    ),
    kind: 'urls',
    entries: [
      [2, 'https://shop.example/shoes'],
      [3, 'https://shop.example/shoes?size=9,10'],
    ],
    unused: ['Clicks', 'Impressions', 'CTR', 'Position'],
  },
  {
    name: 'Search Console, performance, queries',
    source: 'Search Console, Performance → Export → Download CSV, Queries.csv',
    bytes: utf8(
      'Top queries,Clicks,Impressions,CTR,Position',
      'running shoes,42,1310,3.2%,7.4',
      '"shoes, red",1,5,20%,3',
    ),
    kind: 'keywords',
    entries: [
      [2, 'running shoes', {}],
      [3, 'shoes, red', {}],
    ],
    unused: ['Clicks', 'Impressions', 'CTR', 'Position'],
  },
  {
    name: 'Search Console, indexing, in German',
    source: 'Search Console, Page indexing → Export, Tabelle.csv',
    bytes: utf8(
      'URL,Zuletzt gecrawlt',
      'https://shop.example/größe,2026-11-01',
      'https://shop.example/b,2026-11-02',
    ),
    kind: 'urls',
    entries: [
      [2, 'https://shop.example/größe'],
      [3, 'https://shop.example/b'],
    ],
    unused: ['Zuletzt gecrawlt'],
  },
  {
    name: 'Screaming Frog, response codes',
    source: 'screamingfrog.co.uk/seo-spider/user-guide/tabs, Response Codes: all cells quoted, with a mark',
    bytes: utf8(
      '\ufeff"Address","Content Type","Status Code","Status","Indexability","Indexability Status","Inlinks","Response Time","Redirect URL","Redirect Type"',
      '"https://shop.example/","text/html; charset=UTF-8","200","OK","Indexable","","12","0.211","",""',
      '"https://shop.example/old","text/html","301","Moved Permanently","Non-Indexable","Redirected","3","0.093","https://shop.example/new","HTTP Redirect"',
      '"https://shop.example/older","text/html","301","Moved Permanently","Non-Indexable","Redirected","1","0.1","https://shop.example/new","HTTP Redirect"',
    ),
    kind: 'urls',
    entries: [
      [2, 'https://shop.example/'],
      [3, 'https://shop.example/old'],
      [4, 'https://shop.example/older'],
    ],
    unused: [
      ...['Content Type', 'Status Code', 'Status', 'Indexability', 'Indexability Status', 'Inlinks'],
      ...['Response Time', 'Redirect URL', 'Redirect Type'],
    ],
  },
  {
    name: 'Ahrefs, organic keywords, for ranks',
    source: 'Ahrefs, Site Explorer → Organic keywords → Export, UTF-16 with tabs',
    bytes: Buffer.from(
      '\ufeffKeyword\tCountry\tVolume\tKD\tCPC\tCurrent organic traffic\tCurrent position\tCurrent URL\n' +
        'running shoes\tus\t1200\t45\t2.50\t180\t3\thttps://shop.example/shoes\n' +
        'schuhe "rot"\tde\t90\t3\t\t1\t11\thttps://shop.example/rot\n',
      'utf16le',
    ),
    kind: 'keywords',
    entries: [
      [2, 'running shoes', { url: 'https://shop.example/shoes', country: 'US' }],
      [3, 'schuhe "rot"', { url: 'https://shop.example/rot', country: 'DE' }],
    ],
    unused: ['Volume', 'KD', 'CPC', 'Current organic traffic', 'Current position'],
  },
  {
    name: 'Ahrefs, organic keywords, for the pages',
    source: 'the same, where its addresses are to be checked',
    bytes: utf8(
      '"Keyword","Country","Current position","Current URL","Previous URL"',
      '"running shoes","us","3","https://shop.example/shoes","https://shop.example/old"',
    ),
    as: 'urls',
    kind: 'urls',
    entries: [[2, 'https://shop.example/shoes']],
    unused: ['Keyword', 'Country', 'Current position', 'Previous URL'],
  },
  {
    name: 'Semrush, organic research, positions',
    source: 'Semrush, Organic Research → Positions → Export, CSV',
    bytes: utf8(
      'Keyword,Position,Previous position,Search Volume,Keyword Difficulty,CPC,URL,Traffic,Traffic (%),Traffic Cost,Competition,Number of Results,Trends,Timestamp,SERP Features by Keyword,Keyword Intents,Position Type',
      'running shoes,4,5,8100,68,1.20,https://shop.example/shoes,310,1.69,372,0.98,91000000,"[100,82,66]",2026-11-01,"Site links, Reviews",commercial,Organic',
    ),
    kind: 'keywords',
    entries: [[2, 'running shoes', { url: 'https://shop.example/shoes' }]],
    unused: [
      ...[
        'Position',
        'Previous position',
        'Search Volume',
        'Keyword Difficulty',
        'CPC',
        'Traffic',
        'Traffic (%)',
      ],
      ...[
        'Traffic Cost',
        'Competition',
        'Number of Results',
        'Trends',
        'Timestamp',
        'SERP Features by Keyword',
      ],
      ...['Keyword Intents', 'Position Type'],
    ],
  },
  {
    name: 'Semrush, keywords of a database, with semicolons',
    source: 'Semrush API and older exports: semicolons between columns',
    bytes: utf8(
      'database;Keyword;Search Volume;Intent',
      'us;applicant tracking;8100;1,0',
      'uk;hiring tool;10;0',
    ),
    kind: 'keywords',
    entries: [
      [2, 'applicant tracking', { country: 'US' }],
      [3, 'hiring tool', { country: 'UK' }],
    ],
    unused: ['Search Volume', 'Intent'],
  },
  {
    name: 'Sitebulb, URL list',
    source: 'Sitebulb, URL Explorer → Export CSV',
    bytes: utf8(
      'URL,Crawl Depth,HTTP Status Code,HTTP Status,Indexable,Canonical URL',
      'https://shop.example/a,1,200,OK,Yes,https://shop.example/a',
      'https://shop.example/b,2,404,Not Found,No,',
    ),
    kind: 'urls',
    entries: [
      [2, 'https://shop.example/a'],
      [3, 'https://shop.example/b'],
    ],
    unused: ['Crawl Depth', 'HTTP Status Code', 'HTTP Status', 'Indexable', 'Canonical URL'],
  },
  {
    name: 'Google Ads, Keyword Planner',
    source: 'Keyword Planner → Download keyword ideas, .csv: UTF-16, tabs, two lines above the header',
    bytes: Buffer.from(
      '\ufeffKeyword Stats 2026-06-09 at 21_25_18\n"May 1, 2025 - April 30, 2026"\n' +
        'Keyword\tCurrency\tAvg. monthly searches\tCompetition\nrunning shoes\tEUR\t5000\tHigh\n',
      'utf16le',
    ),
    kind: 'keywords',
    entries: [[4, 'running shoes', {}]],
    unused: ['Currency', 'Avg. monthly searches', 'Competition'],
  },
  {
    name: 'a rank list from a German Excel',
    source: 'Excel, Save as → CSV in a German Windows: semicolons, Windows-1252',
    bytes: Buffer.from(
      'Suchbegriff;Domain;Land;Sprache;Gerät;Match;Seiten;Gruppe;Wettbewerber;Notiz\r\n' +
        'Laufschuhe für Mädchen;shop.example;Deutschland;Deutsch;Smartphone;Domain;1-3;Schuhe;a.example, b.example;neu\r\n' +
        'Taschen;https://shop.example/taschen;AT;de;Desktop;Seite;2;Taschen;;\r\n',
      'latin1',
    ),
    kind: 'keywords',
    entries: [
      [
        2,
        'Laufschuhe für Mädchen',
        {
          ...{ url: 'shop.example', country: 'DE', language: 'de', device: 'mobile', match: 'site' },
          ...{ start_page: 1, end_page: 3, tag: 'Schuhe', competitors: ['a.example', 'b.example'] },
        },
      ],
      [
        3,
        'Taschen',
        {
          ...{ url: 'https://shop.example/taschen', country: 'AT', language: 'de', device: 'desktop' },
          ...{ match: 'page', end_page: 2, tag: 'Taschen' },
        },
      ],
    ],
    unused: ['Notiz'],
  },
  {
    name: 'the rank list of the command',
    source: 'client/README.md: the columns of the API',
    bytes: utf8(
      'url,keyword,country,language,start_page,end_page,brd_mobile,match,tag,competitors,full',
      'example.com,red shoes,gb,en,1,2,TRUE,host,week 47,a.example;b.example,yes',
    ),
    kind: 'keywords',
    entries: [
      [
        2,
        'red shoes',
        {
          ...{
            url: 'example.com',
            country: 'GB',
            language: 'en',
            start_page: 1,
            end_page: 2,
            brd_mobile: true,
          },
          ...{ match: 'host', tag: 'week 47', competitors: ['a.example', 'b.example'], full: true },
        },
      ],
    ],
    unused: [],
  },
  {
    name: 'a column copied from a spreadsheet',
    source: 'what a clipboard holds: quotes where a cell has some, domains without a scheme',
    bytes: utf8(
      '"https://shop.example/a,b"',
      'https://shop.example/c',
      '',
      'www.shop.example',
      '# later',
      'shop.example/d',
    ),
    kind: 'urls',
    entries: [
      [1, 'https://shop.example/a,b'],
      [2, 'https://shop.example/c'],
      [4, 'https://www.shop.example'],
      [6, 'https://shop.example/d'],
    ],
    unused: [],
  },
];
