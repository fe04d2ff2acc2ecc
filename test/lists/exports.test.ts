import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { ListOptions, Question } from '../../lists/list.ts';
import { readFile } from '../../lists/read-file.ts';
import { createWorkbook, createZip } from '../support/workbook.ts';

interface Export extends ListOptions {
  file: string | Uint8Array;
  /** The question that is asked first. Default: no question. */
  asks?: Question['about'];
  /** The first choices of the question, or its suggestion. */
  offers?: string[];
  /** The entries, read with `answer` if there is a question. */
  entries: string[];
  answer?: ListOptions;
  leftOut?: number;
  /** The other fields of the rows. Default: none. */
  ranks?: object[];
  /** The lines of the entries, and the columns that are reported as unused. Default: any. */
  lines?: number[];
  unused?: string[];
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; \\"x\\"; +http://www.google.com/bot.html)';
const logOfTwoHosts = (toRest: (host: string) => string) =>
  ['GET /a', 'GET /b', 'GET /b', 'POST /c']
    .map((request) => {
      const rest = toRest(request === 'GET /b' ? 'blog.shop.example' : 'www.shop.example');
      return `203.0.113.0 - - [26/Nov/2026:06:00:00 +0100] "${request} HTTP/1.1" 200 5000 ${rest}\n`;
    })
    .join('');
const urlsOfTwoHosts = ['https://blog.shop.example/b', 'https://www.shop.example/a'];
const azureLines = ['/tents/', '/hats/?size=9'].map((path) =>
  JSON.stringify({
    ...{ time: '2026-11-26T06:00:00.1230000Z', category: 'FrontDoorAccessLog' },
    operationName: 'Microsoft.Cdn/Profiles/AccessLog/Write',
    properties: {
      ...{
        httpMethod: 'GET',
        requestUri: `https://www.shop.example:443${path}`,
        hostName: 'www.shop.example',
      },
    },
  }),
);
const jsonLog = (values: string[], name = 'http_referrer', others = {}) =>
  [
    'GET / HTTP/1.1',
    'GET /tents?a=1 HTTP/1.1',
    'HEAD /tents?a=1 HTTP/2.0',
    'POST /cart HTTP/1.1',
    'GET x HTTP/1.1',
  ]
    .map((request, at) => {
      const line = {
        time: '26/Nov/2026:06:00:00 +0100',
        ...others,
        request,
        status: 200,
        [name]: values[at],
      };
      return JSON.stringify(line);
    })
    .join('\n');
const searchConsoleAnswer = JSON.stringify({
  rows: [
    { keys: ['tents, red', 'https://shop.example/tents', 'deu'], clicks: 3 },
    { keys: ['shop.example', 'https://shop.example/', 'usa'], clicks: 2 },
    { keys: ['tents', 'https://shop.example/tents', 'aut'], clicks: 1 },
  ],
  responseAggregationType: 'byPage',
});

/** Files with the headers of real tools, and invented rows. The comments name the sources of the headers. */
const exports: Record<string, Export> = {
  'Search Console, performance, pages': {
    file: `Top pages,Clicks,Impressions,CTR,Position
https://shop.example/shoes,99,1507,6.57%,5.61
"https://shop.example/shoes?size=9,10",5,"1,310",0.38%,12.08
`,
    entries: ['https://shop.example/shoes', 'https://shop.example/shoes?size=9,10'],
    lines: [2, 3],
    unused: ['Clicks', 'Impressions', 'CTR', 'Position'],
  },
  'Search Console, performance, queries': {
    file: 'Top queries,Clicks,Impressions,CTR,Position\nrunning shoes,42,1310,3.2%,7.4\n"shoes, red",1,5,20%,3\n',
    entries: ['running shoes', 'shoes, red'],
    lines: [2, 3],
    unused: ['Clicks', 'Impressions', 'CTR', 'Position'],
  },
  ...Object.fromEntries(
    Object.entries({
      Dutch: 'Meest uitgevoerde zoekopdrachten,Aantal klikken',
      Portuguese: 'Principais consultas,Cliques',
      Turkish: 'En çok yapılan sorgular,Tıklamalar',
      Chinese: '热门查询,点击次数',
    }).map(([language, header]): [string, Export] => [
      `Search Console in ${language}, a ZIP for ranks`,
      {
        file: createZip({
          'a.csv': `${header}\nshoes,9\nred hats,8\n`,
          'b.csv': 'X,Y\nMobile,9\nDesktop,8\n',
        }),
        kind: 'keywords',
        entries: ['shoes', 'red hats'],
      },
    ]),
  ),
  'Google Trends, related queries: sections with titles': {
    file: 'Kategorie: Alle Kategorien\n\nTOP\nzelt,100\n"zelt, rot",60\nhut,<1\n\nSTEIGEND\nzelt test,Sehr starker Anstieg\nzelt mit led,"+2.300 %"\nwurfzelt,+250 %\n',
    entries: ['zelt', 'zelt, rot', 'hut', 'zelt test', 'zelt mit led', 'wurfzelt'],
    lines: [4, 5, 6, 9, 10, 11],
    leftOut: 3,
  },
  'a workbook of sections with titles': {
    file: createWorkbook([
      {
        name: 'A',
        rows: [
          ['Zelte'],
          [],
          ['TOP'],
          ['zelt', 100],
          ['wurfzelt', 60],
          [],
          ['NEU'],
          ['dachzelt', 5],
          ['zelt test', 4],
          ['zelt kaufen', 3],
        ],
      },
    ]),
    entries: ['zelt', 'wurfzelt', 'dachzelt', 'zelt test', 'zelt kaufen'],
    leftOut: 3,
  },
  'a Markdown table of keywords: aligned and bold': {
    file: `Hier ist die Liste:

| **Keyword** | Volumen | Ziel-URL |
| :${'-'.repeat(30)} | ---: | :---: |
| **zelt** | 2900 | [Link](https://shop.example/z/0) |
| *zelt rot* | 90 | [Zelt (rot)](https://shop.example/z_(1) "Zelt") |
| \`zelt * 2\` | 80 | https://shop.example/z/2 |
| * hut ** | 70 | --- |

**Tipp:** Beginne oben.
`,
    columns: { url: 'Ziel-URL' },
    entries: ['zelt', 'zelt rot', 'zelt * 2', '* hut **'],
    ranks: [
      ...['https://shop.example/z/0', 'https://shop.example/z_(1)', 'https://shop.example/z/2'].map(
        (url) => ({ url }),
      ),
      {},
    ],
    lines: [5, 6, 7, 8],
    leftOut: 1,
  },
  'a Markdown table of pages': {
    file: 'Seite | Inlinks\n--- | ---:\n[Zelt](https://shop.example/z/0) | 3\n[Hut](https://shop.example/z/1) | 4\n',
    entries: ['https://shop.example/z/0', 'https://shop.example/z/1'],
    unused: ['Inlinks'],
  },
  'a table with bars that is not Markdown': {
    file: 'keyword|volume\n**zelt**|1\n-|2\n[hut](x)|3\n',
    entries: ['**zelt**', '[hut](x)'],
    leftOut: 1,
  },
  'a Markdown list of links': {
    file: '# Kaputt\n\n- [Zelt](https://shop.example/z_(0)) - 404\n- [Hut](https://shop.example/h "Hut")\n- https://shop.example/r - 404\n',
    entries: ['https://shop.example/z_(0)', 'https://shop.example/h', 'https://shop.example/r'],
    leftOut: 3,
  },
  'Screaming Frog, response codes: all cells quoted, with a mark': {
    file: `\ufeff"Address","Content Type","Status Code","Status","Indexability","Indexability Status","Inlinks","Redirect URL"
"https://shop.example/","text/html; charset=UTF-8","200","OK","Indexable","","12",""
"https://shop.example/old","text/html","301","Moved Permanently","Non-Indexable","Redirected","3","https://shop.example/new"
"https://shop.example/older","text/html","301","Moved Permanently","Non-Indexable","Redirected","1","https://shop.example/new"
`,
    entries: ['https://shop.example/', 'https://shop.example/old', 'https://shop.example/older'],
    lines: [2, 3, 4],
    unused: [
      ...['Content Type', 'Status Code', 'Status', 'Indexability', 'Indexability Status', 'Inlinks'],
      'Redirect URL',
    ],
  },
  'Ahrefs, organic keywords, for ranks: UTF-16 with tabs': {
    file: utf16(`Keyword\tCountry\tVolume\tKD\tCPC\tCurrent organic traffic\tCurrent position\tCurrent URL
running shoes\tus\t1200\t45\t2.50\t180\t3\thttps://shop.example/shoes
schuhe "rot"\tde\t90\t3\t\t1\t11\thttps://shop.example/rot
`),
    entries: ['running shoes', 'schuhe "rot"'],
    ranks: [
      { url: 'https://shop.example/shoes', country: 'US' },
      { url: 'https://shop.example/rot', country: 'DE' },
    ],
    lines: [2, 3],
    unused: ['Volume', 'KD', 'CPC', 'Current organic traffic', 'Current position'],
  },
  'Ahrefs, organic keywords, for the pages': {
    file: '"Keyword","Country","Current position","Current URL","Previous URL"\n"running shoes","us","3","https://shop.example/shoes","https://shop.example/old"\n',
    kind: 'urls',
    entries: ['https://shop.example/shoes'],
    lines: [2],
    unused: ['Keyword', 'Country', 'Current position', 'Previous URL'],
  },
  'Semrush, keywords of a database, with semicolons': {
    file: 'database;Keyword;Search Volume;Intent\nus;applicant tracking;8100;1,0\nuk;hiring tool;10;0\n',
    entries: ['applicant tracking', 'hiring tool'],
    ranks: [{ country: 'US' }, { country: 'UK' }],
    lines: [2, 3],
    unused: ['Search Volume', 'Intent'],
  },
  'a rank list with locations': {
    file: 'keyword,location\npizza,"Austin, TX"\npizza,Berlin\n',
    entries: ['pizza', 'pizza'],
    ranks: [{ location: 'Austin, TX' }, { location: 'Berlin' }],
    lines: [2, 3],
    unused: [],
  },
  'a rank list with countries in the column of locations': {
    file: 'keyword,location\npizza,Germany\npizza,United States\n',
    entries: ['pizza', 'pizza'],
    ranks: [{ country: 'DE' }, { country: 'US' }],
    lines: [2, 3],
    unused: [],
  },
  'a rank list from a German Excel: semicolons, Windows-1252': {
    file: Buffer.from(
      `Suchbegriff;Domain;Land;Sprache;Gerät;Match;Seiten;Gruppe;Wettbewerber;Notiz\r
Laufschuhe für Mädchen;shop.example;Deutschland;Deutsch;Smartphone;Domain;1-3;Schuhe;a.example, b.example;neu\r
Taschen;https://shop.example/taschen;AT;de;Desktop;Seite;2;Taschen;;\r
`,
      'latin1',
    ),
    entries: ['Laufschuhe für Mädchen', 'Taschen'],
    ranks: [
      {
        ...{ url: 'shop.example', country: 'DE', language: 'de', device: 'mobile', match: 'site' },
        ...{ tag: 'Schuhe', competitors: ['a.example', 'b.example'] },
      },
      {
        ...{ url: 'https://shop.example/taschen', country: 'AT', language: 'de', device: 'desktop' },
        ...{ match: 'page', tag: 'Taschen' },
      },
    ],
    lines: [2, 3],
    unused: ['Seiten', 'Notiz'],
  },
  'the rank list of the command, with the columns of the API': {
    file: `url,keyword,country,language,start_page,end_page,brd_mobile,match,tag,competitors,full
example.com,red shoes,gb,en,1,2,TRUE,host,week 47,a.example;b.example,yes
`,
    entries: ['red shoes'],
    ranks: [
      {
        ...{ url: 'example.com', country: 'GB', language: 'en', start_page: 1, end_page: 2 },
        ...{ brd_mobile: true, match: 'host', tag: 'week 47', full: true },
        competitors: ['a.example', 'b.example'],
      },
    ],
    lines: [2],
    unused: [],
  },
  'a column copied from a spreadsheet: quotes where a cell has some, domains without a scheme': {
    file: '"https://shop.example/a,b"\nhttps://shop.example/c\n\nwww.shop.example\n# later\nshop.example/d\n',
    entries: [
      ...['https://shop.example/a,b', 'https://shop.example/c'],
      ...['https://www.shop.example', 'https://shop.example/d'],
    ],
    lines: [1, 2, 4, 6],
    unused: [],
  },
  // MySQL, SELECT … INTO OUTFILE with FIELDS ENCLOSED BY '"': \" in a cell, \N for null.
  'MySQL, INTO OUTFILE': {
    file:
      '"ID","post_title","guid"\n"1","<a href=\\"https://b.example/\\">x</a>, y\\\nz","https://a.example/?p=1"\n' +
      '"2","Zelt \\"Nallo\\", rot","https://a.example/?p=2"\n"3","C:\\\\","https://a.example/?p=3"\n"4","-",\\N\n',
    entries: ['https://a.example/?p=1', 'https://a.example/?p=2', 'https://a.example/?p=3'],
    leftOut: 1,
    unused: ['ID', 'post_title'],
  },
  // Google Analytics 4, a report with its chart: the data of the chart come before the table.
  'Google Analytics 4, landing pages below a chart': {
    file: `# ----\n# Property: www.shop.example - GA4\n# Start date: 20261101\nNth day,Sessions\n${Array.from(
      { length: 26 },
      (_, day) => `${String(day).padStart(4, '0')},${500 - day}\n`,
    ).join('')}\n# Start date: 20261101\nLanding page,Sessions,Active users\n/shoes,400,300\n/bags,399,299\n`,
    asks: 'host',
    offers: ['www.shop.example'],
    answer: { host: 'www.shop.example' },
    entries: ['https://www.shop.example/shoes', 'https://www.shop.example/bags'],
  },
  // Google Analytics 4, a snapshot: other tables follow below comments.
  'Google Analytics 4, landing pages above other tables': {
    file: `# Property: www.shop.example\n# Date range\nLanding page,Sessions,Active users\n${Array.from(
      { length: 8 },
      (_, at) => `/${at},${20 - at},5\n`,
    ).join(
      '',
    )}\n# Date range\nFirst user source / medium,Active users\n(direct) / (none),8\nbing / organic,1\n\n# Date range\nEvent name,Event count\npage_view,40\n`,
    asks: 'host',
    offers: ['www.shop.example'],
    answer: { host: 'www.shop.example' },
    entries: Array.from({ length: 8 }, (_, at) => `https://www.shop.example/${at}`),
    leftOut: 5,
  },
  'keywords above another table': {
    file: 'Keyword,Clicks\nzelt,9\nhut,8\n\n# Date range\nCountry,Clicks\nGermany,12\nAustria,5\n',
    entries: ['zelt', 'hut'],
    leftOut: 3,
  },
  'keywords in groups below comments': {
    file: 'Keyword,Country,Clicks\nzelt,DE,9\n\n# Hats\nhut,AT,n/a\nmütze,,7\n# Rings\nring,DE,few\n',
    entries: ['zelt', 'hut', 'mütze', 'ring'],
    ranks: [{ country: 'DE' }, { country: 'AT' }, {}, { country: 'DE' }],
  },
  // Power BI, Export data: a total, an empty row, and the filters in one cell.
  'Power BI, a table with its filters': {
    file: createWorkbook([
      {
        name: 'Export',
        rows: [
          ['Keyword', 'Clicks'],
          ['tents', 12],
          ['ropes', 30],
          ['Total', 42],
          [],
          ['Applied filters:\nCountry is DE'],
        ],
      },
    ]),
    entries: ['tents', 'ropes'],
    leftOut: 2,
  },
  // wp-cli, `wp post list --fields=ID,post_title,post_type --format=csv`: "page" is also the name of a column.
  'wp-cli, list of posts': {
    file: 'ID,post_title,post_type\n7,Zelt Ratgeber,post\n9,Impressum,page\n12,Rucksack,post\n15,Kocher,post\n',
    asks: 'column',
    offers: ['post_title', 'post_type'],
    answer: { columns: { keyword: 'post_title' } },
    entries: ['Zelt Ratgeber', 'Impressum', 'Rucksack', 'Kocher'],
  },
  // bazlur36/sanjal, HOW-TO-GET-CRAWLED-NOT-INDEXED-URLS.md; a ZIP has these three files.
  'Search Console, page indexing': {
    file: createZip({
      'Chart.csv': 'Date,Not indexed,Indexed,Impressions\n2026-11-01,829,40,12\n',
      'Table.csv': 'URL,Last crawled\nhttps://shop.example/a,2026-11-01\nhttps://shop.example/b,2026-11-02\n',
      'Metadata.csv': 'Property,Value\nIssue,Crawled - currently not indexed\n',
    }),
    entries: ['https://shop.example/a', 'https://shop.example/b'],
  },
  'Search Console, page indexing, for ranks': {
    file: createZip({
      'Diagramm.csv': 'Datum,Nicht indexiert,Indexiert\n2026-11-01,829,40\n',
      'Kritische Probleme.csv':
        'Grund,Quelle,Validierung,Seiten\nSeite mit Weiterleitung,Website,Nicht gestartet,90\nNicht gefunden (404),Website,Fehlgeschlagen,44\n',
      'Metadaten.csv': 'Eigenschaft,Wert\nSitemap,Alle bekannten Seiten\n',
    }),
    kind: 'keywords',
    asks: 'table',
    offers: ['Kritische Probleme.csv', 'Metadaten.csv'],
    answer: { table: 'Kritische Probleme', columns: { keyword: 'Grund' } },
    entries: ['Seite mit Weiterleitung', 'Nicht gefunden (404)'],
  },
  // Public test of a parser, "Latest links" (Search Console and Bing): bing-webmaster-import.test.mjs
  'Search Console, latest links': {
    file: 'Linking page,Last crawled\nhttps://blog.example/1,2026-11-13\nhttps://blog.example/2,2026-11-14\n',
    entries: ['https://blog.example/1', 'https://blog.example/2'],
  },
  // The same test, KeywordReport
  'Bing Webmaster Tools, keywords': {
    file: '"Keyword","Impressions","Clicks","CTR","Avg. Position"\n"cute calculator","65","2","3.08%","5.9"\n"8 × 8","1","0","0%","4"\n',
    entries: ['cute calculator', '8 × 8'],
  },
  // The same test, AISearchQueriesReport
  'Bing Webmaster Tools, AI queries': {
    file: '"Grounding Query","Intent","Topic","Citations","Citation Share"\n"how to calculate tax","Learn","Taxes","24","21.82%"\n',
    entries: ['how to calculate tax'],
  },
  // Public tests of parsers, "Internal - All" above the header
  'Screaming Frog, internal': {
    file: '"Internal - All"\n"Address","Content Type","Status Code","Indexability","Title 1","Canonical Link Element 1","Redirect URL"\n"https://shop.example/","text/html","200","Indexable","Shop, all","https://shop.example/",""\n"https://shop.example/old","text/html","301","Non-Indexable","","","https://shop.example/new"\n',
    entries: ['https://shop.example/', 'https://shop.example/old'],
  },
  'Screaming Frog, as a workbook': {
    file: createWorkbook([
      {
        name: '1 - Internal',
        rows: [
          ['Address', 'Content Type', 'Status Code', 'Redirect URL'],
          ['https://shop.example/', 'text/html', 200],
          ['https://shop.example/old', 'text/html', 301, 'https://shop.example/new'],
        ],
      },
    ]),
    entries: ['https://shop.example/', 'https://shop.example/old'],
  },
  // Public parsers: UTF-16, tabs, "Current top keyword"
  'Ahrefs, top pages': {
    file: utf16(
      '"URL"\t"Status"\t"Current traffic"\t"Current # of keywords"\t"Keywords"\t"Current top keyword"\t"Current top keyword: Volume"\n"https://shop.example/shoes"\t"new"\t"12"\t"40"\t"41"\t"shoes"\t"900"\n"https://shop.example/hats"\t"lost"\t"1"\t"3"\t"4"\t""\t""\n',
    ),
    entries: ['https://shop.example/shoes', 'https://shop.example/hats'],
  },
  'Ahrefs, best by links': {
    file: utf16(
      '"Page title"\t"Page URL"\t"Referring domains"\t"Dofollow"\t"Nofollow"\t"Page HTTP code"\n"Shoes"\t"https://shop.example/shoes"\t"12"\t"10"\t"2"\t"200"\n',
    ),
    entries: ['https://shop.example/shoes'],
  },
  'Ahrefs, backlinks, where Keywords is a count': {
    file: utf16(
      '"Referring page title"\t"Referring page URL"\t"Language"\t"Keywords"\t"Target URL"\t"Anchor"\n"Blog"\t"https://blog.example/1"\t"de"\t"12"\t"https://shop.example/"\t"shop"\n"Blog 2"\t"https://blog.example/2"\t"de"\t""\t"https://shop.example/"\t""\n',
    ),
    asks: 'column',
    offers: ['Referring page URL', 'Target URL'],
    answer: { columns: { address: 'Referring page URL' } },
    entries: ['https://blog.example/1', 'https://blog.example/2'],
  },
  // Public test of a parser of Backlink Audit exports
  'Semrush, backlinks': {
    file: 'Page ascore,Source title,Source url,Target url,Anchor,External links,Internal links,Nofollow,First seen\n40,"A blog, about shoes",https://blog.example/1,https://shop.example/,shop,4,5,FALSE,2026-01-01\n',
    asks: 'column',
    offers: ['Source url', 'Target url'],
    answer: { columns: { address: 2 } },
    entries: ['https://blog.example/1'],
  },
  // Public test: semrush-overview-adapter.test.ts. Columns are named after sites.
  'Semrush, position tracking': {
    file: [
      'Semrush Position Tracking Rankings Overview',
      'Project,Shoes',
      '',
      'Keyword,Tags,Intents,*.shop.example/*_20260310,*.shop.example/*_20260310_type,*.shop.example/*_20260310_landing,*.rival.example/*_20260310,*.rival.example/*_20260310_landing,*.shop.example/*_difference,Search Volume,CPC',
      'red shoes,primary,commercial,7,organic,https://shop.example/red,4,https://rival.example/red,-3,3200,12.5',
      'blue shoes,primary,commercial,-,local,,2,https://rival.example/blue,1,1900,10.2',
    ].join('\n'),
    entries: ['red shoes', 'blue shoes'],
    ranks: [{ tag: 'primary' }, { tag: 'primary' }],
  },
  'Semrush, positions, beside a typed site': {
    file: 'Keyword,Position,Search Volume,URL,Trends\nred shoes,4,8100,https://shop.example/red,"[1,2]"\nhats,4,8100,https://shop.example/hats,"[1,2]"\n',
    kind: 'keywords',
    site: 'shop.example',
    asks: 'value',
    offers: ['shop.example', 'URL'],
    answer: { columns: { url: -1 } },
    entries: ['red shoes', 'hats'],
  },
  'Semrush, backlinks, for ranks': {
    file: 'Page ascore,Source title,Source url,Target url,Anchor,External links,Nofollow,First seen\n40,"A blog, about shoes",https://blog.example/1,https://shop.example/,shop,4,FALSE,2026-01-01\n12,Another blog,https://blog.example/2,https://shop.example/,shop,4,FALSE,2026-01-01\n3,Third,https://blog.example/3,https://shop.example/,shop,4,FALSE,2026-01-01\n2,Fourth,https://blog.example/4,https://shop.example/,shop,4,FALSE,2026-01-01\n',
    kind: 'keywords',
    asks: 'column',
    offers: ['Source title', 'Anchor', 'Nofollow'],
    answer: { columns: { keyword: 'Source title', url: -1 } },
    entries: ['A blog, about shoes', 'Another blog', 'Third', 'Fourth'],
  },
  'Semrush, keyword gap with one rival, whose pages are not the site to find': {
    file: 'Keyword,Intents,shop.example,rival.example,Volume,rival.example (pages)\ntent,commercial,0,3,880,https://rival.example/tent\nhat,commercial,0,4,880,https://rival.example/hat\n',
    entries: ['tent', 'hat'],
    ranks: [{}, {}],
  },
  'prompts with their sources': {
    file: 'keyword,sources\nbest tent,https://a.example/tents\nbest hat,https://b.example/hats\n',
    entries: ['best tent', 'best hat'],
    ranks: [{}, {}],
  },
  'keywords with a target page or a domain': {
    file: 'Keyword;Ziel-URL\nzelt;https://shop.example/zelt\nhut;https://shop.example/hut\n',
    entries: ['zelt', 'hut'],
    ranks: [{ url: 'https://shop.example/zelt' }, { url: 'https://shop.example/hut' }],
  },
  'keywords with the domain of a customer': {
    file: 'Keyword;Kunde\nzelt;shop.example\nhut;www.other.example\n',
    entries: ['zelt', 'hut'],
    ranks: [{ url: 'shop.example' }, { url: 'www.other.example' }],
  },
  'a content plan, for ranks': {
    file: 'Post Title,Primary Keyword,Secondary Keywords,Post URL\nBest tents,tent,"tents, big tent",https://shop.example/blog/1\nBest hats,hat,,\n',
    entries: ['tent', 'hat'],
    ranks: [{}, {}],
  },
  // Columns listed in a public importer of incoming links
  'Moz Link Explorer, inbound links': {
    file: 'URL,Title,Anchor Text,Spam Score,Page Authority,Domain Authority,Number of Domains Linking to this Page,Origin,Target URL,Link Equity\nhttps://blog.example/1,Blog,shop,1,20,30,4,,https://shop.example/,1\n',
    entries: ['https://blog.example/1'],
  },
  // developer-support.majestic.com/api/commands/download-backlinks.shtml
  'Majestic, backlinks': {
    file: 'Target URL,Source URL,Anchor Text,Source Crawl Date,Source First Found Date,FlagNoFollow,FlagImageLink\nhttps://shop.example/,https://blog.example/1,shop,2026-01-01,2025-01-01,-,-\n',
    asks: 'column',
    offers: ['Target URL', 'Source URL'],
    answer: { columns: { address: 0 } },
    entries: ['https://shop.example/'],
  },
  // Public test of an importer: KeywordPlannerCsvImporterTest.php
  'Google Ads, Keyword Planner': {
    file: utf16(
      'Keyword Stats\r\n"June 1, 2025 - May 31, 2026"\r\nKeyword\tCurrency\tAvg. monthly searches\tThree month change\tCompetition\r\nred shoes\tGBP\t500\t0%\tMedium\r\n',
    ),
    entries: ['red shoes'],
  },
  // Public tests of parsers of this report
  'Google Ads, search terms, with totals': {
    file: 'Search terms report\n"1 September 2026 - 30 September 2026"\nSearch term,Match type,Added/Excluded,Campaign,Keyword,Clicks,Impr.\nred shoes,Phrase match,None,Core,[shoes],214,"3,980"\nTotal: Search terms,--,--,--,--,"2,538","85,650"\n',
    asks: 'column',
    offers: ['Search term', 'Keyword'],
    answer: { columns: { keyword: 'Search term' } },
    entries: ['red shoes'],
    leftOut: 1,
  },
  // Public tests of parsers: comments, an empty line, paths and a total
  'Google Analytics 4, pages': {
    file: '\ufeff# ----------------------------------------\n# Pages and screens\n# Account: Shop\n# Property: www.shop.example - GA4\n# 20260701-20260930\n# ----------------------------------------\n\nPage path and screen class,Views,Active users\n/,12480,4215\n/shoes?a=1,9215,3180\n(other),5,1\nTotal,"21,700","7,396"\n',
    asks: 'host',
    offers: ['www.shop.example'],
    answer: { host: 'www.shop.example' },
    entries: ['https://www.shop.example/', 'https://www.shop.example/shoes?a=1'],
    leftOut: 2,
  },
  'a list that begins with the keyword Redirect 301': {
    file: 'Redirect 301 nginx\nredirect http to https\n',
    entries: ['Redirect 301 nginx', 'redirect http to https'],
  },
  'our own results as NDJSON': {
    file: '{"url":"https://shop.example/a","status":200,"redirects":[{"url":"https://b.example"}]}\n{"url":"https://shop.example/b","status":404,"redirects":[]}\n',
    entries: ['https://shop.example/a', 'https://shop.example/b'],
  },
  'our own result of one URL as NDJSON': {
    file: '{"url":"https://shop.example/a","status":200}\n',
    entries: ['https://shop.example/a'],
  },
  'keywords with their competitors, without a site': {
    file: 'keyword,competitor\nred shoes,a.example\nblue shoes,b.example c.example\n',
    entries: ['red shoes', 'blue shoes'],
    ranks: [{ competitors: ['a.example'] }, { competitors: ['b.example', 'c.example'] }],
  },
  'a rank tracker, with the number of competitors': {
    file: 'Keyword;Position;Wettbewerber;URL\nzelt;2;8;https://shop.example/zelt\nhut;3;12;https://shop.example/hut\n',
    entries: ['zelt', 'hut'],
    ranks: [{ url: 'https://shop.example/zelt' }, { url: 'https://shop.example/hut' }],
  },
  'Search Console, queries in Japanese': {
    file: '上位のクエリ,クリック数,表示回数,CTR,掲載順位\nテント,3,40,7.5%,4.2\n登山靴,1,30,3.3%,6\n',
    entries: ['テント', '登山靴'],
  },
  // learn.microsoft.com/advertising: SearchQueryPerformanceReportColumn
  'Microsoft Ads, search terms': {
    file: '"Report Name: ","Search term report"\n"Rows: ","2"\n""\n"SearchQuery","Keyword","CampaignName","Clicks"\n"red shoes","shoes","Core","3"\n"blue shoes","shoes","Core","2"\n',
    asks: 'column',
    offers: ['SearchQuery', 'Keyword'],
    answer: { columns: { keyword: 'SearchQuery' } },
    entries: ['red shoes', 'blue shoes'],
  },
  // Columns of Ahrefs since 2025: a country beside the location
  'Ahrefs, organic keywords with locations': {
    file: '"Keyword","Country","Location","Volume"\n"red shoes","DE","Germany","9"\n"hats","US","Austin, Texas, United States","8"\n',
    entries: ['red shoes', 'hats'],
    ranks: [{ country: 'DE' }, { country: 'US', location: 'Austin, Texas, United States' }],
  },
  // Public tests of importers
  'Shopify, URL redirects': {
    file: 'Redirect from,Redirect to\n/products/old,/products/new\n/about,/about-us\n',
    asks: 'column',
    offers: ['Redirect from', 'Redirect to'],
    answer: { columns: { address: 0 }, host: 'shop.example' },
    entries: ['https://shop.example/products/old', 'https://shop.example/about'],
  },
  // The plugin's tests: testExportCSV
  'WordPress, Redirection': {
    file: 'source,target,regex,code,type,hits,title,status\n"/1","/unknown",0,301,"url",0,"","active"\n"/2","/b",0,301,"url",4,"","active"\n"/3/(.*)","/c",1,301,"url",4,"","active"\n',
    leftOut: 1,
    asks: 'column',
    offers: ['source', 'target'],
    answer: { columns: { address: 'source' }, host: 'blog.example' },
    entries: ['https://blog.example/1', 'https://blog.example/2'],
  },
  // yoast.com: import and export redirects. Paths have no slash before them.
  'Yoast, redirects': {
    file: 'Origin,Target,Type,Format\nalt,neu/,301,plain\nalt/2024,,410,plain\nalt/3,neu/3,301,plain\n^alt/(.*)$,neu/$1,301,regex\n',
    leftOut: 1,
    kind: 'urls',
    asks: 'column',
    offers: ['Origin', 'Target'],
    answer: { columns: { address: 'Origin' }, host: 'shop.example' },
    entries: ['https://shop.example/alt', 'https://shop.example/alt/2024', 'https://shop.example/alt/3'],
  },
  // rankmath.com: import and export redirections
  'Rank Math, redirections': {
    file: 'id,source,matching,destination,type\n1,alt/,exact,https://shop.example/neu/,301\n2,"alt/(.*)",regex,https://shop.example/$1,301\n',
    kind: 'urls',
    asks: 'column',
    offers: ['source', 'destination'],
    answer: { columns: { address: 'destination' } },
    entries: ['https://shop.example/neu/'],
    leftOut: 1,
  },
  // A public test of an importer of its ZIP
  Plausible: {
    file: createZip({
      'visitors.csv': 'date,visitors,pageviews,visits,bounce_rate\n2026-01-01,10,18,11,40\n',
      'pages.csv': 'name,visitors,pageviews,bounce_rate\n/,12,20,50\n/pricing,4,4,60\n',
      'sources.csv': 'name,visitors,bounce_rate\nDirect / None,5,20\n',
    }),
    asks: 'host',
    offers: [''],
    answer: { host: 'shop.example' },
    entries: ['https://shop.example/', 'https://shop.example/pricing'],
  },
  // A ZIP of the advanced mode: the table, the same per day, and the sums per day
  'YouTube Studio, traffic from other sites': {
    file: createZip({
      'Table data.csv':
        'Traffic source,Source type,Source title,Views\nTotal,,,7\nEXT_URL.blog.example,External,blog.example,4\nEXT_URL.shop.example,External,shop.example,3\n',
      'Chart data.csv':
        'Date,Traffic source,Source type,Source title,Views\n2026-11-01,EXT_URL.blog.example,External,blog.example,1\n2026-11-02,EXT_URL.blog.example,External,blog.example,3\n',
      'Totals.csv': 'Date,Views\n2026-11-01,3\n2026-11-02,4\n',
    }),
    asks: 'column',
    offers: ['Traffic source', 'Source title'],
    answer: { columns: { address: 'Source title' } },
    entries: ['https://blog.example', 'https://shop.example'],
    leftOut: 1,
  },
  // support.google.com/google-ads/editor: one table for campaigns, keywords and ads; only ads have a URL
  'Google Ads Editor, keywords without a final URL': {
    file: utf16(
      'Campaign\tAd Group\tKeyword\tCriterion Type\tFinal URL\nSearch\t\t\t\t\nSearch\tTents\tbuy tents\tExact\t\nSearch\tTents\tred tents\tPhrase\t\nSearch\tTents\t\t\thttps://shop.example/tents\n',
    ),
    kind: 'keywords',
    site: 'shop.example',
    entries: ['buy tents', 'red tents'],
    leftOut: 2,
    unused: ['Campaign', 'Ad Group', 'Criterion Type', 'Final URL'],
  },
  'a table written by hand, with notes after its URLs': {
    file: createWorkbook([
      {
        name: 'Audit',
        rows: [
          ['URL', 'Status'],
          ['https://shop.example/a (à vérifier)', 'new'],
          ['https://shop.example/b - see \u201cc\u201d', 'new'],
          ['https://shop.example/price list 2026.pdf', 'new'],
          ['https://shop.example/my files/d', 'new'],
        ],
      },
    ]),
    entries: [
      ...['https://shop.example/a', 'https://shop.example/b', 'https://shop.example/price list 2026.pdf'],
      'https://shop.example/my files/d',
    ],
    leftOut: 2,
  },
  // Public documentation of feeds of Google and Meta
  'Merchant Center, product feed': {
    file: '# ref_asset_id 1\nid\ttitle\tdescription\tlink\timage_link\tavailability\tprice\tbrand\nTSH1\tRed shirt\tSoft, red\thttps://shop.example/p/1\thttps://cdn.example/1.jpg\tin_stock\t1980 JPY\tB\n',
    entries: ['https://shop.example/p/1'],
  },
  // Headings of a public exporter
  'KWFinder, keywords': {
    file: '"Keyword","Avg. Search Volume (Last 12 months)","Location","Language","Page Bid (Low)"\n"zelt kaufen","1300","Germany","German","0.4"\n',
    entries: ['zelt kaufen'],
    ranks: [{ country: 'DE', language: 'de' }],
  },
  // Public documentation of an importer
  'Helium 10, Cerebro': {
    file: 'Keyword,Search Volume,Cerebro IQ Score\nwireless earbuds,450000,8\nbluetooth earbuds,320000,7\n',
    entries: ['wireless earbuds', 'bluetooth earbuds'],
  },
  // The same documentation
  'Data Dive': {
    file: 'Phrase,Search Volume,Competition\nwireless earbuds,450000,high\n',
    entries: ['wireless earbuds'],
  },
  // A report in a public repository
  'Google Ads, keywords with match types': {
    file: utf16(
      'Keyword report (Apr 1, 2026-Apr 30, 2026)\nKeyword state\tKeyword\tAd group\tMax. CPC\tClicks\nenabled\tred shoes\tshoes\t0.30\t231\nenabled\t[red hats]\tshoes\t0.30\t2\nenabled\t"""blue shoes"""\tshoes\t0.24\t2\nTotal\t--\t--\t--\t235\n',
    ),
    entries: ['red shoes', 'red hats', 'blue shoes'],
    leftOut: 1,
  },
  'Google Ads, search terms in German, with totals': {
    file: 'Bericht "Suchbegriffe"\n1. September 2026 - 30. September 2026\nSuchbegriff,Keyword-Option,Kampagne,Klicks,Impr.\nrote schuhe,Wortgruppe,Core,214,"3.980"\nGesamt: Suchbegriffe, --, --,"2.538","85.650"\nGesamt: Konto, --, --,"2.538","85.650"\n',
    entries: ['rote schuhe'],
    leftOut: 2,
  },
  // developer.wordpress.org: WXR
  'WordPress, export of posts': {
    file: '<?xml version="1.0" encoding="UTF-8" ?>\n<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel><link>https://blog.example</link><item><link>https://blog.example/a/</link></item></channel></rss>',
    entries: ['https://blog.example/a/'],
  },
  // developer.matomo.org/api-reference/reporting-api, Actions.getPageUrls
  'Matomo, page URLs': {
    file: utf16(
      'label,nb_visits,nb_hits,bounce_rate,url\n/shoes,12,14,30%,https://shop.example/shoes\n/hats,2,4,30%,https://shop.example/hats\n',
    ),
    entries: ['https://shop.example/shoes', 'https://shop.example/hats'],
  },
  'Matomo, page URLs, for ranks': {
    file: utf16(
      'Label,Pageviews,Bounce Rate,Avg. time on page,Metadata: url,Metadata: segment\nindex,812,41%,00:00:51,https://shop.example/,pageUrl==https%253A%252F%252Fshop.example\nshoes/winter,12,30%,00:00:31,https://shop.example/shoes/winter,pageUrl==x\n',
    ),
    kind: 'keywords',
    asks: 'column',
    offers: ['Label', 'Metadata: segment'],
    answer: { columns: { keyword: 'Label' } },
    entries: ['index', 'shoes/winter'],
  },
  'Sitebulb, URLs': {
    file: '"URL","Crawl Depth","Crawl Status","HTTP Status Code","Canonical URL"\n"https://shop.example/a","1","Success","200","https://shop.example/a"\n',
    entries: ['https://shop.example/a'],
  },
  // github.com/internetarchive/wayback, wayback-cdx-server/README.md
  'Wayback Machine, CDX as text': {
    file: 'example,shop)/ 20130919044612 http://shop.example:80/ text/html 200 HT2DYGA5UKZCPBSFVCV3JOBXGW2G5UUA 1792\nexample,shop)/a 20140919044612 http://shop.example/a text/html 404 B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A 1090\n',
    entries: ['http://shop.example:80/', 'http://shop.example/a'],
  },
  // learn.microsoft.com: Netscape Bookmark File Format
  'bookmarks of a browser': {
    file: '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<!-- This is an automatically generated file. -->\n<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">\n<TITLE>Bookmarks</TITLE>\n<DL><p>\n<DT><H3 ADD_DATE="1">Bar</H3>\n<DL><p>\n<DT><A HREF="https://shop.example/?a=1&amp;b=2" ADD_DATE="1" ICON="data:image/png;base64,AA">Shop</A>\n<DT><A HREF="place:sort=8">Recent</A>\n<DT><a href="javascript:alert(1)">x</a>\n</DL><p></DL>',
    entries: ['https://shop.example/?a=1&b=2'],
    leftOut: 2,
  },
  // nginx.org/en/docs/http/ngx_http_log_module.html, "combined"
  'nginx, access log': {
    file: '203.0.113.7 - anna [26/Nov/2026:06:00:00 +0100] "GET /a HTTP/2.0" 200 512 "-" "curl/8"\n2001:db8::1 - - [26/Nov/2026:06:00:01 +0100] "GET /b HTTP/1.1" 404 12 "https://shop.example/a" "x \\"y\\""\n203.0.113.7 - - [26/Nov/2026:06:00:00 +0100] "GET /b HTTP/2.0" 200 512 "-" "curl/8"\n',
    asks: 'host',
    offers: ['shop.example'],
    answer: { host: 'shop.example' },
    entries: ['https://shop.example/b', 'https://shop.example/a'],
  },
  // Configurations of AWStats for 1&1: %bytesd %virtualname %refererquot %uaquot %otherquot
  'IONOS, access log': {
    file: logOfTwoHosts((host) => `${host} "-" "${bot}" "-"`),
    entries: urlsOfTwoHosts,
    leftOut: 1,
  },
  'STRATO, access log': {
    file: logOfTwoHosts((host) => `"${host}" "https://www.google.com/" "${bot}" "-"`),
    entries: urlsOfTwoHosts,
    leftOut: 1,
  },
  // hosteurope.de/faq/webhosting/webhosting-logfiles/aufbau-logfiles
  'All-Inkl and Host Europe, access log': {
    file: logOfTwoHosts((host) => `"https://www.google.com/" "${bot}" "${host}"`),
    entries: urlsOfTwoHosts,
    leftOut: 1,
  },
  // github.com/matomo-org/matomo-log-analytics, the format ovh
  'OVH, access log': {
    file: logOfTwoHosts(() => `"-" "${bot}"`).replaceAll(/ - - (.*"[A-Z]+ (\S+) .*)/g, (_, rest, path) => {
      return ` ${path === '/b' ? 'blog.shop.example' : 'www.shop.example'} - ${rest}`;
    }),
    entries: urlsOfTwoHosts,
    leftOut: 1,
  },
  'an access log with hosts that clients sent': {
    file: [...Array.from({ length: 3 }, () => ['-', '-']), ['bad.example', 'bad.example']]
      .map(
        ([referrer, address]) =>
          `192.0.2.1 - - [26/Nov/2026:06:00:00 +0100] "GET /a HTTP/1.1" 200 5 "${referrer}" "bad.example" "${address}"\n`,
      )
      .join(''),
    asks: 'host',
    offers: [''],
    answer: { host: 'shop.example' },
    entries: ['https://shop.example/a'],
  },
  // learn.microsoft.com: IIS, W3C logging; a restart writes the fields again
  'IIS, access log': {
    file: `${[
      '#Software: Microsoft Internet Information Services 10.0',
      '#Version: 1.0',
      '#Date: 2026-11-26 00:00:01',
      '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port c-ip cs(User-Agent) cs(Referer) sc-status',
      '2026-11-26 00:00:01 10.0.0.4 GET / - 443 203.0.113.7 Mozilla/5.0+(x) - 200',
      '2026-11-26 00:00:02 10.0.0.4 GET /Tent.aspx id=4&color=red 443 203.0.113.7 Mozilla/5.0+(x) https://shop.example/ 200',
      '2026-11-26 00:00:03 10.0.0.4 GET /Tent.aspx id=4&color=red 443 203.0.113.7 Mozilla/5.0+(x) - 200',
      '#Fields: date time cs-method cs-uri-stem',
      '2026-11-26 00:00:04 POST /cart',
      '2026-11-26 00:00:05 HEAD /hats',
    ].join('\r\n')}\r\n`,
    asks: 'host',
    offers: ['shop.example'],
    answer: { host: 'shop.example' },
    entries: [
      'https://shop.example/Tent.aspx?id=4&color=red',
      'https://shop.example/',
      'https://shop.example/hats',
    ],
    leftOut: 1,
  },
  // developers.cloudflare.com/logs, Logpush
  'Cloudflare, HTTP requests': {
    file: gzipSync(
      ['/', '/tents?size=9', '/hats']
        .map((path, at) =>
          JSON.stringify({
            ...{ ClientIP: '192.0.2.1', ClientRequestHost: `${at === 2 ? 'blog' : 'www'}.shop.example` },
            ...{ ClientRequestMethod: 'GET', ClientRequestURI: path, EdgeResponseStatus: 200 },
          }),
        )
        .join('\n'),
    ),
    entries: [
      'https://www.shop.example/',
      'https://www.shop.example/tents?size=9',
      'https://blog.shop.example/hats',
    ],
  },
  // learn.microsoft.com/azure/frontdoor/standard-premium/how-to-logs
  'Azure Front Door, access log of a storage account': {
    file: azureLines.join('\n'),
    entries: ['https://www.shop.example:443/tents/', 'https://www.shop.example:443/hats/?size=9'],
    unused: ['time', 'category', 'operationName', 'properties.httpMethod', 'properties.hostName'],
  },
  'Azure Front Door, access log of an event hub': {
    file: `{"records":[${azureLines.join()}]}`,
    entries: ['https://www.shop.example:443/tents/', 'https://www.shop.example:443/hats/?size=9'],
  },
  // caddyserver.com/docs/logging
  'Caddy, access log': {
    file: ['/', '/tents?size=9']
      .map((uri) =>
        JSON.stringify({
          ...{ level: 'info', logger: 'http.log.access', msg: 'handled request' },
          request: { remote_ip: '192.0.2.1', proto: 'HTTP/2.0', method: 'GET', host: 'shop.example', uri },
        }),
      )
      .join('\n'),
    entries: ['https://shop.example/', 'https://shop.example/tents?size=9'],
  },
  // nginx.org: ngx_http_log_module, with the variables that most JSON formats name
  'nginx, access log in JSON': {
    file: jsonLog(['', '', 'https://www.google.com/', 'https://www.google.com/', '']),
    asks: 'host',
    offers: [''],
    answer: { host: 'shop.example' },
    entries: ['https://shop.example/', 'https://shop.example/tents?a=1', 'https://shop.example/tents?a=1'],
    lines: [1, 2, 3],
    leftOut: 2,
    unused: ['time', 'status', 'http_referrer'],
  },
  'nginx, access log in JSON with requests that are not HTTP': {
    file: [
      ...[
        'GET /a HTTP/1.1',
        String.raw`\x16\x03\x01\x02\x00\x01`,
        '\u0016\u0003\u0001',
        'SSH-2.0-Go',
        'GET /b HTTP/1.1',
      ],
      ...['GET /b HTTP/1.1', 't3 12.1.2', 'HEAD /a HTTP/1.1', 'GET /c HTTP/1.1', 'https://shop.example/d'],
    ]
      .map((request) => JSON.stringify({ time: '26/Nov/2026:06:00:00 +0100', request, status: 400 }))
      .join('\n'),
    asks: 'host',
    offers: [''],
    answer: { host: 'shop.example' },
    entries: ['/a', '/b', '/b', '/a', '/c', '/d'].map((path) => `https://shop.example${path}`),
    leftOut: 4,
  },
  'nginx, access log in JSON with hosts, beside the name of the server': {
    file: jsonLog(['a.example', 'b.example', 'b.example', 'b.example', ''], 'http_host', {
      hostname: 'web-1.shop.example',
    }),
    entries: ['https://a.example/', 'https://b.example/tents?a=1', 'https://b.example/tents?a=1'],
    leftOut: 2,
    unused: ['time', 'hostname', 'status'],
  },
  'nginx, access log in JSON, with the other column chosen': {
    file: jsonLog(['', '', 'https://www.google.com/', '', '']),
    columns: { address: 'http_referrer' },
    entries: ['https://www.google.com/'],
    leftOut: 4,
  },
  'a table of requests': {
    file: 'Request,Hits\nGET /a HTTP/1.1,3\nHEAD https://b.example:443/ HTTP/2.0,1\nCONNECT b.example:443 HTTP/1.1,1\n',
    asks: 'host',
    offers: [''],
    answer: { host: 'shop.example' },
    entries: ['https://shop.example/a', 'https://b.example:443/'],
    leftOut: 1,
    unused: ['Hits'],
  },
  // docs.docker.com/engine/logging/drivers/json-file
  'Docker, access log of nginx below its messages': {
    file: [
      ...Array.from({ length: 12 }, (_, at) => `/docker-entrypoint.sh: message ${at}`),
      '203.0.113.7 - - [26/Nov/2026:06:00:00 +0100] "GET /a HTTP/1.1" 200 512 "https://shop.example/" "curl/8"',
      '2026/11/26 06:00:00 [error] 7#7: *1 open() "/b" failed',
      '203.0.113.7 - - [26/Nov/2026:06:00:01 +0100] "POST /c HTTP/1.1" 200 512 "-" "curl/8"',
    ]
      .map(
        (line) => `${JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: '2026-11-26T06:00:00Z' })}\n`,
      )
      .join(''),
    asks: 'host',
    offers: ['shop.example'],
    answer: { host: 'shop.example' },
    entries: ['https://shop.example/a'],
    leftOut: 14,
  },
  // docs.aws.amazon.com: access logs for your Application Load Balancer
  'AWS Application Load Balancer, access log': {
    file: ['GET https://shop.example:443/ HTTP/1.1', 'POST https://shop.example:443/cart HTTP/1.1', '- - - ']
      .map(
        (request) =>
          `https 2026-11-26T06:00:05.166351Z app/shop/50dc6c495c0c9188 192.0.2.1:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "${request}" "Mozilla/5.0 (compatible)" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:1 "Root=1-58337281" "shop.example" "arn:aws:acm" 1 2026-11-26T06:00:04.364000Z "forward" "-" "-"\n`,
      )
      .join(''),
    entries: ['https://shop.example:443/'],
    leftOut: 2,
  },
  // phpMyAdmin, plugins/export/ExportJson.php: objects for the file, the database and each table
  'phpMyAdmin, JSON': {
    file: `[
{"type":"header","version":"5.2.1","comment":"Export to JSON plugin for PHPMyAdmin"},
{"type":"database","name":"blog"},
{"type":"table","name":"wp_yoast_indexable","database":"blog","data":
[
{"id":"1","permalink":"https://blog.example/1/","title":null},
{"id":"2","permalink":"https://blog.example/2/","title":"Tents"}
]
}
]`,
    entries: ['https://blog.example/1/', 'https://blog.example/2/'],
    unused: ['id', 'title'],
  },
  // developers.google.com/webmaster-tools/v1/searchanalytics/query
  'Search Console API, queries and pages': {
    file: searchConsoleAnswer,
    kind: 'urls',
    entries: ['https://shop.example/tents', 'https://shop.example/', 'https://shop.example/tents'],
    unused: ['keys 1', 'keys 3', 'clicks'],
  },
  'Search Console API, queries and pages, for ranks': {
    file: searchConsoleAnswer,
    kind: 'keywords',
    asks: 'column',
    offers: ['keys 1', 'keys 3'],
    answer: { columns: { keyword: 'keys 1', url: 'keys 2', country: 'keys 3' } },
    entries: ['tents, red', 'shop.example', 'tents'],
    ranks: [
      { url: 'https://shop.example/tents', country: 'DE' },
      { url: 'https://shop.example/', country: 'US' },
      { url: 'https://shop.example/tents', country: 'AT' },
    ],
  },
  // Bookmarks are nodes of a tree of folders.
  'Firefox, backup of the bookmarks': {
    file: JSON.stringify({
      ...{ title: '', type: 'text/x-moz-place-container', root: 'placesRoot' },
      children: [
        {
          ...{ title: 'menu', type: 'text/x-moz-place-container' },
          children: [
            { title: 'Tents', type: 'text/x-moz-place', uri: 'https://shop.example/tents' },
            { title: 'Recent tags', type: 'text/x-moz-place', uri: 'place:type=6' },
            { title: 'more', children: [{ title: 'Hats', uri: 'https://shop.example/hats' }] },
          ],
        },
      ],
    }),
    entries: ['https://shop.example/tents', 'https://shop.example/hats'],
    leftOut: 1,
  },
  // chromium.org: components/bookmarks/browser/bookmark_codec.cc
  'Chrome, the bookmarks of a profile': {
    file: JSON.stringify({
      checksum: 'b0d1',
      roots: {
        bookmark_bar: {
          ...{ id: '1', name: 'Bookmarks bar', type: 'folder' },
          children: [
            {
              ...{ id: '5', name: 'Shop', type: 'folder' },
              children: [
                { id: '6', name: 'Tents', type: 'url', url: 'https://shop.example/tents' },
                { id: '7', name: 'Tool', type: 'url', url: 'javascript:alert(1)' },
                { children: [{ id: '9', type: 'url', url: 'https://shop.example/hats' }], type: 'folder' },
              ],
            },
          ],
        },
        other: { children: [{ id: '10', type: 'url', url: 'https://other.example/' }], type: 'folder' },
        synced: { children: [], id: '3', name: 'Mobile bookmarks', type: 'folder' },
      },
      version: 1,
    }),
    entries: ['https://shop.example/tents', 'https://shop.example/hats', 'https://other.example/'],
    leftOut: 1,
  },
  // support.google.com/google-ads: -- is an empty cell
  'Google Ads, search keywords, for ranks': {
    file: 'Search keyword,Match type,Final URL,Device\nshoes,Exact,--,--\nhats,Broad,https://shop.example/hats,Mobile\nboots,Broad,--,-\n',
    entries: ['shoes', 'hats', 'boots'],
    ranks: [{}, { url: 'https://shop.example/hats', device: 'mobile' }, {}],
  },
  'Google Ads, search keywords, for ranks of a typed site': {
    file: 'Search keyword,Final URL\nshoes,--\nhats,https://shop.example\n',
    site: 'shop.example',
    entries: ['shoes', 'hats'],
    ranks: [{}, { url: 'https://shop.example' }],
  },
  // github.com/TYPO3/typo3: the table sys_redirect
  'TYPO3, redirects': {
    file: '"source_host","source_path","target","target_statuscode"\n"*","/alt/","https://shop.example/neu/","301"\n"*","/alt2/","https://shop.example/","301"\n',
    kind: 'urls',
    asks: 'column',
    offers: ['source_path', 'target'],
    answer: { columns: { address: 'source_path' }, host: 'shop.example' },
    entries: ['https://shop.example/alt/', 'https://shop.example/alt2/'],
  },
  'TYPO3, redirects of several hosts': {
    file: '"source_host","source_path","target","target_statuscode"\n"a.example","/alt/","t3://page?uid=12","301"\n"b.example","/alt2/","/neu2/","301"\n',
    kind: 'urls',
    asks: 'column',
    offers: ['source_path', 'target'],
    answer: { columns: { address: 'source_path' } },
    entries: ['https://a.example/alt/', 'https://b.example/alt2/'],
  },
  'Webflow, items with images beside their pages': {
    file: 'Name,Slug,Main Image,Item page\nA,a,https://cdn.example/a.jpg,https://shop.example/a\nB,b,https://cdn.example/b.png?v=2,https://shop.example/b\n',
    kind: 'urls',
    entries: ['https://shop.example/a', 'https://shop.example/b'],
    unused: ['Name', 'Slug', 'Main Image'],
  },
  'Wix, pages as paths beside images': {
    file: 'Page,og image\n/a,https://cdn.example/media/1\n/b,https://cdn.example/media/2\n',
    kind: 'urls',
    asks: 'host',
    offers: [''],
    answer: { host: 'shop.example' },
    entries: ['https://shop.example/a', 'https://shop.example/b'],
    unused: ['og image'],
  },
  // help.shopify.com: product CSV file
  'Shopify, products, whose only URLs are of images': {
    file: 'Handle,Title,Image Src\na,A,https://cdn.example/a.jpg\nb,B,https://cdn.example/b.jpg\n',
    kind: 'urls',
    entries: ['https://cdn.example/a.jpg', 'https://cdn.example/b.jpg'],
  },
  'Shopify, products with keywords, for ranks': {
    file: 'Keyword,Image Src\nshoes,https://cdn.example/a.jpg\nhats,https://cdn.example/b.jpg\n',
    entries: ['shoes', 'hats'],
    unused: ['Image Src'],
  },
  // support.google.com/analytics: (not set), (data not available)
  'Analytics, landing pages without a page': {
    file: 'Landing page,Sessions\n/a,3\n(not set),2\n(data not available),1\n/b,1\n',
    asks: 'host',
    offers: [''],
    answer: { host: 'shop.example' },
    entries: ['https://shop.example/a', 'https://shop.example/b'],
    leftOut: 2,
  },
  'Metrica, search phrases': {
    file: 'Поисковая фраза,Визиты,Отказы\nИтого и средние,16,"12,5 %"\nНе определено,9,"10,1 %"\nпалатка,4,"20 %"\nне определено что,3,0 %\n',
    kind: 'keywords',
    entries: ['палатка', 'не определено что'],
    leftOut: 2,
  },
  'keywords that name a missing value, without numbers': {
    file: 'Запрос,Группа\nне определено,А\nпалатка,Б\n',
    entries: ['не определено', 'палатка'],
    ranks: [{}, {}],
  },
  // docs.aws.amazon.com: CloudFront, standard logging (legacy)
  'CloudFront, access log': {
    file: `#Version: 1.0\n#Fields: date time x-edge-location c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs-uri-query x-host-header cs-protocol\n${[
      ['GET', 'd1.cloudfront.net', '/tents/', '200', 'https://blog.example/', 'color=red', 'shop.example'],
      ['GET', 'd1.cloudfront.net', '/tents/', '200', '-', '-', 'shop.example'],
    ]
      .map((cells) => ['2026-11-26', '06:00:00', 'FRA56', '203.0.113.7', ...cells, 'https'].join('\t'))
      .join('\n')}\n`,
    entries: ['https://shop.example/tents/?color=red', 'https://shop.example/tents/'],
  },
  'a list of ranks with a keyword that begins with # and a number': {
    file: 'Rank;Keyword\n1;tents\n2;# 1 campsite\n3;hats\n# old;\n',
    entries: ['tents', '# 1 campsite', 'hats'],
    lines: [2, 3, 4],
    leftOut: 1,
  },
  'a list of links with fragments': {
    file: 'Text,Link\nA,https://shop.example/a\nB,#top\nC,#\n# old,,\n,# older\n',
    kind: 'urls',
    entries: ['https://shop.example/a', '#top', '#'],
    leftOut: 1,
    lines: [2, 3, 4],
  },
  'the output of find: files of a site': {
    file: './de/index.html\n./de/old.php?a=1\n./index.html\n./img\n',
    asks: 'host',
    offers: [''],
    answer: { host: 'shop.example' },
    entries: ['de/index.html', 'de/old.php?a=1', 'index.html', 'img'].map(
      (path) => `https://shop.example/${path}`,
    ),
  },
  'the output of find, in a table': {
    file: 'File,Size\n./de/index.html,3\n./index.html,4\n',
    asks: 'host',
    offers: [''],
    answer: { host: 'http://shop.example/' },
    entries: ['http://shop.example/de/index.html', 'http://shop.example/index.html'],
    unused: ['Size'],
  },
  'a table with links as formulas': {
    file: 'Nr;Link;Status\n0;"=HYPERLINK(""https://shop.example/0"";""Tent; 0"")";404\n1;"=hyperlink( ""https://shop.example/1"" )";404\n2;"=HYPERLINK(""mailto:a@shop.example"")";200\n',
    entries: [...['https://shop.example/0', 'https://shop.example/1'], '=HYPERLINK("mailto:a@shop.example")'],
    unused: ['Nr', 'Status'],
  },
  'a table with links as formulas, with commas and without quotes around them': {
    file: 'Link,Status\n"=HYPERLINK(""https://shop.example/0?a=1,2"",""Tent"")",404\n=HYPERLINK("https://shop.example/1"),404\n',
    entries: ['https://shop.example/0?a=1,2', 'https://shop.example/1'],
    unused: ['Status'],
  },
  'a workbook with links as texts of formulas': {
    file: createWorkbook([
      {
        name: 'A',
        rows: [
          ['Nr', 'Link'],
          [1, '=HYPERLINK("https://shop.example/0";"Tent")'],
        ],
      },
    ]),
    entries: ['https://shop.example/0'],
    unused: ['Nr'],
  },
  'formulas of links, one per line': {
    file: '=HYPERLINK("https://shop.example/0","Tent")\n=HYPERLINK("https://shop.example/1","Hat")\n',
    entries: ['https://shop.example/0', 'https://shop.example/1'],
  },
  'a list of a Polish Excel: Windows-1250': {
    file: Buffer.from('keyword;country\nmieszkanie \xb3\xf3d\x9f;PL\n\xbf\xf3\xb3te buty;PL\n', 'latin1'),
    asks: 'encoding',
    offers: ['windows-1250', 'mieszkanie łódź;PL'],
    answer: { encoding: 'windows-1250' },
    entries: ['mieszkanie łódź', 'żółte buty'],
    ranks: [{ country: 'PL' }, { country: 'PL' }],
  },
  'a long list in Shift JIS': {
    file: Buffer.from(`935f8c9f82cc8ee88f870a${'93fa967b8cea82cc8c9f8df52882a0290a'.repeat(40)}`, 'hex'),
    entries: ['点検の手順', ...Array.from({ length: 40 }, () => '日本語の検索(あ)')],
  },
};

describe('a list in a common format', () => {
  for (const [name, { file, asks, offers, answer, leftOut = 0, ...rest }] of Object.entries(exports)) {
    it(`${name}: is read as meant${asks ? ` after a question about the ${asks}` : ''}`, async () => {
      const { entries, ranks = entries.map(() => ({})), lines, unused, ...options } = rest;
      const bytes = Buffer.from(file);
      const first = await readFile(bytes, options);
      expect(first.question?.about).to.equal(asks);
      if (first.question) expect(first.entries).to.deep.equal([]);
      if (first.question) expect(toOffers(first.question).slice(0, offers?.length)).to.deep.equal(offers);
      const list = first.question ? await readFile(bytes, { ...options, ...answer }) : first;
      const kind = /^https?:/.test(entries[0] ?? '') ? 'urls' : 'keywords';
      expect(list).to.include({ kind, question: null });
      expect(list.entries.map(({ text }) => text)).to.deep.equal(entries);
      expect(list.entries.map(({ rank }) => rank)).to.deep.equal(ranks);
      if (lines) expect(list.entries.map(({ line }) => line)).to.deep.equal(lines);
      const others = list.columns.filter(({ field }) => field === null).map(({ name }) => name);
      if (unused) expect(others).to.deep.equal(unused);
      const rows = list.leftOut.filter(({ reason }) => reason !== 'comment' && reason !== 'above_header');
      expect(rows.reduce((sum, { count }) => sum + count, 0)).to.equal(leftOut);
    });
  }
});

function toOffers(question: Question): string[] {
  switch (question.about) {
    case 'encoding':
      return question.encodings.flatMap(({ name, example }) => [name, example]);
    case 'table':
      return question.tables.map(({ name }) => name);
    case 'header':
      return question.cells;
    case 'column':
      return question.columns.map(({ name }) => name);
    case 'value':
      return [question.value, question.column.name];
    case 'host':
      return [question.suggestion ?? ''];
    case 'whole':
      return [question.cell, question.line];
  }
}
