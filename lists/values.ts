import type { RankField } from './fields.ts';
import { countryOf, languageOf } from './places.ts';

/** A question about ranks, in the fields of the API, as far as a row says it. */
export type RankFields = Record<string, unknown>;

/**
 * What a cell says, in the fields of the API. Null when it is not understood; the cell as it is then stands in the
 * question, which is refused for it.
 */
export function readValue(field: RankField, cell: string): RankFields | null {
  return readers[field](cell);
}

const readers: Record<RankField, (cell: string) => RankFields | null> = {
  keyword: (cell) => ({ keyword: cell }),
  url: (cell) => ({ url: cell }),
  country: (cell) => valueFor('country', countryOf(cell)),
  language: readLanguage,
  device: (cell) => valueFor('device', wordOf(devices, cell)),
  brd_mobile: (cell) => valueFor('brd_mobile', wordOf(answers, cell)),
  match: (cell) => valueFor('match', wordOf(matches, cell)),
  pages: readPages,
  start_page: (cell) => valueFor('start_page', wholeNumber(cell)),
  end_page: (cell) => valueFor('end_page', wholeNumber(cell)),
  tag: (cell) => ({ tag: cell }),
  competitors: (cell) => ({ competitors: cell.split(/[;,|\s]+/).filter((one) => one !== '') }),
  full: (cell) => valueFor('full', wordOf(answers, cell)),
};

/** What the API calls the field that a cell which is not understood stands in. */
export function fieldAtFault(field: RankField): string {
  return field === 'pages' ? 'end_page' : field;
}

const devices = wordsOf({
  desktop: 'desktop, computer, pc, laptop, d',
  mobile: 'mobile, phone, smartphone, mobile phone, handy, android, iphone, ios, m',
});
const matches = wordsOf({
  site: 'site, domain, subdomains, whole site, domain with subdomains',
  host: 'host, hostname, exact host, subdomain',
  page: 'page, url, exact url, exact page, seite',
  prefix: 'prefix, path, folder, directory, ordner',
});
const answers = wordsOf<boolean>([
  [true, 'true, yes, y, 1, x, on, ja, wahr'],
  [false, 'false, no, n, 0, off, nein, falsch'],
]);

/** `en-US` says the country, too. */
function readLanguage(cell: string): RankFields | null {
  const [, language = '', country = ''] = /^([a-z]{2})[-_]([a-z]{2})$/i.exec(cell) ?? [];
  if (language) return { language: language.toLowerCase(), country: country.toUpperCase() };
  return valueFor('language', languageOf(cell));
}

/** `3`, or `2-4`. */
function readPages(cell: string): RankFields | null {
  const [, first = '', last = ''] = /^(\d{1,2})\s*[-–]\s*(\d{1,2})$/.exec(cell) ?? [];
  if (first) return { start_page: Number(first), end_page: Number(last) };
  return valueFor('end_page', wholeNumber(cell));
}

function wholeNumber(cell: string): number | null {
  return /^\d{1,3}(?:[.,]0+)?$/.test(cell) ? Number.parseInt(cell, 10) : null;
}

function valueFor(field: string, value: unknown): RankFields | null {
  return value === null ? null : { [field]: value };
}

function wordOf<T>(words: Map<string, T>, cell: string): T | null {
  return words.get(cell.toLowerCase()) ?? null;
}

function wordsOf<T = string>(lists: Record<string, string> | Array<[T, string]>): Map<string, T> {
  const pairs = (Array.isArray(lists) ? lists : Object.entries(lists)) as Array<[T, string]>;
  return new Map(
    pairs.flatMap(([value, list]) => list.split(', ').map((word): [string, T] => [word, value])),
  );
}
