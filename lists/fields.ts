/** Fields of a rank check that a column can have. */
export const rankFields = [
  'keyword',
  'url',
  'country',
  'location',
  'language',
  'device',
  'brd_mobile',
  'match',
  'start_page',
  'end_page',
  'tag',
  'competitors',
  'full',
  'include',
] as const;
export type RankField = (typeof rankFields)[number];
export type Field = 'address' | 'host' | RankField;

/** Fields of a rank check as in the API, read from a row. */
export type RankFields = Record<string, unknown>;

/**
 * Column names by field, the most certain first: names in the API, in exports of Search Console, Screaming Frog,
 * Ahrefs, Semrush and Sitebulb, and in lists that people write. A name with a question mark may mean something else. It
 * counts only if half of the cells below it can be read. Options have only the name in the API.
 */
const namesByField: Record<Field, string> = {
  address: `url, urls, address, addresses, loc, link, current url, top pages, page url, full url, uri, permalink,
    landing page, landing page url, page location, page, pages?, page path, page path and screen class,
    page path + query string, landing page + query string, properties.requesturi, final url, original,
    linking page, adresse, seite,
    die häufigsten seiten, häufigste seiten, zielseite, seitenpfad, seitenpfad und bildschirmklasse,
    pages les plus populaires, page de destination, páginas principales, pagine principali`,
  host: `http host, host, hostname, host name, domain, clientrequesthost, request.host, vhost, server name, source host`,
  keyword: `search term, keyword, primary keyword, main keyword, focus keyword, top queries, search query, searchquery, search terms?, search keyword, search keywords?,
    phrase, key phrase, keyphrase, query, grounding query, keywords?, queries?, suchbegriff, suchbegriffe?,
    suchanfrage, suchanfragen?, häufigste suchanfragen, requête, requêtes les plus fréquentes, mot-clé,
    palabra clave, consultas principales, principais consultas, query principali, parola chiave, zoekwoord,
    meest uitgevoerde zoekopdrachten, słowo kluczowe, en çok yapılan sorgular, 关键词, 关键字, 热门查询,
    キーワード, クエリ, 上位のクエリ, ключевое слово, запрос`,
  url: `url, target url, target, domain, site, website, current url, landing page, page url, ranking url, host, page,
    target page, ranking page, destination url, ziel-url, ziel url, address, adresse, seite`,
  country: `country, country code, gl, land, pays, país, paese, market?, database?, location?`,
  location: `location`,
  language: `language, language code, lang, hl, sprache, langue, idioma, locale, languages?`,
  device: `device, device type, devices, gerät, appareil, dispositivo, platform?`,
  brd_mobile: `brd mobile`,
  match: `match`,
  start_page: `start page`,
  end_page: `end page`,
  tag: `tag, tags, label, labels, keyword group, group?, gruppe?`,
  competitors: `competitors?, competitor?, competitor urls, competitor domains, konkurrenten?, wettbewerber?`,
  full: `full`,
  include: `include`,
};

interface KnownName {
  /** 0 for the most certain name of a field. */
  match: number;
  isAmbiguous: boolean;
}

const known = Object.fromEntries(
  Object.entries(namesByField).map(([field, list]) => {
    const names = list.split(/,\s*/).map((name, match): [string, KnownName] => {
      return [name.trim().replace('?', ''), { match, isAmbiguous: name.includes('?') }];
    });
    return [field, new Map(names)];
  }),
) as Record<Field, Map<string, KnownName>>;
const toSet = (maps: Array<Map<string, KnownName>>) => new Set(maps.flatMap((names) => [...names.keys()]));
const allNames = toSet(Object.values(known));
const mainNames = toSet([known.address, known.keyword]);

/** Fields whose column is used only if most of its first cells have a value of the field. */
export const optionFields: ReadonlySet<Field> = new Set([
  'brd_mobile',
  'match',
  'start_page',
  'end_page',
  'full',
  'include',
]);

/** Names of a column of paths, in addition to those of `address`. */
const pathNames = ['path', 'clientrequesturi', 'clientrequestpath', 'request.uri', 'source path'];

/** Returns whether a column with this normal name may have the paths of the hosts in another column. */
export function isPathName(name: string): boolean {
  return known.address.has(name) || pathNames.includes(name);
}

const redirectNames = {
  from: /^(?:(?:source|origin|(?:redirect )?from)(?: url| path)?|(?:old|request) (?:url|path)|alte url)$/,
  to: /^(?:(?:destination|target|(?:redirect )?to)(?: url| path)?|new (?:url|path)|neue url)$/,
};

/** Returns whether a column with this normal name may have one side of redirects. */
export function isRedirectName(side: 'from' | 'to', name: string): boolean {
  return redirectNames[side].test(name);
}

/** Returns whether a column with this normal name may say which redirects have regular expressions. */
export function isRegexName(name: string): boolean {
  return /^(?:(?:is )?regexp?|matching|format)$/.test(name);
}

/** Returns whether a column of images has such a normal name. */
export function isImageName(name: string): boolean {
  return /image|thumbnail|\b(?:img|photo|picture)\b/.test(name);
}

/** Returns how well a normal column name matches a field: 0 is the best match, -1 none. */
export function findNameMatch(field: Field, name: string): number {
  return known[field].get(name)?.match ?? -1;
}

/** Returns whether a normal name may mean something else, so that the cells below it must be checked. */
export function isAmbiguousName(field: Field, name: string): boolean {
  return known[field].get(name)?.isAmbiguous ?? false;
}

export function isColumnName(cell: string): boolean {
  return allNames.has(toNormalName(cell));
}

/** Returns whether a cell is a name for the column of URLs or keywords. */
export function isMainColumnName(cell: string): boolean {
  return mainNames.has(toNormalName(cell));
}

/** Longer than any name above. */
const nameLengthMax = 64;

/** Returns a column name as the names above are written; '' for a text that cannot be one. */
export function toNormalName(name: string): string {
  // Normalising combining marks takes quadratic time, and a cell may be a whole line.
  if (name === '' || name.length > nameLengthMax) return '';
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ')
    .trim();
}
