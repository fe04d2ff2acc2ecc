/** What a column of a table may mean: the address to be checked, or a part of a question about ranks. */
export const rankFields = [
  'keyword',
  'url',
  'country',
  'language',
  'device',
  'brd_mobile',
  'match',
  'pages',
  'start_page',
  'end_page',
  'tag',
  'competitors',
  'full',
] as const;
export type RankField = (typeof rankFields)[number];
export type Field = 'address' | RankField;

/**
 * What headers are called, the surer ones first: in the API, in the exports of Search Console, Screaming Frog, Ahrefs,
 * Semrush and Sitebulb, and in what people write themselves. What ends in a question mark may mean something else,
 * and is believed when half of what stands below it can be read.
 */
const names: Record<Field, string> = {
  address: `url, urls, address, addresses, loc, link, current url, top pages, page url, full url, uri, permalink,
    landing page, page, pages, adresse, seite, die häufigsten seiten, pages les plus populaires`,
  keyword: `keyword, keywords, query, queries, top queries, search term, search query, search terms, search keyword,
    phrase, key phrase, keyphrase, suchbegriff, suchanfrage, häufigste suchanfragen, requêtes les plus fréquentes,
    mot-clé, palabra clave`,
  url: `url, target url, target, domain, site, website, current url, landing page, page url, ranking url, host, page,
    address, adresse, seite`,
  country: `country, country code, gl, land, pays, país, paese, market?, database?, location?`,
  language: `language, language code, lang, hl, sprache, langue, idioma, locale, languages?`,
  device: `device, device type, devices, gerät, appareil, dispositivo, platform?`,
  brd_mobile: `brd mobile, mobile, is mobile`,
  match: `match, match mode, target match`,
  pages: `pages, pages max, max pages, page count, seiten, seitenzahl`,
  start_page: `start page, first page, from page`,
  end_page: `end page, last page, to page`,
  tag: `tag, tags, label, labels, keyword group, group?, gruppe?`,
  competitors: `competitors?, competitor?, competitor urls, competitor domains, konkurrenten, wettbewerber`,
  full: `full`,
};

const known = Object.fromEntries(
  Object.entries(names).map(([field, list]) => [field, list.split(/,\s*/).map((name) => name.trim())]),
) as Record<Field, string[]>;
const all = new Set(
  Object.values(known)
    .flat()
    .map((name) => name.replace('?', '')),
);

/** How sure a header's name is of a field, 0 being the surest; -1 when it is none of its names. */
export function sureness(field: Field, name: string): number {
  const asked = plain(name);
  return known[field].findIndex((one) => one === asked || one === `${asked}?`);
}

/** Whether a name may mean something else, so that what stands below it must agree. */
export function isDoubtful(field: Field, name: string): boolean {
  return known[field].includes(`${plain(name)}?`);
}

/** Whether a cell is the name of a column that is read. */
export function isName(cell: string): boolean {
  return all.has(plain(cell));
}

/** Whether a cell names the column that a table is made for. */
export function isMainName(cell: string): boolean {
  return sureness('address', cell) >= 0 || sureness('keyword', cell) >= 0;
}

/** Longer than any name above. */
const nameLengthMax = 64;

function plain(name: string): string {
  // Combining marks take time with the square of their number, and a cell may be a whole line.
  if (name.length > nameLengthMax) return '';
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ')
    .trim();
}
